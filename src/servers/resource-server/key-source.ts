import { createPublicKey, type KeyObject } from 'node:crypto'
import { UsageError } from '../../protocol/errors.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import type { KeyForAlgorithm, VerificationKeys } from '../../protocol/tokens/keys.js'
import { KEY_KINDS, loadSharedSecret, signatureAlgorithms } from '../../protocol/tokens/keys.js'
import type { Context } from './events.js'
import type { KeySettings } from './settings.js'

/** A source of verification keys. A fetch publishes its events through the request that needed the keys. */
export interface KeySource {
  /**
   * Returns the keys to try first. `fresh` is true when a call of `newerThan` cannot bring newer keys: this call
   * fetched them, or they are configured.
   * @throws OAuthError `temporarily_unavailable`
   */
  current(
    request: HttpRequest,
    context: Context,
  ): Promise<{ readonly keys: VerificationKeys; readonly fresh: boolean }>
  /**
   * Returns newer keys for a token whose key is not in `seen`. Returns `seen` when it is too soon for another fetch.
   * @throws OAuthError `temporarily_unavailable`
   */
  newerThan(seen: VerificationKeys, request: HttpRequest, context: Context): Promise<VerificationKeys>
  /** Returns the origin of the keys; undefined before the first fetch. */
  origin(): KeyOrigin | undefined
}

/** The origin of the verification keys. `/resource` shows it to the client. */
export type KeyOrigin = 'configured' | { readonly jwks_uri: string; readonly fetched: string }

/**
 * Makes the source of keys from the settings instead of from the issuer.
 * @throws UsageError for a key that cannot be used
 */
export function configuredKeys(settings: Exclude<KeySettings, { kind: 'discovery' }>): KeySource {
  const keys = settings.kind === 'public-key' ? publicKey(settings.pem) : sharedSecret(settings.secret)
  return {
    current: async () => ({ keys: keys(), fresh: true }),
    newerThan: async () => keys(),
    origin: () => 'configured',
  }
}

/** Returns a function that parses the PEM, and parses it again after the PEM has changed. */
function publicKey(pem: string | (() => string)): () => VerificationKeys {
  const current = typeof pem === 'string' ? () => pem : pem
  let text = current()
  let keys = readPublicKey(text)
  return () => {
    if (text !== current()) {
      text = current()
      keys = readPublicKey(text)
    }
    return keys
  }
}

function sharedSecret(secret: string): () => VerificationKeys {
  try {
    const { secret: key, alg } = loadSharedSecret(secret)
    const keys: VerificationKeys = { kind: 'key', key, alg }
    return () => keys
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** A PEM block. A file holds several while the old and the new key of a rotation are both in use. */
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g

/** Reads the keys of a PEM: one, or several during a rotation. */
function readPublicKey(pem: string): VerificationKeys {
  const [first = pem, ...others] = pem.match(BLOCK) ?? []
  if (others.length === 0) return { kind: 'key', ...readBlock(first) }
  return { kind: 'keys', keys: [readBlock(first), ...others.slice(0, MAX_KEYS - 1).map(readBlock)] }
}

/** Most keys read from one PEM. A rotation needs two. */
const MAX_KEYS = 20

function readBlock(pem: string): KeyForAlgorithm {
  let key: KeyObject
  try {
    key = createPublicKey(pem)
  } catch {
    throw new UsageError('the public key is not a PEM that can be read', [
      'give the file that `oauth-lab keys export` writes, beginning with -----BEGIN PUBLIC KEY-----',
    ])
  }
  // A configured key is accepted for one algorithm only (RFC 8725 §3.1).
  const [alg] = signatureAlgorithms(key)
  if (alg === undefined) throw new UsageError(`the public key must be ${KEY_KINDS}`)
  return { key, alg }
}
