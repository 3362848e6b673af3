/** Below the ports that systems hand out (Linux: from 32768). */
const FIRST = 20_000

const SEEDS = 1000

/** Ports are part of addresses, and so of tokens: free ports would differ in every run. */
export interface SeededPorts {
  readonly authorization: number
  readonly resource: number
  /** Of the redirect_uri. */
  readonly callback: number
}

/** Sets the port of a loopback redirect_uri that asks for any (RFC 8252 §7.3). */
export function onSeededPort(redirectUri: string, seed: number): string {
  const { callback } = seededPorts(seed)
  return redirectUri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):0(?=[/?]|$)/, `$1:${callback}`)
}

export function seededPorts(seed: number): SeededPorts {
  const authorization = FIRST + 10 * (seed % SEEDS)
  return { authorization, resource: authorization + 1, callback: authorization + 2 }
}
