import { createExpiringMap } from '../../../protocol/bounded-maps.js'

/** A code with the members that the interface specification lists. */
export interface ReferenceCode {
  readonly username: string
  readonly client_id: string
  readonly response_type: 'code'
  readonly redirect_uri: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Codes that never expire and can be redeemed any number of times. */
export interface ReferenceCodes {
  issue(record: ReferenceCode): string
  find(code: string): ReferenceCode | undefined
}

/** Most codes in memory. Without this limit, requests could exhaust the memory. */
const MAX_CODES = 10_000

/** Most bytes of them. */
const MAX_BYTES = 32 * 1024 * 1024

/** Makes an empty store of codes. */
export function createReferenceCodes(
  random: (length: number) => Uint8Array,
  now: () => number,
): ReferenceCodes {
  const codes = createExpiringMap<ReferenceCode>({
    lifetime: Number.POSITIVE_INFINITY,
    limit: MAX_CODES,
    maxBytes: MAX_BYTES,
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
