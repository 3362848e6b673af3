import type { ServiceAccountToken } from './service-account-token.js'

/** A moment in the life of a token. */
export interface Moment {
  readonly name: 'iat' | 'renewal' | 'warnafter' | 'exp' | 'leeway'
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly meaning: string
}

/** The part of the lifetime after which the kubelet renews a token. It renews at least once a day. */
const RENEWAL = 0.8
const LONGEST_UNTIL_RENEWAL = 86_400

/** The seconds by which an API server allows clocks to differ. */
export const LEEWAY = 60

/** Returns the seconds from `iat` until the kubelet requests a new token, without its jitter of up to 10 s. */
export function secondsUntilRenewal(lifetime: number): number {
  return Math.min(lifetime * RENEWAL, LONGEST_UNTIL_RENEWAL)
}

/** Returns the moments of a token's life in order. Moments that the token does not name are left out. */
export function timeline({ issuedAt, expires, warnAfter }: ServiceAccountToken): Moment[] {
  const moments: Moment[] = []
  const add = (name: Moment['name'], seconds: number, meaning: string) =>
    moments.push({ name, at: Math.round(seconds * 1000), meaning })
  if (issuedAt !== undefined) add('iat', issuedAt, 'issued')
  // The API server extends a pod's token for itself by a year. The kubelet renews the token by `warnafter`.
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
