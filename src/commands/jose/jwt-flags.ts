import type { KeySource } from '../../session/tokens/token-keys.js'

/** Options of `jwt verify`, and of `jwt decode` where it has them. */
export interface JwtFlags extends KeySource {
  readonly audience?: string
  readonly nonce?: string
}
