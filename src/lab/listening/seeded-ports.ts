/** Ports below those that systems hand out by themselves (Linux: from 32768). */
const FIRST = 20_000

/** The number of seeds whose ports differ. */
const SEEDS = 1000

/** The ports of a run with a seed. They are part of addresses, and so of tokens: free ports would differ in every run. */
export interface SeededPorts {
  readonly authorization: number
  readonly resource: number
  /** The port of the redirect_uri. */
  readonly callback: number
}

/** Returns a loopback redirect_uri on the port of the seed, where it asks for any free port (RFC 8252 §7.3). */
export function onSeededPort(redirectUri: string, seed: number): string {
  const { callback } = seededPorts(seed)
  return redirectUri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):0(?=[/?]|$)/, `$1:${callback}`)
}

/** Returns the ports of a seed. */
export function seededPorts(seed: number): SeededPorts {
  const authorization = FIRST + 10 * (seed % SEEDS)
  return { authorization, resource: authorization + 1, callback: authorization + 2 }
}
