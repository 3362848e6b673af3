import { type DecodedJwt, decodeJwt } from '../../../protocol/tokens/decode.js'
import type { Members, Observed, Plan } from '../model.js'

/** Empty for anything but a text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Undefined for an encrypted token, which only the client reads. */
export function readableIdToken({ id_token: token }: Members): DecodedJwt | undefined {
  return typeof token === 'string' && token.split('.').length === 3 ? decodeJwt(token) : undefined
}

export const idClaims = (members: Members): Readonly<Record<string, unknown>> =>
  readableIdToken(members)?.claims ?? {}

export const RIGHT = {} as const

/** Of probes about the authorization response: a right run redeems the code, a fooled client sends it at all. */
export const byCode: Pick<Plan, 'finishes' | 'finished'> = {
  finishes: 'code',
  finished: ({ redeemed, tried }, wrong) => (wrong ? tried : redeemed),
}

/** Of probes about tokens: the client showed the access token, or ended without an error. */
export const byTokens: Pick<Plan, 'finishes' | 'finished'> = {
  finishes: 'end',
  finished: ({ endedWell, used }: Observed, wrong) => endedWell || (wrong && used),
}

/** Of probes about who logged in: the client ended without an error. */
export const byEnd: Pick<Plan, 'finishes' | 'finished'> = {
  finishes: 'end',
  finished: ({ endedWell, redeemed }) => endedWell && redeemed,
}
