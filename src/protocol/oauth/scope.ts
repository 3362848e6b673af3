// scope-token = 1*( %x21 / %x23-5B / %x5D-7E )   RFC 6749 §3.3
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** Returns the tokens of a scope value, without duplicates, in order; undefined for a malformed value (RFC 6749 §3.3). */
export function parseScope(value: string): string[] | undefined {
  const tokens = value.split(' ').filter(token => token !== '')
  return tokens.every(token => scopeToken.test(token)) ? [...new Set(tokens)] : undefined
}

/** Writes a scope value. */
export function formatScope(tokens: readonly string[]): string {
  return tokens.join(' ')
}

/** True when two lists have the same tokens, in any order. */
export function sameScope(a: readonly string[], b: readonly string[]): boolean {
  return a.every(token => b.includes(token)) && b.every(token => a.includes(token))
}

/** An http or https URL whose path is a single slash. */
const BARE_ORIGIN = /^(https?:\/\/[^/?#]+)\/$/i

/**
 * Returns a resource identifier without the slash of an empty path, for comparisons. `new URL(x).href` adds this slash,
 * so clients send `https://localhost:8444/` for `https://localhost:8444`, which are equivalent (RFC 3986 §6.2.3).
 */
function withoutBareSlash(identifier: string): string {
  return BARE_ORIGIN.exec(identifier)?.[1] ?? identifier
}

/** True when two resource identifiers (RFC 8707 §2, RFC 9728 §1.2) name the same resource. */
export function sameResource(a: string, b: string): boolean {
  return a === b || withoutBareSlash(a) === withoutBareSlash(b)
}

const PREFIX = 'urn:ietf:params:oauth:token-type:'

/** The registered token types by their short names (RFC 8693 §3, Identity Assertion Authorization Grant §3). */
const NAMES = ['access_token', 'refresh_token', 'id_token', 'saml1', 'saml2', 'jwt', 'id-jag'] as const

/** The short name of a token type. */
type TokenTypeName = (typeof NAMES)[number]

/** The token type URI of a short name (RFC 8693 §3). */
export const tokenTypeUri = (name: TokenTypeName): string => `${PREFIX}${name}`

/** Returns the token type of a short name or of a URI; undefined for anything else. */
export function readTokenType(given: string): string | undefined {
  const name = NAMES.find(each => each === given)
  if (name !== undefined) return tokenTypeUri(name)
  return /^[A-Za-z][A-Za-z0-9+.-]*:[\x21-\x7e]+$/.test(given) ? given : undefined
}

/** The short names, as help texts list them. */
export const tokenTypeNames: string = NAMES.join(', ')
