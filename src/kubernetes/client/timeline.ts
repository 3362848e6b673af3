import type { ServiceAccountToken } from './service-account-token.js'

/** A moment in the life of a token. */
export interface Moment {
  readonly name: 'iat' | 'renewal' | 'warnafter' | 'exp' | 'leeway'
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly meaning: string
}

/** The kubelet renews at this part of the lifetime, but at least once a day. */
const RENEWAL = 0.8
const LONGEST_UNTIL_RENEWAL = 86_400

/** Seconds that an API server allows clocks to differ. */
export const LEEWAY = 60

/** Seconds from `iat` until the kubelet asks for a new token, its jitter of up to 10 s left aside. */
export function secondsUntilRenewal(lifetime: number): number {
  return Math.min(lifetime * RENEWAL, LONGEST_UNTIL_RENEWAL)
}

/** The moments of a token's life in their order; without those that it does not name. */
export function timeline({ issuedAt, expires, warnAfter }: ServiceAccountToken): Moment[] {
  const moments: Moment[] = []
  const add = (name: Moment['name'], seconds: number, meaning: string) =>
    moments.push({ name, at: Math.round(seconds * 1000), meaning })
  if (issuedAt !== undefined) add('iat', issuedAt, 'issued')
  // A pod's token for the API server lives a year longer than its owner thinks; it is renewed by `warnafter`.
  const end = warnAfter ?? expires
  if (issuedAt !== undefined && end !== undefined && end > issuedAt) {
    add('renewal', issuedAt + secondsUntilRenewal(end - issuedAt), 'the kubelet renews it')
  }
  if (warnAfter !== undefined)
    add('warnafter', warnAfter, 'should have been renewed; uses are logged as stale')
  if (expires !== undefined) {
    add('exp', expires, 'expires')
    add('leeway', expires + LEEWAY, 'last moment an API server accepts it')
  }
  return moments.sort((a, b) => a.at - b.at)
}
