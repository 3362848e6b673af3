import { decodeJwt, TokenFormatError } from '../../../protocol/tokens/decode.js'
import type { Keyring } from '../../../protocol/tokens/keys.js'
import { verifyJwt } from '../../../protocol/tokens/verify.js'
import type { Subjects } from '../pairwise/subjects.js'
import type { Registry } from '../stores/registry.js'
import { idTokenVerificationKeys } from './id-token-key.js'

/** The user and the clients of an id_token of this server. */
export interface HintedLogin {
  /** The username. */
  readonly subject: string
  /** Ids of the clients that the id_token was issued to. */
  readonly audience: readonly unknown[]
}

/** The parts that verify hints. */
export interface HintParts {
  readonly issuer: string
  readonly keyring: Keyring
  readonly registry: Registry
  readonly subjects: Subjects
  readonly now: () => number
}

/**
 * Reads an id_token_hint. Undefined when this server did not issue it as an id_token. An expired id_token is accepted
 * (OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2).
 */
export async function readIdTokenHint(hint: string, parts: HintParts): Promise<HintedLogin | undefined> {
  const verdict = await verified(hint, parts)
  if (verdict?.checks.every(each => each.ok || each.name === 'exp') !== true) return undefined
  const { sub, aud, auth_time: authTime, scope } = verdict.token.claims
  // Refuse access tokens: their signature is the same, but others than the client see them.
  if (typeof sub !== 'string' || authTime === undefined || scope !== undefined) return undefined
  const client = typeof aud === 'string' ? parts.registry.client(aud) : undefined
  const subject = await parts.subjects.subjectOf(client, sub)
  return subject === undefined ? undefined : { subject, audience: Array.isArray(aud) ? aud : [aud] }
}

async function verified(hint: string, { issuer, keyring, registry, now }: HintParts) {
  try {
    const { aud } = decodeJwt(hint).claims
    const keys = idTokenVerificationKeys(keyring, typeof aud === 'string' ? registry.client(aud) : undefined)
    return keys && (await verifyJwt(hint, keys, { issuer, now: now() }))
  } catch (error) {
    if (error instanceof TokenFormatError) return undefined
    throw error
  }
}
