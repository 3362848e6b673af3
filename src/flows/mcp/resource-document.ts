import { isUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { header, splitUrl } from '../../protocol/http/message.js'
import { jsonObject } from '../../protocol/oauth/answers.js'
import { advice, type Check, check, shown } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { parseScope } from '../../protocol/oauth/scope.js'
import { isProtectedAddress } from '../metadata/resource-metadata.js'
import { type MetadataPlace, wellKnownOf } from './metadata-places.js'

/** The metadata of an MCP server, as far as a client uses it (RFC 9728 §2). */
export interface ResourceDocument {
  /** As it is published: both requests name it unchanged. */
  readonly resource: string
  /** In the order of the MCP server. */
  readonly issuers: readonly string[]
  readonly scopes?: readonly string[]
  readonly checks: readonly Check[]
}

const MAX_ITEMS = 100

/** RFC 3986 §6.2.2.1, §6.2.3. */
function canonical(identifier: string): string {
  const { origin, path, query } = splitUrl(identifier)
  return `${origin.toLowerCase()}${path === '/' ? '' : path}${query === '' ? '' : `?${query}`}`
}

/** True at the same origin, for a path above that of `url`. */
function isAbove(resource: string, url: string): boolean {
  const [outer, inner] = [splitUrl(resource), splitUrl(url)]
  const base = outer.path.replace(/\/$/, '')
  return outer.origin.toLowerCase() === inner.origin.toLowerCase() && inner.path.startsWith(`${base}/`)
}

/**
 * Checks that a document is about the server that was asked. A document about a path above counts only at its own
 * well-known address: the host vouches for it there, and no tenant below can (RFC 9728 §3.3, §7.3).
 */
function resourceCheck(named: unknown, url: string, place: MetadataPlace): Check {
  const rule = 'RFC 9728 §3.3'
  const mismatch = (description: string) => new OAuthError('resource_mismatch', { description, rule })
  if (typeof named !== 'string' || !isUrl(named)) {
    throw mismatch(`resource of the metadata is ${shown(named)}, and no absolute address`)
  }
  if (named.includes('#')) throw mismatch(`resource of the metadata has a fragment: ${named}`)
  if (canonical(named) === canonical(url)) return check('resource', true, rule, named)
  if (isAbove(named, url) && wellKnownOf(named) === place.url) {
    const detail = `${named}, which is above ${splitUrl(url).path}`
    return place.by === 'root'
      ? check('resource', true, rule, detail)
      : advice('resource', false, rule, detail)
  }
  throw mismatch(`the metadata is about ${named}, asked was ${url}`)
}

/** RFC 8414 §2; undefined for a good issuer identifier. */
function issuerProblem(issuer: string): string | undefined {
  if (!isUrl(issuer)) return 'is no address'
  if (!isProtectedAddress(issuer)) return 'is not https'
  if (/[?#]/.test(issuer)) return 'has a query or a fragment'
  return undefined
}

/** @throws OAuthError where no authorization server can be used */
function issuersIn(list: unknown): { issuers: string[]; checks: Check[] } {
  const rule = 'MCP 2026-07-28 Discovery §1'
  if (!Array.isArray(list) || list.length === 0) {
    throw new OAuthError('invalid_metadata', {
      description: `authorization_servers of the metadata is ${Array.isArray(list) ? 'empty' : shown(list)}`,
      rule,
    })
  }
  const named = list.slice(0, MAX_ITEMS).filter(each => typeof each === 'string')
  const problems = named.flatMap(each => {
    const problem = issuerProblem(each)
    return problem === undefined ? [] : [`${each} ${problem}`]
  })
  const issuers = named.filter(each => issuerProblem(each) === undefined)
  if (issuers.length === 0) {
    throw new OAuthError('invalid_metadata', {
      description: `no authorization server of the metadata can be used: ${problems.join('; ') || 'none is a string'}`,
      rule,
    })
  }
  return {
    issuers,
    checks: [
      check('authorization_servers', true, rule, issuers.join(', ')),
      ...problems.map(each => advice('authorization_servers', false, 'RFC 8414 §2', `left out: ${each}`)),
    ],
  }
}

function scopesIn(list: unknown): { scopes?: string[]; checks: Check[] } {
  if (list === undefined) return { checks: [] }
  const rule = 'RFC 9728 §2'
  const names = Array.isArray(list) ? list.slice(0, MAX_ITEMS) : undefined
  const good = names?.every(each => typeof each === 'string' && parseScope(each)?.length === 1)
  if (names === undefined || !good) {
    return { checks: [advice('scopes_supported', false, rule, 'no list of scopes; it is left out')] }
  }
  const scopes = names as string[]
  const checks = scopes.includes('offline_access')
    ? [
        advice(
          'scopes_supported',
          false,
          'MCP 2026-07-28 Authorization §10',
          'has offline_access, which is no requirement of a resource',
        ),
      ]
    : []
  return { scopes, checks }
}

/** Undefined for an answer that may be a document. */
function noDocument({ request, response }: Exchange): string | undefined {
  const status = response?.status ?? 0
  if (status === 200) return undefined
  const to = response && header(response, 'location')
  const redirect = status >= 300 && status < 400 && to !== undefined
  return `${request.url} answered ${status}${redirect ? `, a redirect to ${to}, which is not followed` : ''}`
}

/**
 * Reads the metadata of an MCP server (RFC 9728 §3.3).
 * @throws OAuthError `invalid_metadata`, `invalid_response`, `resource_mismatch`
 */
export function readResourceDocument(
  exchange: Exchange,
  url: string,
  place: MetadataPlace,
): ResourceDocument {
  const missing = noDocument(exchange)
  if (missing !== undefined) {
    throw new OAuthError('invalid_metadata', { description: missing, rule: 'RFC 9728 §3.2' })
  }
  const members = jsonObject(exchange, 'the metadata address', 'RFC 9728 §3.2')
  const same = resourceCheck(members.resource, url, place)
  const { issuers, checks } = issuersIn(members.authorization_servers)
  const { scopes, checks: about } = scopesIn(members.scopes_supported)
  const methods = members.bearer_methods_supported
  const header = methods === undefined || (Array.isArray(methods) && methods.includes('header'))
  return {
    resource: members.resource as string,
    issuers,
    ...(scopes !== undefined && { scopes }),
    checks: [
      same,
      ...checks,
      ...about,
      ...(header
        ? []
        : [
            advice(
              'bearer_methods_supported',
              false,
              'MCP 2026-07-28 Authorization §9.1',
              'leaves out header, the one way for tokens here',
            ),
          ]),
    ],
  }
}
