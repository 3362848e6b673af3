import { isUrl } from '../http/address.js'
import { encodeForm } from '../http/form.js'
import type { Citation } from '../rules/rule.js'

declare const verified: unique symbol

/** A redirect_uri that matches a registered one. Only `matchRedirectUri` makes one. */
export type VerifiedRedirectUri = string & { readonly [verified]: true }

/** The reason to refuse a redirect_uri. The error is shown, never redirected (RFC 6749 §4.1.2.1). */
export interface RedirectUriProblem {
  readonly problem: string
  readonly rule: Citation
}

/** Schemes whose URLs a user agent runs or opens locally, instead of sending a request. */
const runnableSchemes = new Set(['javascript', 'data', 'vbscript', 'blob', 'about', 'file', 'view-source'])

/** Hosts to which plain http is safe, because it never leaves the computer. */
const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * Returns the problem of a redirect_uri, registered or not; undefined when it is valid. It must be absolute, without a
 * fragment (RFC 6749 §3.1.2), without user information, and not have the scheme of a script or of data. Plain http is
 * for this computer alone (RFC 9700 §2.6).
 */
export function redirectUriProblem(uri: string): RedirectUriProblem | undefined {
  const syntax = 'RFC 6749 §3.1.2'
  if (!/^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/.test(uri)) {
    return { problem: 'it has a character that no URI may hold', rule: 'RFC 3986 §2' }
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase()
  if (scheme === undefined || !isUrl(uri)) return { problem: 'it is not an absolute URI', rule: syntax }
  if (uri.includes('#')) return { problem: 'it has a fragment', rule: syntax }
  if (runnableSchemes.has(scheme)) {
    return { problem: `the scheme ${scheme}: is not an address to return to`, rule: 'RFC 9700 §4.1.3' }
  }
  if (scheme === 'http' || scheme === 'https') {
    if (!/^https?:\/\/[^/?]/i.test(uri)) return { problem: 'it has no host', rule: syntax }
  }
  if (/^[^/?]*:\/\/[^/?]*@/.test(uri)) return { problem: 'it has user information', rule: 'RFC 9700 §4.1.3' }
  if (scheme === 'http' && !loopbackHosts.has(new URL(uri).hostname)) {
    return {
      problem: 'plain http is only for 127.0.0.1, [::1] and localhost; use https for any other host',
      rule: 'RFC 9700 §2.6',
    }
  }
  return undefined
}

/** The rules by which an address of a client is compared. */
export interface RedirectUriRules {
  /**
   * True when `http://localhost` matches with any port, as the loopback literals do. RFC 9700 §4.1.3 allows it for native
   * applications. RFC 8252 §8.3 prefers the literals: a computer may resolve the name to another address.
   */
  readonly anyLocalhostPort: boolean
}

const LITERALS_ONLY: RedirectUriRules = { anyLocalhostPort: false }

// An http loopback address: a host of this computer, an optional port, then path and query.
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?(?=[/?]|$)(.*)$/

/**
 * Splits an http address that matches with any port: a loopback literal (RFC 8252 §7.3), and `localhost` where the rules
 * allow it. Returns undefined for any other address.
 */
export function parseLoopback(
  uri: string,
  { anyLocalhostPort }: RedirectUriRules = LITERALS_ONLY,
): { base: string; port: number | undefined; rest: string } | undefined {
  const found = loopback.exec(uri)
  if (!found || (found[1] === 'http://localhost' && !anyLocalhostPort)) return undefined
  const port = found[2] === undefined ? undefined : Number(found[2])
  if (port !== undefined && port > 65535) return undefined
  return { base: found[1]!, port, rest: found[3] ?? '' }
}

/** True for equal strings, and for loopback addresses that differ only in the port. */
function matches(requested: string, registered: string, rules: RedirectUriRules): boolean {
  if (requested === registered) return true
  const a = parseLoopback(requested, rules)
  const b = parseLoopback(registered, rules)
  return a !== undefined && b !== undefined && a.base === b.base && a.rest === b.rest
}

const UNREGISTERED = 'it is not one of the registered addresses'

/**
 * Returns the registered address that a redirect_uri matches. It may be missing when one address is registered (RFC
 * 6749 §3.1.2.3). Addresses are compared as strings (RFC 9700 §4.1.3), but loopback literals match with any port
 * (RFC 8252 §7.3), and `localhost` does where the rules allow it.
 */
export function matchRedirectUri(
  requested: string | undefined,
  registered: readonly string[],
  rules: RedirectUriRules = LITERALS_ONLY,
): VerifiedRedirectUri | RedirectUriProblem {
  if (requested === undefined) {
    const only = registered[0]
    if (registered.length !== 1 || only === undefined) {
      return {
        problem:
          registered.length === 0
            ? 'this client has no registered redirect_uri'
            : 'redirect_uri is missing, and this client has several registered',
        rule: 'RFC 6749 §3.1.2.3',
      }
    }
    return redirectUriProblem(only) ?? (only as VerifiedRedirectUri)
  }
  const problem = redirectUriProblem(requested)
  if (problem) return problem
  if (registered.some(each => matches(requested, each, rules))) return requested as VerifiedRedirectUri
  return { problem: UNREGISTERED, rule: 'RFC 9700 §4.1.3' }
}

/** Parameters to add to an address. Undefined values are left out. */
export type ResponsePairs = Iterable<readonly [name: string, value: string | undefined]>

/** Adds parameters to the query of an address, and keeps the existing ones (RFC 6749 §4.1.2). */
export function withQuery(uri: VerifiedRedirectUri, pairs: ResponsePairs): string {
  const added = encodeForm(pairs)
  if (added === '') return uri
  const mark = uri.indexOf('?')
  if (mark < 0) return `${uri}?${added}`
  return /[?&]$/.test(uri) ? `${uri}${added}` : `${uri}&${added}`
}

/** Adds parameters to an address as its fragment (RFC 6749 §4.2.2). */
export function withFragment(uri: VerifiedRedirectUri, pairs: ResponsePairs): string {
  return `${uri}#${encodeForm(pairs)}`
}

/** A part of an address. `case` and `slash`: the addresses differ in capitals, or in the slash at the end of the path. */
export type AddressPart = 'scheme' | 'host' | 'port' | 'path' | 'query' | 'case' | 'slash'

/** A part in which two addresses differ, with both texts. */
interface PartDifference {
  readonly part: AddressPart
  readonly sent: string
  readonly registered: string
}

/** The registered address that comes closest to the sent one, and the parts in which the two differ. */
interface AddressDifference {
  readonly closest: string
  readonly differences: readonly PartDifference[]
}

/** The parts of an address, byte for byte. A parser of URLs would hide differences that count here. */
function split(uri: string) {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^([^:/?]*):(?:\/\/([^/?]*))?([^?]*)(.*)$/s.exec(uri) ?? []
  const [, host = authority, port = ''] = /^(.*?)(?::(\d*))?$/s.exec(authority) ?? []
  return { scheme, host, port, path, query }
}

/** How much a difference counts: another host is further away than another port. */
const WEIGHTS: Readonly<Record<AddressPart, number>> = {
  host: 8,
  scheme: 4,
  path: 3,
  query: 2,
  port: 2,
  slash: 1,
  case: 1,
}

function kindOf(part: AddressPart, sent: string, registered: string): AddressPart {
  if (sent.toLowerCase() === registered.toLowerCase()) return 'case'
  return part === 'path' && sent.replace(/\/$/, '') === registered.replace(/\/$/, '') ? 'slash' : part
}

function differencesOf(sent: string, registered: string, rules: RedirectUriRules): PartDifference[] {
  const [a, b] = [split(sent), split(registered)]
  const anyPort = parseLoopback(registered, rules) !== undefined
  return (['scheme', 'host', 'port', 'path', 'query'] as const)
    .filter(part => a[part] !== b[part] && !(part === 'port' && anyPort))
    .map(part => ({ part: kindOf(part, a[part], b[part]), sent: a[part], registered: b[part] }))
}

/** Compares an address that matches none of the registered ones with the closest. Undefined: none is registered. */
export function compareRedirectUri(
  sent: string,
  registered: readonly string[],
  rules: RedirectUriRules,
): AddressDifference | undefined {
  const distance = (differences: readonly PartDifference[]) =>
    differences.reduce((sum, { part }) => sum + WEIGHTS[part], 0)
  return registered
    .map(closest => ({ closest, differences: differencesOf(sent, closest, rules) }))
    .sort((a, b) => distance(a.differences) - distance(b.differences))[0]
}

/** The parts of an address, for people. */
export const PART_NAMES: Readonly<Record<AddressPart, string>> = {
  scheme: 'the scheme',
  host: 'the host',
  port: 'the port',
  path: 'the path',
  query: 'the query',
  case: 'capitals and small letters',
  slash: 'the slash at the end of the path',
}

/** Describes a difference for a person, such as `the port: 9876, registered is 80`. */
export function describeDifference({ part, sent, registered }: PartDifference): string {
  const text = (value: string) => (value === '' ? 'none' : value)
  return `${PART_NAMES[part]}: ${text(sent)}, registered is ${text(registered)}`
}

/** Hosts of this computer, where plain http leaves nothing unprotected. */
export const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Returns the problem of an address that a client registers for messages of the server; undefined when it is valid. */
export function messageUriProblem(uri: string): string | undefined {
  if (!isUrl(uri)) return 'it is not an absolute URI'
  const { protocol, username, password, hostname } = new URL(uri)
  if (uri.includes('#')) return 'it has a fragment'
  if (username !== '' || password !== '') return 'it has user information'
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))) return undefined
  return 'it is not https; plain http is for 127.0.0.1, [::1] and localhost'
}
