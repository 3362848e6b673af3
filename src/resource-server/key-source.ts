import { createPublicKey, type KeyObject } from 'node:crypto'
import { UsageError } from '../errors.js'
import type { HttpRequest } from '../http/message.js'
import { loadSharedSecret } from '../tokens/keys.js'
import type { KeyForAlgorithm, VerificationKeys } from '../tokens/verify.js'
import type { Context } from './events.js'
import type { KeySettings } from './settings.js'

/** A source of verification keys. The events of a fetch belong to the request that needed it. */
export interface KeySource {
  /**
   * The keys to try first. `fresh`: they were fetched for this question, or never change, so that asking again
   * would bring nothing new.
   * @throws OAuthError `temporarily_unavailable`
   */
  current(
    request: HttpRequest,
    context: Context,
  ): Promise<{ readonly keys: VerificationKeys; readonly fresh: boolean }>
  /**
   * For a token whose key is not in `seen`: newer keys, or `seen` again where it is too soon to ask.
   * @throws OAuthError `temporarily_unavailable`
   */
  newerThan(seen: VerificationKeys, request: HttpRequest, context: Context): Promise<VerificationKeys>
  /** The origin of the keys. */
  origin(): KeyOrigin
}

/** The origin of keys, in the answer that explains a decision to a client. */
export type KeyOrigin = 'configured' | { readonly jwks_uri: string; readonly fetched: string }

/**
 * A key that was given instead of published.
 * @throws UsageError where it cannot be used
 */
export function givenKey(settings: Exclude<KeySettings, { kind: 'discovery' }>): KeySource {
  const keys = settings.kind === 'public-key' ? publicKey(settings.pem) : sharedSecret(settings.secret)
  return {
    current: async () => ({ keys: keys(), fresh: true }),
    newerThan: async () => keys(),
    origin: () => 'configured',
  }
}

/** The key of a PEM, read again when the PEM changes. */
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
    throw new UsageError(error instanceof Error ? error.message : 'the signing secret cannot be used')
  }
}

/** One PEM after another, as a file that somebody put an old and a new key into. */
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g

/** The keys of a PEM: several while the tokens of an old one are still about. */
function readPublicKey(pem: string): VerificationKeys {
  const [first = pem, ...others] = pem.match(BLOCK) ?? []
  if (others.length === 0) return { kind: 'key', ...readBlock(first) }
  return { kind: 'keys', keys: [readBlock(first), ...others.slice(0, MAX_KEYS - 1).map(readBlock)] }
}

/** More keys than an administrator configures. */
const MAX_KEYS = 20

function readBlock(pem: string): KeyForAlgorithm {
  let key: KeyObject
  try {
    key = createPublicKey(pem)
  } catch {
    throw new UsageError('the public key is no PEM that can be read', [
      'give the file that `oauth-lab keys export` writes, beginning with -----BEGIN PUBLIC KEY-----',
    ])
  }
  const alg = algorithmOf(key)
  if (alg === undefined) {
    throw new UsageError('the public key must be RSA with 2048 bits or more, P-256, P-384, P-521 or Ed25519')
  }
  return { key, alg }
}

const curves: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
}

/** The one algorithm that a given key is taken for: never more than one (RFC 8725 §3.1). */
function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  if (asymmetricKeyType === 'rsa') {
    return (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048 ? 'RS256' : undefined
  }
  if (asymmetricKeyType === 'ed25519') return 'EdDSA'
  return asymmetricKeyType === 'ec' ? curves[asymmetricKeyDetails?.namedCurve ?? ''] : undefined
}
