import { insteadOfToken } from '../second-reading.js'
import { isDeeper, isJsonObject, type JsonObject, unless } from '../values.js'

/** A decoded JWT. Do not trust its content: no signature was verified. */
export interface DecodedJwt {
  readonly header: JsonObject
  readonly claims: JsonObject
  /** The three parts as they were written, base64url. */
  readonly parts: readonly [header: string, payload: string, signature: string]
}

/** The error for a text that is not a JWT. The message names the part and its problem. */
export class TokenFormatError extends Error {
  override name = 'TokenFormatError'
}

/** Longest token that is decoded, in characters. */
export const MAX_TOKEN_LENGTH = 1024 * 1024

/** Deepest nesting that is decoded, so that programs which print or walk a token cannot exhaust the stack. */
export const MAX_TOKEN_DEPTH = 64

const decoder = new TextDecoder('utf-8', { fatal: true })

function decodeObject(part: string, what: string): JsonObject {
  if (!/^[A-Za-z0-9_-]+$/.test(part) || part.length % 4 === 1) {
    throw new TokenFormatError(`the ${what} is not base64url without padding (RFC 7515 §2)`)
  }
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(Buffer.from(part, 'base64url')))
  } catch {
    throw new TokenFormatError(`the ${what} is not JSON in UTF-8 (RFC 7519 §7.2)`)
  }
  if (!isJsonObject(value)) {
    throw new TokenFormatError(`the ${what} is not a JSON object (RFC 7519 §7.2)`)
  }
  if (isDeeper(value, MAX_TOKEN_DEPTH))
    throw new TokenFormatError(`the ${what} is nested deeper than ${MAX_TOKEN_DEPTH}`)
  return value
}

/** True for a text with the five parts of a compact JWE (RFC 7516 §3.1). An SD-JWT has tildes, which no JWE has. */
export function isEncrypted(token: string): boolean {
  return !token.includes('~') && token.length <= MAX_TOKEN_LENGTH && token.split('.', 6).length === 5
}

/**
 * Decodes the header of an encrypted JWT. The claims are encrypted; only the holder of the key can read them.
 * @throws TokenFormatError
 */
export function decodeJweHeader(token: string): JsonObject {
  return decodeObject(token.split('.', 1)[0]!, 'header')
}

const COMPACT = /^eyJ[\w-]*(?:\.[\w-]*){2}(?:(?:\.[\w-]*){2})?$/

/** Returns the token that is the payload of a signed token: a nested JWT (RFC 7519 §5.2). Undefined for any other text. */
export function nestedToken(token: string): string | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined
  const [, payload = '', signature] = token.split('.')
  if (signature === undefined) return undefined
  const inside = Buffer.from(payload, 'base64url').toString('latin1')
  return COMPACT.test(inside) ? inside : undefined
}

/**
 * Decodes a compact JWT without verifying it.
 * @param refused makes the error for any other text; left out: TokenFormatError
 * @throws TokenFormatError, or what `refused` makes; the message also says what the text is instead, where that is known
 */
export function decodeJwt(
  token: string,
  refused: (problem: string) => Error = problem => new TokenFormatError(problem),
): DecodedJwt {
  try {
    return decodeParts(token)
  } catch (error) {
    if (!(error instanceof TokenFormatError)) throw error
    const instead = insteadOfToken(token)
    throw refused(instead === undefined ? error.message : `${error.message}; ${instead}`)
  }
}

/** Decodes a compact JWT; undefined for any other text, such as an opaque token. */
export const decodeIfJwt = (token: string): DecodedJwt | undefined =>
  unless(TokenFormatError, () => decodeParts(token))

function decodeParts(token: string): DecodedJwt {
  if (token.length > MAX_TOKEN_LENGTH) throw new TokenFormatError('the token is longer than 1 MiB')
  const parts = token.split('.')
  if (parts.length === 5) throw new TokenFormatError('five parts: this is an encrypted JWT (RFC 7516 §3.1)')
  if (parts.length !== 3) {
    throw new TokenFormatError(`a JWT has three parts with dots between them, this has ${parts.length}`)
  }
  const [header, payload, signature] = parts as [string, string, string]
  try {
    return {
      header: decodeObject(header, 'header'),
      claims: decodeObject(payload, 'payload'),
      parts: [header, payload, signature],
    }
  } catch (error) {
    if (nestedToken(token) === undefined) throw error
    throw new TokenFormatError('its payload is another token, and no claims (RFC 7519 §5.2)')
  }
}
