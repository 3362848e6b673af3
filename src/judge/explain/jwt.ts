import { type DecodedJwt, decodeIfJwt } from '../../protocol/tokens/decode.js'

/** Decodes a text where it is a JWT. Undefined for any other text, and for an encrypted one. */
export const readJwt = (text: string | undefined): DecodedJwt | undefined =>
  text === undefined ? undefined : decodeIfJwt(text)
