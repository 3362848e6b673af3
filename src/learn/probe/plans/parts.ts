import { type DecodedJwt, decodeJwt } from '../../../protocol/tokens/decode.js'
import type { Members, Observed, Plan } from '../model.js'

/** A member as a text; empty where it is missing or no text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The ID token of an answer; undefined where there is none, or an encrypted one, which only the client reads. */
export function readableIdToken({ id_token: token }: Members): DecodedJwt | undefined {
  return typeof token === 'string' && token.split('.').length === 3 ? decodeJwt(token) : undefined
}

/** The claims of the ID token of an answer; none where it cannot be read. */
export const idClaims = (members: Members): Readonly<Record<string, unknown>> =>
  readableIdToken(members)?.claims ?? {}

/** A right run: nothing is changed. */
export const RIGHT = {} as const

/**
 * The rule of probes about the answer to the authorization request. The client finished a right run when its code was
 * redeemed, and was fooled when it sent the code at all.
 */
export const byCode: Pick<Plan, 'finishes' | 'finished'> = {
  finishes: 'code',
  finished: ({ redeemed, tried }, wrong) => (wrong ? tried : redeemed),
}

/** The rule of probes about tokens: the client accepted them when it showed the access token, or ended without an error. */
export const byTokens: Pick<Plan, 'finishes' | 'finished'> = {
  finishes: 'end',
  finished: ({ endedWell, used }: Observed, wrong) => endedWell || (wrong && used),
}

/** The rule of probes about who logged in: the client ended without an error. */
export const byEnd: Pick<Plan, 'finishes' | 'finished'> = {
  finishes: 'end',
  finished: ({ endedWell, redeemed }) => endedWell && redeemed,
}
