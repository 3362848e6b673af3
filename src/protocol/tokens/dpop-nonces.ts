/** Nonces that a server hands out for DPoP proofs (RFC 9449 §8). */
export interface DpopNonces {
  /** The nonce to send in `DPoP-Nonce`. */
  current(): string
  /** True for the current nonce and for the one before it. */
  accepts(nonce: string): boolean
}

/** Time for which a nonce is handed out, in milliseconds. It is accepted for the same time again. */
export const DPOP_NONCE_LIFETIME = 5 * 60_000

/** Makes the nonces of a server. Two are in memory: the current one, and the one before it. */
export function createDpopNonces(ports: {
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
  /** Milliseconds. */
  readonly lifetime?: number
}): DpopNonces {
  const { now, random, lifetime = DPOP_NONCE_LIFETIME } = ports
  let latest: { readonly nonce: string; readonly since: number } | undefined
  let previous: string | undefined
  const turn = () => {
    const at = now()
    if (latest !== undefined && at < latest.since + lifetime) return latest.nonce
    previous = latest !== undefined && at < latest.since + 2 * lifetime ? latest.nonce : undefined
    latest = { nonce: Buffer.from(random(16)).toString('base64url'), since: at }
    return latest.nonce
  }
  return {
    current: turn,
    accepts: nonce => nonce === turn() || nonce === previous,
  }
}
