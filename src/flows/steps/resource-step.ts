import type { Exchange } from '../../protocol/http/exchange.js'
import { type HttpRequest, headerValues, mediaType } from '../../protocol/http/message.js'
import { challengeFor, parseChallenges } from '../../protocol/oauth/bearer.js'
import { type Check, check } from '../../protocol/oauth/check.js'
import { OAuthError, receivedCode } from '../../protocol/oauth/oauth-error.js'
import { foreignRule } from '../../protocol/rules/rule.js'
import { parsedObject } from '../../protocol/values.js'
import type { FlowOptions } from '../options.js'
import { failedCheck } from '../outcome.js'
import type { Steps, Walk } from '../walk.js'

/** Characters of scope names that a shell leaves alone between single quotes, and that a person can read (RFC 6749 §3.3). */
const PLAIN = /^[\w:./~+*@#%&=,;!?()[\]{}|^$<>-]+$/

/** The next move after `insufficient_scope`: a request for the scope that the challenge names (RFC 6750 §3). */
export function scopeHints(scope: string | undefined): readonly string[] | undefined {
  const isPlain = scope?.split(' ').every(each => PLAIN.test(each))
  return isPlain ? [`ask for the scope it needs: --scope '${scope}'`] : undefined
}

/** A request for a protected resource or the userinfo endpoint, with the token or without (RFC 6750 §2.1). */
export function resourceRequest(url: string, accessToken?: string): HttpRequest {
  const authorization = accessToken === undefined ? [] : [['authorization', `Bearer ${accessToken}`] as const]
  return {
    method: 'GET',
    url,
    headers: [['accept', 'application/json'], ...authorization],
    body: new Uint8Array(),
  }
}

/** Presents the access token to the resource server, where one is known. */
export async function* callResource(
  walk: Walk,
  { resource }: Pick<FlowOptions, 'resource'>,
  accessToken: string,
): Steps<void> {
  if (resource !== undefined) yield* present(walk, resourceRequest(resource, accessToken))
}

/** @returns false for a token that is no longer accepted: a refresh may help (RFC 6750 §3.1 `invalid_token`) */
export async function* offerResource(
  walk: Walk,
  { resource }: Pick<FlowOptions, 'resource'>,
  accessToken: string,
): Steps<boolean> {
  if (resource === undefined) return true
  const exchange = await walk.send(resourceRequest(resource, accessToken))
  const name = 'resource_request'
  const refusal = exchange.response?.status === 401 ? resourceRefusal(exchange, 401) : undefined
  if (refusal?.code === 'invalid_token') {
    yield walk.step(name, { exchange, checks: [failedCheck(refusal)], repeats: true })
    return false
  }
  const read = yield* walk.orRefused(name, exchange, () => readResource(exchange))
  yield walk.step(name, { exchange, ...read })
  return true
}

export async function* present(walk: Walk, request: HttpRequest): Steps<void> {
  yield* showResource(walk, await walk.send(request))
}

/** Shows the answer of the resource server to a request with a token. */
export async function* showResource(walk: Walk, exchange: Exchange): Steps<void> {
  const read = yield* walk.orRefused('resource_request', exchange, () => readResource(exchange))
  yield walk.step('resource_request', { exchange, ...read })
}

function bodyObject({ response }: Exchange): Record<string, unknown> | undefined {
  if (response === undefined || !/[/+]json$/.test(mediaType(response))) return undefined
  // A protected resource may answer in any format.
  return parsedObject(response.body)
}

/** @throws OAuthError where the resource server refused (RFC 6750 §3.1) */
function readResource(exchange: Exchange): { checks: readonly Check[]; note: string } {
  const status = exchange.response?.status ?? 0
  if (status < 200 || status >= 300) throw resourceRefusal(exchange, status)
  const body = bodyObject(exchange)
  const decided = decisionIn(body?.decided)
  const whose = typeof body?.sub === 'string' ? ` for ${body.sub}` : ''
  if (decided.checks.length === 0) {
    return {
      checks: [check('accepted', true, 'RFC 6750 §2.1', `status ${status}`)],
      note: `accepted${whose}`,
    }
  }
  const { checks, keys } = decided
  return { checks, note: `accepted${whose} by ${checks.length} checks${keys}` }
}

/** The decision of the lab's own resource server. */
function decisionIn(decided: unknown): { checks: Check[]; keys: string } {
  const none = { checks: [], keys: '' }
  if (typeof decided !== 'object' || decided === null || !('checks' in decided)) return none
  const { checks } = decided
  if (!Array.isArray(checks)) return none
  const keys = 'keys' in decided ? keysWords(decided.keys) : ''
  return { checks: checks.slice(0, 20).flatMap(checkIn), keys }
}

function keysWords(keys: unknown): string {
  if (typeof keys === 'string') return `, keys ${keys}`
  const fetched = typeof keys === 'object' && keys !== null && 'fetched' in keys ? keys.fetched : undefined
  return typeof fetched === 'string' ? `, keys fetched ${fetched}` : ''
}

function checkIn(value: unknown): Check[] {
  if (typeof value !== 'object' || value === null) return []
  const { name, ok, rule, detail } = value as Record<string, unknown>
  if (typeof name !== 'string' || typeof rule !== 'string' || typeof ok !== 'boolean') return []
  return [check(name, ok, foreignRule(rule), typeof detail === 'string' ? detail : undefined)]
}

/** @param scheme of the challenge; undefined without one */
function unseen(scheme: string | undefined): string {
  if (scheme === undefined) {
    return 'the resource server answered 401 without a WWW-Authenticate header: it names neither the problem nor what it asks for'
  }
  return `the resource server found no token that it knows in the request; it asks for ${scheme}`
}

/** The refusal in the WWW-Authenticate header of an answer, or in its body (RFC 6750 §3). */
export function resourceRefusal(exchange: Exchange, status: number): OAuthError {
  const rule = 'RFC 6750 §3.1'
  const { response } = exchange
  const challenges = parseChallenges(response ? headerValues(response, 'www-authenticate') : [])
  const asked = challengeFor('Bearer', challenges) ?? challenges[0]
  const body = bodyObject(exchange)
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  const code = asked?.parameters.error ?? text(body?.error)
  const scope = asked?.parameters.scope
  const described = asked?.parameters.error_description ?? text(body?.error_description)
  if (code === undefined) {
    return status === 401
      ? new OAuthError('no_token_seen', { description: unseen(asked?.scheme), rule: 'RFC 6750 §3' })
      : new OAuthError('invalid_response', {
          description: `the resource server answered ${status}`,
          rule: 'RFC 6750 §2.1',
        })
  }
  const { acr_values: acr, max_age: age } = asked?.parameters ?? {}
  const needs =
    code === 'insufficient_scope' && scope !== undefined
      ? ` (scope ${scope})`
      : code === 'insufficient_user_authentication'
        ? [acr && ` (--acr-values '${acr}')`, age && ` (--max-age ${age})`].filter(each => each).join('')
        : ''
  return new OAuthError(receivedCode(code), {
    description: `${described ?? `the resource server answered ${status}`}${needs}`,
    rule: code === 'insufficient_user_authentication' ? 'RFC 9470 §3' : rule,
    hints: code === 'insufficient_scope' ? scopeHints(scope) : undefined,
  })
}
