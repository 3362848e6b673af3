import type { Exchange } from '../../protocol/http/exchange.js'
import { headerValues } from '../../protocol/http/message.js'
import { parseChallenges } from '../../protocol/oauth/bearer.js'
import { advice } from '../../protocol/oauth/check.js'
import { parseScope } from '../../protocol/oauth/scope.js'
import type { TokenResponse } from '../../protocol/oauth/token.js'
import type { FlowOptions } from '../options.js'
import type { FlowPorts } from '../ports.js'
import type { LoginWish } from '../requests/login-demand.js'
import type { Steps, Walk } from '../walk.js'
import { obtainByCode } from './obtain-by-code.js'
import { resourceRequest, showResource } from './resource-step.js'

/** The demands of a resource server. */
export type StepUpChallenge = Pick<LoginWish, 'acrValues' | 'maxAge'> & { readonly scope?: string }

/** Characters of the list of classes. */
const MAX_VALUES = 1000

/** The demands of a challenge for another login (RFC 9470 §3); undefined where there are none. */
export function stepUpChallenge({ response }: Exchange): StepUpChallenge | undefined {
  if (response?.status !== 401) return undefined
  const asked = parseChallenges(headerValues(response, 'www-authenticate')).find(
    ({ parameters }) => parameters.error === 'insufficient_user_authentication',
  )
  if (asked === undefined) return undefined
  const { acr_values: acrValues = '', max_age: maxAge = '', scope = '' } = asked.parameters
  const classes = acrValues.trim() !== '' && acrValues.length <= MAX_VALUES
  const age = /^\d{1,9}$/.test(maxAge)
  if (!classes && !age) return undefined
  return {
    ...(classes && { acrValues: acrValues.trim() }),
    ...(age && { maxAge: Number(maxAge) }),
    ...(parseScope(scope)?.length && { scope }),
  }
}

/** RFC 9470 §4. */
function withDemands(wanted: FlowOptions, { scope = '', ...demands }: StepUpChallenge): FlowOptions {
  const known = wanted.scope?.split(' ') ?? []
  const more = scope.split(' ').filter(each => each !== '' && !known.includes(each))
  return { ...wanted, ...demands, ...(more.length > 0 && { scope: [...known, ...more].join(' ') }) }
}

function described({ acrValues, maxAge }: StepUpChallenge): string {
  const parts = [
    acrValues === undefined ? undefined : `acr_values ${acrValues}`,
    maxAge === undefined ? undefined : `max_age ${maxAge}`,
  ]
  return parts.filter(each => each !== undefined).join(', ')
}

/**
 * Presents the access token. Where the server asks for another login, logs in as it says, once, and presents the
 * new token (RFC 9470 §2). @returns the tokens that were presented last
 */
export async function* callOrStepUp(
  walk: Walk,
  ports: FlowPorts,
  wanted: FlowOptions,
  tokens: TokenResponse,
): Steps<TokenResponse> {
  const { resource } = wanted
  if (resource === undefined) return tokens
  const exchange = await walk.send(resourceRequest(resource, tokens.access_token))
  const challenge = stepUpChallenge(exchange)
  if (challenge === undefined) {
    yield* showResource(walk, exchange)
    return tokens
  }
  const asks = described(challenge)
  yield walk.step('resource_request', {
    exchange,
    checks: [advice('login', false, 'RFC 9470 §3', `the resource server asks for ${asks}`)],
    note: `asks for another login: the client sends a new authorization request with ${asks}`,
    repeats: true,
  })
  walk.startOver()
  const { userAgent } = ports
  const sameBrowser: FlowPorts = {
    ...ports,
    userAgent: { authorize: task => userAgent.authorize({ ...task, again: true }) },
  }
  const again = yield* obtainByCode(walk, sameBrowser, withDemands(wanted, challenge))
  yield* showResource(walk, await walk.send(resourceRequest(resource, again.tokens.access_token)))
  return again.tokens
}
