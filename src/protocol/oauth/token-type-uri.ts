const PREFIX = 'urn:ietf:params:oauth:token-type:'

/** The registered token types by their short names (RFC 8693 §3, Identity Assertion Authorization Grant §3). */
const NAMES = ['access_token', 'refresh_token', 'id_token', 'saml1', 'saml2', 'jwt', 'id-jag'] as const

/** The short name of a token type. */
export type TokenTypeName = (typeof NAMES)[number]

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
