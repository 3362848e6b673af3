import type { MacCredentials } from '../../protocol/oauth/mac.js'
import type { TokenResponse } from '../../protocol/oauth/token.js'
import type { DpopKey } from '../../protocol/tokens/dpop.js'
import type { JwkSet } from '../../protocol/tokens/keys.js'

/** The values that an access token can be forged from. */
export interface Presentable {
  readonly endpoint: string
  readonly tokens: Pick<TokenResponse, 'access_token' | 'id_token'>
  readonly keys?: JwkSet
  /** The clock of the client, in milliseconds since the epoch. */
  readonly now: () => number
  /** The nonce that the server wants in a proof (RFC 9449 §9), once it asked for it. */
  readonly nonce?: string
  /** The key of a token of type `mac`. */
  readonly mac?: MacCredentials
  /** The key that the token is bound to. */
  readonly dpop?: DpopKey
}
