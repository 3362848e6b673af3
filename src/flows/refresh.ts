import type { Exchange } from '../http/exchange.js'
import { header } from '../http/message.js'
import { advice, type Check, check } from '../oauth/check.js'
import { OAuthError } from '../oauth/oauth-error.js'
import { refusalIn, type TokenResponse, tokenResponse } from '../oauth/token.js'
import { checkTokens } from './check-step.js'
import { obtainFirst } from './first.js'
import { grantedScope } from './granted-scope.js'
import type { FlowOptions } from './options.js'
import { failedCheck } from './outcome.js'
import { afterwards, firstSteps, type PlanOptions, tokenStep } from './plan-parts.js'
import type { AllPorts } from './ports.js'
import { callResource } from './resource-step.js'
import { sameSubject } from './same-subject.js'
import type { FlowRecord, PlannedStep, StepName } from './step.js'
import { trade, tradeRequest } from './token-step.js'
import { concluded, createWalk, type Steps, type Walk } from './walk.js'

const REUSE_RULE = 'RFC 9700 §4.14.2'

/** The planned steps of a refresh (RFC 6749 §6, figure 2), and of a thief's use of the old refresh token (RFC 9700 §4.14). */
export function refreshPlan(options: PlanOptions): PlannedStep[] {
  return [
    ...firstSteps(options),
    tokenStep(options, {
      name: 'refresh_request',
      rfc: '6749 §6',
      why: 'The access token will expire; the client trades the refresh token for a new one, without the resource owner.',
    }),
    ...afterwards(options),
    tokenStep(options, {
      name: 'reuse_request',
      rfc: '9700 §4.14.2',
      why: 'The old refresh token comes a second time, as a thief would send it: the server must notice.',
    }),
    tokenStep(options, {
      name: 'revoked_request',
      rfc: '9700 §4.14.2',
      why: 'Nobody knows which of the two is the thief, so the new refresh token has to be dead too.',
    }),
  ]
}

/** Uses a refresh token and shows its rotation (RFC 6749 §6). Then uses the old token again, as a thief would (RFC 9700 §4.14). */
export function refreshFlow(ports: AllPorts, wanted: FlowOptions): AsyncGenerator<FlowRecord, void, void> {
  return concluded(steps(ports, wanted), ports.signal)
}

async function* steps(ports: AllPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const walk = createWalk(ports, refreshPlan(wanted))
  const first = yield* obtainFirst(walk, ports, wanted)
  const { refresh_token: old } = first
  if (old === undefined) {
    throw new OAuthError('no_refresh_token', {
      description: 'the server issued no refresh token with the access token',
      rule: 'RFC 6749 §1.5',
    })
  }
  const answer = yield* trade(walk, wanted, {
    name: 'refresh_request',
    grantType: 'refresh_token',
    parameters: [['refresh_token', old]],
    scope: grantedScope(wanted.scope, first.scope),
    check: refreshed => [
      ...sameSubject(first, refreshed, 'OpenID Connect Core §12.2'),
      rotation(old, refreshed),
    ],
  })
  const tokens = { ...answer, refresh_token: answer.refresh_token ?? old }
  yield* checkTokens(walk, ports, wanted, answer, { login: answer.id_token !== undefined })
  yield* callResource(walk, wanted, tokens.access_token)
  if (tokens.refresh_token === old) {
    yield* refreshAgain(walk, wanted, answer, old)
    return tokens
  }
  yield* expectDead(walk, wanted, old, {
    name: 'reuse_request',
    good: 'the second use was noticed',
    bad: 'the server took a refresh token that was used before',
  })
  yield* expectDead(walk, wanted, tokens.refresh_token, {
    name: 'revoked_request',
    good: 'the whole family is revoked',
    bad: 'the server noticed the second use, and revoked nothing',
  })
  return tokens
}

function rotation(old: string, { refresh_token: now }: TokenResponse): Check {
  const rotated = now !== undefined && now !== old
  return check('rotation', true, REUSE_RULE, rotated ? 'a new refresh token came' : 'the refresh token stays')
}

/**
 * Uses the refresh token again at a server that does not rotate it. The token stays valid, so a thief must be unable to
 * send it (RFC 9700 §2.2.2).
 */
async function* refreshAgain(
  walk: Walk,
  wanted: FlowOptions,
  before: TokenResponse,
  refreshToken: string,
): Steps<void> {
  const name = 'reuse_request'
  const parameters = [['refresh_token', refreshToken]] as const
  const exchange = await walk.send(tradeRequest({ grantType: 'refresh_token', parameters }, wanted))
  if (exchange.response?.status === 200) {
    const checks = yield* walk.orRefused(name, exchange, () => [
      ...sameSubject(before, tokenResponse(exchange).tokens, 'OpenID Connect Core §12.2'),
      senderCheck(wanted, exchange),
    ])
    yield walk.step(name, { exchange, checks, note: 'taken again: this server does not rotate' })
  } else {
    const refusal = yield* walk.orRefused(name, exchange, () => refusalIn(exchange))
    const found = `${refusal.code}: the old one is dead, and no new one came`
    yield walk.step(name, { exchange, checks: [advice('rotation', false, 'RFC 6749 §6', found)] })
  }
  yield walk.step('revoked_request', { note: 'not sent: without rotation nobody notices a thief' })
}

/** The protection of a stolen refresh token: the client's own credentials, or a key it is bound to. */
function senderCheck({ auth }: FlowOptions, { request }: Exchange): Check {
  const proved = /(^|&)client_assertion=/.test(request.body) || auth !== 'none'
  const bound = header(request, 'dpop') !== undefined
  const how = proved ? 'the client proves who it is' : bound ? 'bound to the key of the client' : undefined
  const bad = 'neither rotated nor bound: anyone who steals the refresh token of a public client can use it'
  return advice('sender', how !== undefined, 'RFC 9700 §2.2.2', how ?? bad)
}

/** Sends a refresh token that the server must refuse. @throws OAuthError when the server accepts the token */
async function* expectDead(
  walk: Walk,
  wanted: FlowOptions,
  refreshToken: string,
  { name, good, bad }: { readonly name: StepName; readonly good: string; readonly bad: string },
): Steps<void> {
  const parameters = [['refresh_token', refreshToken]] as const
  const exchange = await walk.send(tradeRequest({ grantType: 'refresh_token', parameters }, wanted))
  const refusal = yield* walk.orRefused(name, exchange, () => refusalOf(exchange))
  if (refusal?.code === 'invalid_grant') {
    const checks = [check('refused', true, REUSE_RULE, refusal.description)]
    yield walk.step(name, { exchange, checks, note: `refused as it should be: ${good}` })
    return
  }
  const error =
    refusal === undefined
      ? new OAuthError('reuse_accepted', { description: bad, rule: REUSE_RULE })
      : new OAuthError(refusal.code, { description: refusal.description, rule: 'RFC 6749 §5.2' })
  yield walk.step(name, { exchange, checks: [failedCheck(error, 'refused')] })
  throw error
}

/** The refusal of an answer; undefined for any other answer. */
function refusalOf(exchange: Exchange): OAuthError | undefined {
  return exchange.response?.status === 200 ? undefined : refusalIn(exchange)
}
