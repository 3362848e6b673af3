import type { Outcome } from '../flows/step.js'
import { decodeJwt, TokenFormatError } from '../tokens/decode.js'

/** What a granted token says, for one line. Members that an opaque token hides are absent. */
export interface TokenSummary {
  readonly subject?: string
  /** Milliseconds since the epoch. */
  readonly expires?: number
}

function claimsOf(token: string | undefined): Readonly<Record<string, unknown>> {
  if (token === undefined) return {}
  try {
    return decodeJwt(token).claims
  } catch (error) {
    if (error instanceof TokenFormatError) return {}
    throw error
  }
}

/** Reads whose token it is, and until when; from the id_token where the access token is opaque. */
export function summarize(tokens: NonNullable<Outcome['tokens']>): TokenSummary {
  const access = claimsOf(tokens.access_token)
  const subject = access.sub ?? claimsOf(tokens.id_token).sub
  const expires = typeof access.exp === 'number' ? access.exp * 1000 : Number.NaN
  return {
    ...(typeof subject === 'string' && { subject }),
    ...(Math.abs(expires) <= 8.64e15 && { expires }),
  }
}
