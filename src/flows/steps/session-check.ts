import type { AuthorizationRequest } from '../../protocol/oauth/authorization-request.js'
import { authorizationResponse } from '../../protocol/oauth/authorization-response.js'
import type { Check } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { defined } from '../../protocol/values.js'
import { asksForOpenId, type FlowOptions } from '../options.js'
import type { FlowPorts } from '../ports.js'
import type { StepName } from '../step.js'
import type { Shown, Steps, Walk } from '../walk.js'
import { asCarried, newRequest } from './front-channel.js'

/** The session at the server, as `prompt=none` shows it. */
export interface SessionState {
  readonly session: 'alive' | 'ended' | 'unknown'
  /** The answer, for people. */
  readonly answer: string
}

/** The errors of a server that may show no page (OpenID Connect Core §3.1.2.6). */
const SILENT: Readonly<Record<string, SessionState['session']>> = {
  login_required: 'ended',
  consent_required: 'alive',
  account_selection_required: 'alive',
  interaction_required: 'unknown',
  unknown_page: 'unknown',
}

function silently(wanted: FlowOptions, hint: string | undefined): FlowOptions {
  const {
    acrValues: _acr,
    maxAge: _age,
    claims: _claims,
    authorizationDetails: _details,
    responseMode: _mode,
    ...options
  } = wanted
  const replaced = ['prompt', 'id_token_hint', 'max_age', 'acr_values']
  const own = (options.authorizationParameters ?? []).filter(([name]) => !replaced.includes(name))
  const hinted = hint === undefined ? [] : [['id_token_hint', hint] as const]
  return {
    ...options,
    scope: asksForOpenId(options.scope) ? options.scope! : 'openid',
    authorizationParameters: [...own, ['prompt', 'none'], ...hinted],
  }
}

/** Pushes the request or puts it into a request object, all in one step. */
async function* carried(
  walk: Walk,
  ports: FlowPorts,
  options: FlowOptions,
  name: StepName,
): Steps<AuthorizationRequest> {
  const steps = asCarried(walk, ports, newRequest(ports, options, 'code'), options)
  for (;;) {
    const { value, done } = await steps.next()
    if (done) return value
    const { exchange, token, note, title } = value
    yield walk.step(name, defined({ exchange, token, note: note ?? title, repeats: true } as const))
  }
}

/** Asks by `prompt=none` if the browser has a session. A code is never redeemed. @param judge the checks of the step */
export async function* checkSession(
  walk: Walk,
  ports: FlowPorts,
  wanted: FlowOptions,
  {
    name,
    hint,
    judge,
  }: {
    readonly name: StepName
    readonly hint: string | undefined
    readonly judge: (state: SessionState) => { readonly check: Check; readonly note: string }
  },
): Steps<SessionState> {
  const { userAgent, signal } = ports
  const options = silently(wanted, hint)
  const request = yield* carried(walk, ports, options, name)
  let held: Shown | undefined
  let checks: readonly Check[] = []
  let state: SessionState | undefined
  try {
    for await (const { name: _, repeats: __, landed, ...shown } of userAgent.authorize({
      request,
      signal,
      again: true,
      silent: true,
    })) {
      signal.throwIfAborted()
      if (held !== undefined) yield walk.step(name, { ...held, repeats: true })
      held = landed === undefined ? shown : { ...shown, url: landed }
      if (landed === undefined) continue
      checks = authorizationResponse(landed, request).checks
      state = { session: 'alive', answer: 'the server answers with a code, and asks nobody' }
    }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const session = Object.hasOwn(SILENT, error.code) ? SILENT[error.code]! : undefined
    if (session === undefined) {
      yield* walk.orRefused(name, held?.exchange, () => {
        throw error
      })
      throw error
    }
    const answer = error.code === 'unknown_page' ? error.description : error.code
    state = { session, answer }
  }
  state ??= { session: 'unknown', answer: 'the browser did not come back' }
  const { check, note } = judge(state)
  const step = walk.step(name, { ...held, checks: [...checks, check], note })
  // The last visit of an answer that came back is to the client.
  yield held?.url === undefined ? step : { ...step, to: 'client' }
  return state
}
