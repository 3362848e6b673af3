import { createKeptMap, ownerOf } from '../../../protocol/bounded-maps.js'
import type { AuthorizationDetails } from '../../../protocol/oauth/authorization-details.js'
import type { Authentication } from '../logins/authentication.js'
import type { BrowserSession, Family } from '../model.js'
import type { Challenge } from '../parameters/challenge.js'
import type { RequestedClaims } from '../parameters/claims-request.js'
import type { ResponseType } from '../parameters/response-type.js'
import { tooFull } from './issued-tokens.js'

/** The grant behind an authorization code (interface specification, Authorization code record). */
export interface CodeRecord extends Authentication {
  readonly username: string
  readonly client_id: string
  readonly response_type: ResponseType
  readonly redirect_uri: string
  /** True when the authorization request had a redirect_uri. The token request must repeat it then (RFC 6749 §4.1.3). */
  readonly redirectUriSent: boolean
  readonly scope: readonly string[]
  readonly nonce?: string | undefined
  readonly challenge?: Challenge | undefined
  /** Resources of the access token, as the authorization request named them (RFC 8707). */
  readonly resources: readonly string[]
  /** Claims that the authorization request asked for one by one. */
  readonly claims?: RequestedClaims | undefined
  /** Authorization details that the user granted (RFC 9396 §7). */
  readonly details?: AuthorizationDetails | undefined
  /** Thumbprint of the key that the token request must prove (RFC 9449 §10). */
  readonly dpopJkt?: string | undefined
  /** Time of issue, in milliseconds since the epoch. */
  readonly at: number
  /** Milliseconds. Absent: the usual one. */
  readonly lifetime?: number
  /** The session of the browser. */
  readonly session?: BrowserSession | undefined
}

/** A redeemed code. The server keeps it to recognise a replay. */
export interface RedeemedCode {
  readonly state: 'redeemed'
  readonly client_id: string
  readonly username: string
  /** The tokens that the code was redeemed for. */
  readonly family: Family
}

/** The state of a code: issued or redeemed. An issued code expires by the clock, which `hasExpired` checks. */
type CodeState = { readonly state: 'issued'; readonly record: CodeRecord } | RedeemedCode

/** Authorization codes in memory. */
export interface Codes {
  /**
   * Makes a code. Its place is its own until the tokens that it is redeemed for have ended, so that a replay is always
   * recognised.
   * @throws OAuthError `temporarily_unavailable` when the user has too many at the client
   */
  issue(record: CodeRecord): string
  find(code: string): CodeState | undefined
  hasExpired(record: CodeRecord): boolean
  redeem(code: string, record: CodeRecord, family: Family): void
  readonly lifetime: number
  readonly size: number
}

/** Most codes of a user at a client, issued and redeemed. */
export const MAX_CODES = 100_000

/** Most bytes of them. */
const MAX_BYTES = 96 * 1024 * 1024

/** @param options.retention lifetime of tokens issued for a code, in milliseconds; a replay is recognised that long */
export function createCodes(options: {
  readonly lifetime: number
  readonly retention: number
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): Codes {
  const { lifetime, retention, now, random } = options
  const endOf = (record: CodeRecord) => record.at + (record.lifetime ?? lifetime)
  const holderOf = ({ client_id, username }: CodeRecord) => ownerOf(client_id, username)
  const codes = createKeptMap<CodeState>({ limit: MAX_CODES, maxBytes: MAX_BYTES, now })
  return {
    issue(record) {
      const code = Buffer.from(random(32)).toString('base64url')
      if (!codes.set(code, { state: 'issued', record }, holderOf(record), endOf(record))) throw tooFull()
      return code
    },
    find: code => codes.get(code),
    hasExpired: record => now() >= endOf(record),
    redeem(code, record, family) {
      const { client_id, username } = record
      const redeemed = { state: 'redeemed', client_id, username, family } as const
      // It is not larger than the record that it replaces, so it fits.
      if (!codes.set(code, redeemed, holderOf(record), now() + retention)) throw tooFull()
    },
    lifetime,
    get size() {
      return codes.size
    },
  }
}
