import { type DecodedJwt, decodeJwt, TokenFormatError } from '../../protocol/tokens/decode.js'

/** Decodes a text where it is a JWT. Undefined for any other text, and for an encrypted one. */
export function readJwt(text: string | undefined): DecodedJwt | undefined {
  if (text === undefined) return undefined
  try {
    return decodeJwt(text)
  } catch (error) {
    if (error instanceof TokenFormatError) return undefined
    throw error
  }
}
