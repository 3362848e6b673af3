import { createExpiringMap } from '../stores/expiring-map.js'

/** A code as the interface specification records it. */
export interface ReferenceCode {
  readonly username: string
  readonly client_id: string
  readonly response_type: 'code'
  readonly redirect_uri: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Codes that are good for ever, as often as one likes. */
export interface ReferenceCodes {
  issue(record: ReferenceCode): string
  find(code: string): ReferenceCode | undefined
}

/** Largest number of remembered codes: the one limit that even this profile has. */
const MAX_CODES = 10_000

/** @param random the server's source of randomness */
export function createReferenceCodes(
  random: (length: number) => Uint8Array,
  now: () => number,
): ReferenceCodes {
  const codes = createExpiringMap<ReferenceCode>({
    lifetime: Number.POSITIVE_INFINITY,
    limit: MAX_CODES,
    now,
  })
  return {
    issue(record) {
      const code = Buffer.from(random(32)).toString('base64url')
      codes.set(code, record)
      return code
    },
    find: code => codes.get(code),
  }
}
