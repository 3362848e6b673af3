import { type DecodedJwt, decodeJwt, TokenFormatError } from '../../protocol/tokens/decode.js'
import { givenToken } from '../jose/jwt-input.js'

/** Largest token that is read, in bytes: less than the 3 MiB that an API server accepts as a whole request. */
const MAX_TOKEN = 2 * 1024 * 1024

/**
 * Reads the token: the argument, the file of `@FILE`, or stdin for `-` and without an argument.
 * @throws UsageError
 */
export function readToken(argument: string | undefined): Promise<string> {
  const hints = ['Give it as an argument, as @FILE, or in a pipe']
  return givenToken(argument, { limit: MAX_TOKEN, hints })
}

/** Decodes a token. Undefined for a token that is no JWT, such as a static one. */
export function decodedIfJwt(token: string): DecodedJwt | undefined {
  try {
    return decodeJwt(token)
  } catch (error) {
    if (error instanceof TokenFormatError) return undefined
    throw error
  }
}
