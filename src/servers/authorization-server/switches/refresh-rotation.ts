import { type Client, isConfidential } from '../../../protocol/oauth/client.js'
import type { Binding } from '../model.js'

/**
 * Time in which a client may repeat a refresh request whose answer it lost, in milliseconds. FAPI 2.0 Security Profile §5.3.2.1-9
 * allows rotation only with such a time, and names no length. A client whose request timed out waits half a minute before it tries
 * again, as the module `refresh-token` of the OpenID Foundation's suite does. The time adds no risk, because the repeated request
 * proves the same key.
 */
const REPEAT_TIME = 45_000

/**
 * True when a refresh token is replaced at its use (RFC 9700 §4.14.2). Without rotation, nobody notices the theft of a token
 * that anyone may use, so such a token is replaced whatever the registration says.
 * @param binding of the refresh token
 */
export function rotates(client: Client, binding: Binding): boolean {
  if (client.refresh_token_rotation !== 'off') return true
  return !isConfidential(client) && binding.kind === 'bearer'
}

/** True for the same key or certificate. Two bearers are not known to be the same. */
function sameKey(one: Binding, other: Binding): boolean {
  if (one.kind === 'dpop') return other.kind === 'dpop' && other.jkt === one.jkt
  if (one.kind === 'certificate') return other.kind === 'certificate' && other.thumbprint === one.thumbprint
  return false
}

/** The use that replaced the refresh token of a line last. */
export interface LatestUse {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The key or certificate of that request. */
  readonly binding: Binding
}

/**
 * True when a request repeats the latest use of a spent refresh token, because its answer was lost. It proves the same key,
 * which a thief of the token lacks. Without a key the thief looks like the client, so there is no second answer.
 */
export function repeatsUse(latest: LatestUse | undefined, binding: Binding, now: number): boolean {
  return latest !== undefined && now - latest.at < REPEAT_TIME && sameKey(latest.binding, binding)
}
