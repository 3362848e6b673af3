import type { Exchange } from '../protocol/http/exchange.js'
import { header } from '../protocol/http/message.js'
import { refusalIn } from '../protocol/oauth/answers.js'
import { advice, type Check, check } from '../protocol/oauth/check.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import { type TokenResponse, tokenResponse } from '../protocol/oauth/token.js'
import { grantedScope } from './answers/granted-scope.js'
import { sameSubject } from './answers/verify-tokens.js'
import { detailsParameters, type FlowOptions } from './options.js'
import { afterwards, firstSteps, type PlanOptions, tokenStep } from './plans/plan-parts.js'
import type { AllPorts } from './ports.js'
import type { PlannedStep, StepName } from './step.js'
import { checkTokens } from './steps/check-step.js'
import { obtainFirst } from './steps/first.js'
import { callResource, offerResource } from './steps/resource-step.js'
import { trade, tradeRequest } from './steps/token-step.js'
import { flowOf, type Steps, type Walk } from './walk.js'

const REUSE_RULE = 'RFC 9700 §4.14.2'
const SENDER_RULE = 'RFC 9700 §2.2.2'

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
    ...(options.refreshToken === undefined ? thiefSteps(options) : []),
  ]
}

/** A token that the person gave is not spent on a thief: it may be the only one. */
function thiefSteps(options: PlanOptions): PlannedStep[] {
  return [
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

/** Uses a refresh token (RFC 6749 §6), then the old token again, as a thief would (RFC 9700 §4.14). */
export const refreshFlow = flowOf(refreshPlan, steps)

async function* steps(walk: Walk, ports: AllPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const first = wanted.refreshToken === undefined ? yield* obtainFirst(walk, ports, wanted) : undefined
  const old = wanted.refreshToken ?? first?.refresh_token
  if (old === undefined) {
    throw new OAuthError('no_refresh_token', {
      description: 'the server issued no refresh token with the access token',
      rule: 'RFC 6749 §1.5',
    })
  }
  let answer = yield* renew(walk, wanted, first, old)
  let tokens = { ...answer, refresh_token: answer.refresh_token ?? old }
  yield* checkTokens(walk, ports, wanted, answer, { login: answer.id_token !== undefined })
  if (!(yield* offerResource(walk, wanted, tokens.access_token))) {
    // A resource server may drop a token before its time, and then a newer token helps.
    answer = yield* renew(walk, wanted, first, tokens.refresh_token)
    tokens = { ...answer, refresh_token: answer.refresh_token ?? tokens.refresh_token }
    yield* callResource(walk, wanted, tokens.access_token)
  }
  if (wanted.refreshToken !== undefined) return tokens
  if (tokens.refresh_token === old) {
    yield* refreshAgain(walk, wanted, answer, old)
    return tokens
  }
  const noticed = yield* reuse(walk, wanted, old, {
    name: 'reuse_request',
    good: 'the second use was noticed',
    bad: 'the server took a refresh token that was used before',
  })
  if (!noticed) {
    yield walk.step('revoked_request', { note: 'not sent: the second use was not noticed' })
    return tokens
  }
  yield* reuse(walk, wanted, tokens.refresh_token, {
    name: 'revoked_request',
    good: 'the whole family is revoked',
    bad: 'the server noticed the second use, and revoked nothing',
  })
  return tokens
}

function renew(
  walk: Walk,
  wanted: FlowOptions,
  first: TokenResponse | undefined,
  token: string,
): Steps<TokenResponse> {
  // Only the request of a given token can ask for less here (RFC 6749 §6, RFC 9396 §6).
  const narrowing =
    first === undefined ? [['scope', wanted.scope] as const, ...detailsParameters(wanted)] : []
  return trade(walk, wanted, {
    name: 'refresh_request',
    grantType: 'refresh_token',
    parameters: [['refresh_token', token], ...narrowing],
    scope: first === undefined ? wanted.scope : grantedScope(wanted.scope, first.scope),
    details: first === undefined ? wanted.authorizationDetails : first.authorization_details,
    check: refreshed => [
      ...(first === undefined ? [] : sameSubject(first, refreshed, 'OpenID Connect Core §12.2')),
      rotation(token, refreshed),
    ],
  })
}

function rotation(old: string, { refresh_token: now }: TokenResponse): Check {
  const rotated = now !== undefined && now !== old
  return check('rotation', true, REUSE_RULE, rotated ? 'a new refresh token came' : 'the refresh token stays')
}

/** A token that is not rotated must be of no use to a thief (RFC 9700 §2.2.2). */
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
    const found = `${refusalOf(exchange)?.code}: the old one is dead, and no new one came`
    yield walk.step(name, { exchange, checks: [advice('rotation', false, 'RFC 6749 §6', found)] })
  }
  yield walk.step('revoked_request', { note: 'not sent: without rotation nobody notices a thief' })
}

/** The protection of a stolen refresh token: client credentials or a bound key. */
function protection({ auth }: FlowOptions, { request }: Exchange): string | undefined {
  if (/(^|&)client_assertion=/.test(request.body) || auth !== 'none') return 'the client proves who it is'
  return header(request, 'dpop') === undefined ? undefined : 'bound to the key of the client'
}

/** Only a public client depends on rotation. */
function senderCheck(wanted: FlowOptions, exchange: Exchange): Check {
  const how = protection(wanted, exchange)
  const bad = 'neither rotated nor bound: anyone who steals the refresh token of a public client can use it'
  return check('sender', how !== undefined, SENDER_RULE, how ?? bad)
}

/**
 * Sends a token that the server should refuse. An accepted token is a finding only for a public client without a key
 * (RFC 9700 §2.2.2). @returns true when the server refused
 */
async function* reuse(
  walk: Walk,
  wanted: FlowOptions,
  refreshToken: string,
  { name, good, bad }: { readonly name: StepName; readonly good: string; readonly bad: string },
): Steps<boolean> {
  const parameters = [['refresh_token', refreshToken]] as const
  const exchange = await walk.send(tradeRequest({ grantType: 'refresh_token', parameters }, wanted))
  const refusal = refusalOf(exchange)
  if (refusal?.code === 'invalid_grant') {
    const checks = [check('refused', true, REUSE_RULE, refusal.description)]
    yield walk.step(name, { exchange, checks, note: `refused as it should be: ${good}` })
  } else if (refusal !== undefined) {
    const found = `${refusal.code} instead of invalid_grant: ${refusal.description}`
    yield walk.step(name, { exchange, checks: [advice('refused', false, 'RFC 6749 §5.2', found)] })
  } else {
    const how = protection(wanted, exchange)
    const failed =
      how === undefined
        ? check('refused', false, SENDER_RULE, bad)
        : advice('refused', false, REUSE_RULE, `${bad}; a thief is stopped all the same: ${how}`)
    yield walk.step(name, { exchange, checks: [failed], note: bad })
  }
  return refusal !== undefined
}

function refusalOf(exchange: Exchange): OAuthError | undefined {
  if (exchange.response?.status === 200) return undefined
  try {
    return refusalIn(exchange)
  } catch (error) {
    if (error instanceof OAuthError) return error
    throw error
  }
}
