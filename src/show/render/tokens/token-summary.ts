import type { Outcome } from '../../../flows/step.js'
import { type DecodedJwt, decodeJwt, TokenFormatError } from '../../../protocol/tokens/decode.js'
import { explainToken } from '../../../protocol/tokens/explain.js'

/** The content of a granted token, for one line. Members that an opaque token hides are absent. */
export interface TokenSummary {
  readonly subject?: string
  /** Milliseconds since the epoch. */
  readonly expires?: number
}

function decoded(token: string | undefined): DecodedJwt | undefined {
  if (token === undefined) return undefined
  try {
    return decodeJwt(token)
  } catch (error) {
    if (error instanceof TokenFormatError) return undefined
    throw error
  }
}

/** Reads whose token it is, and until when; from the id_token where the access token is opaque. */
export function summarize(tokens: NonNullable<Outcome['tokens']>): TokenSummary {
  const access = decoded(tokens.access_token)
  const subject = access?.claims.sub ?? decoded(tokens.id_token)?.claims.sub
  const time = access && explainToken(access).claims.find(({ name }) => name === 'exp')?.time
  return {
    ...(typeof subject === 'string' && { subject }),
    ...(time !== undefined && { expires: Date.parse(time) }),
  }
}
