import type { JsonObject } from '../../../protocol/values.js'
import { readJwt } from '../jwt.js'
import type { Pseudonyms } from './pseudonyms.js'

/** Replaces a JSON value by its members' names. @param alg the algorithm by which the hashes in it are made */
type RedactJson = (value: unknown, name?: string, alg?: string) => unknown

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * Creates a function that replaces the personal claims and the signature of a JWT. Names of claims, issuer, audience, times and scopes
 * stay. It returns undefined for a text that is no token with a readable header.
 */
export function createTokenRedactor(
  pseudonym: Pseudonyms,
  json: RedactJson,
): (text: string) => string | undefined {
  /** Tokens inside of tokens end here, so that a crafted one cannot exhaust the stack. */
  let depth = 0

  function redactHeader(header: JsonObject): JsonObject {
    const { alg } = header
    return { ...(json(header) as JsonObject), ...(alg === undefined ? {} : { alg }) }
  }

  return function token(text) {
    if (depth > 4 || !/^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return undefined
    const jwt = readJwt(text)
    if (jwt === undefined) return undefined
    depth += 1
    try {
      const { header, claims, parts } = jwt
      const alg = typeof header.alg === 'string' ? header.alg : 'RS256'
      return `${encoded(redactHeader(header))}.${encoded(json(claims, '', alg))}.${pseudonym(parts[2])}`
    } finally {
      depth -= 1
    }
  }
}
