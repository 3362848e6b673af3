import type { Challenge } from '../parameters/challenge.js'
import { createExpiringMap } from './expiring-map.js'
import type { Family } from './issued-tokens.js'

/** The authorization that a code stands for (interface specification, Authorization code record). */
export interface CodeRecord {
  readonly username: string
  readonly client_id: string
  readonly response_type: 'code'
  readonly redirect_uri: string
  /**
   * True when the authorization request named it; then the token request must repeat it (RFC 6749 §4.1.3).
   */
  readonly redirectUriSent: boolean
  readonly scope: readonly string[]
  readonly nonce?: string
  readonly challenge?: Challenge
  /** Resources the access token is for, as the request named them (RFC 8707). */
  readonly resources: readonly string[]
  /** Thumbprint of the key that the token request must prove (RFC 9449 §10). */
  readonly dpopJkt?: string
  /** When it was issued: milliseconds since the epoch. */
  readonly at: number
  /** When the user logged in, which a session remembers: milliseconds since the epoch. */
  readonly loginAt: number
}

/** A code that was redeemed. It is kept to recognise a replay. */
export interface RedeemedCode {
  readonly state: 'redeemed'
  readonly client_id: string
  readonly username: string
  /** The tokens that were issued for it. */
  readonly family: Family
}

/** A code in its life: issued, later redeemed. The clock at use decides if it has expired. */
export type CodeState = { readonly state: 'issued'; readonly record: CodeRecord } | RedeemedCode

/** Authorization codes in memory. */
export interface Codes {
  issue(record: CodeRecord): string
  find(code: string): CodeState | undefined
  hasExpired(record: CodeRecord): boolean
  /** Marks a code as redeemed. */
  redeem(code: string, record: CodeRecord, family: Family): void
  /** Of a code, in milliseconds. */
  readonly lifetime: number
  readonly size: number
}

/** Largest number of remembered codes. */
export const MAX_CODES = 10_000

/** @param options.retention how long tokens issued for a code live; a replay is recognised as long, in milliseconds */
export function createCodes(options: {
  readonly lifetime: number
  readonly retention: number
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): Codes {
  const { lifetime, retention, now, random } = options
  const codes = createExpiringMap<CodeState>({ lifetime: lifetime + retention, limit: MAX_CODES, now })
  return {
    issue(record) {
      const code = Buffer.from(random(32)).toString('base64url')
      codes.set(code, { state: 'issued', record })
      return code
    },
    find: code => codes.get(code),
    hasExpired: record => now() >= record.at + lifetime,
    redeem(code, { client_id, username }, family) {
      codes.set(code, { state: 'redeemed', client_id, username, family })
    },
    lifetime,
    get size() {
      return codes.size
    },
  }
}
