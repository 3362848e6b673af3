import { encodeForm } from '../http/form.js'

declare const verified: unique symbol

/** A redirect_uri that was compared with the client's registered ones. Only `matchRedirectUri` makes one. */
export type VerifiedRedirectUri = string & { readonly [verified]: true }

/** Why a redirect_uri may not be used. Such an error is shown, never redirected (RFC 6749 §4.1.2.1). */
export interface RedirectUriProblem {
  readonly problem: string
  readonly rule: string
}

/** Schemes that a user agent would run instead of visit. */
const runnableSchemes = new Set(['javascript', 'data', 'vbscript', 'blob', 'about', 'file', 'view-source'])

/**
 * The problem of a redirect_uri as an address, regardless of registrations; undefined when it is valid. It must be
 * absolute, without a fragment (RFC 6749 §3.1.2), user information, or a scheme of script or data.
 */
export function redirectUriProblem(uri: string): RedirectUriProblem | undefined {
  const syntax = 'RFC 6749 §3.1.2'
  if (!/^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/.test(uri)) {
    return { problem: 'it has a character that no URI may hold', rule: 'RFC 3986 §2' }
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase()
  if (scheme === undefined || !URL.canParse(uri))
    return { problem: 'it is not an absolute URI', rule: syntax }
  if (uri.includes('#')) return { problem: 'it has a fragment', rule: syntax }
  if (runnableSchemes.has(scheme)) {
    return { problem: `the scheme ${scheme}: is not an address to return to`, rule: 'RFC 9700 §4.1.3' }
  }
  if (scheme === 'http' || scheme === 'https') {
    if (!/^https?:\/\/[^/?]/i.test(uri)) return { problem: 'it has no host', rule: syntax }
  }
  if (/^[^/?]*:\/\/[^/?]*@/.test(uri)) return { problem: 'it has user information', rule: 'RFC 9700 §4.1.3' }
  return undefined
}

// An http loopback address: the literals of RFC 8252 §7.3 with an optional port, then the rest.
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::(\d{1,5}))?(?=[/?]|$)(.*)$/

/** The parts of an http loopback redirect_uri (RFC 8252 §7.3); undefined for any other address. */
export function parseLoopback(
  uri: string,
): { base: string; port: number | undefined; rest: string } | undefined {
  const found = loopback.exec(uri)
  if (!found) return undefined
  const port = found[2] === undefined ? undefined : Number(found[2])
  if (port !== undefined && port > 65535) return undefined
  return { base: found[1]!, port, rest: found[3] ?? '' }
}

/** Exact string, but any port for loopback literals, also where the registered one names a port. */
function matches(requested: string, registered: string): boolean {
  if (requested === registered) return true
  const a = parseLoopback(requested)
  const b = parseLoopback(registered)
  return a !== undefined && b !== undefined && a.base === b.base && a.rest === b.rest
}

/**
 * Finds the address to answer to. It may be left out when exactly one is registered (RFC 6749 §3.1.2.3).
 * Compared as a string (RFC 9700 §4.1.3); loopback literals match any port (RFC 8252 §7.3).
 */
export function matchRedirectUri(
  requested: string | undefined,
  registered: readonly string[],
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
  if (registered.some(each => matches(requested, each))) return requested as VerifiedRedirectUri
  return { problem: 'it is not one of the registered addresses', rule: 'RFC 9700 §4.1.3' }
}

/** Pairs to add to an address; undefined values are left out. */
export type ResponsePairs = Iterable<readonly [name: string, value: string | undefined]>

/** The address with parameters added to its query, the existing ones kept (RFC 6749 §4.1.2). */
export function withQuery(uri: VerifiedRedirectUri, pairs: ResponsePairs): string {
  const added = encodeForm(pairs)
  if (added === '') return uri
  const mark = uri.indexOf('?')
  if (mark < 0) return `${uri}?${added}`
  return /[?&]$/.test(uri) ? `${uri}${added}` : `${uri}&${added}`
}

/** The address with parameters in its fragment (RFC 6749 §4.2.2). */
export function withFragment(uri: VerifiedRedirectUri, pairs: ResponsePairs): string {
  return `${uri}#${encodeForm(pairs)}`
}
