import { generateKeyPair, type KeyObject, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, type JWK } from 'jose'

/** The kinds of keys that are made. Sizes are in bits. */
type KeyKind =
  | { readonly type: 'ec'; readonly curve: 'P-256' | 'P-384' | 'P-521' }
  | { readonly type: 'ed25519' }
  | { readonly type: 'rsa' }
  | { readonly type: 'oct'; readonly bits: number }

interface Made {
  readonly kind: KeyKind
  readonly use: 'sig' | 'enc'
}

const signing = (kind: KeyKind): Made => ({ kind, use: 'sig' })
const encrypting = (kind: KeyKind): Made => ({ kind, use: 'enc' })
const rsa: KeyKind = { type: 'rsa' }
const p256: KeyKind = { type: 'ec', curve: 'P-256' }
const oct = (bits: number): KeyKind => ({ type: 'oct', bits })

/** The key for each algorithm (RFC 7518 §3.1, §4.1; RFC 8037; RFC 9864). */
const MADE = {
  ES256: signing(p256),
  ES384: signing({ type: 'ec', curve: 'P-384' }),
  ES512: signing({ type: 'ec', curve: 'P-521' }),
  EdDSA: signing({ type: 'ed25519' }),
  Ed25519: signing({ type: 'ed25519' }),
  RS256: signing(rsa),
  RS384: signing(rsa),
  RS512: signing(rsa),
  PS256: signing(rsa),
  PS384: signing(rsa),
  PS512: signing(rsa),
  HS256: signing(oct(256)),
  HS384: signing(oct(384)),
  HS512: signing(oct(512)),
  'RSA-OAEP': encrypting(rsa),
  'RSA-OAEP-256': encrypting(rsa),
  'RSA-OAEP-384': encrypting(rsa),
  'RSA-OAEP-512': encrypting(rsa),
  'ECDH-ES': encrypting(p256),
  'ECDH-ES+A128KW': encrypting(p256),
  'ECDH-ES+A192KW': encrypting(p256),
  'ECDH-ES+A256KW': encrypting(p256),
} as const satisfies Readonly<Record<string, Made>>

/** An algorithm that a key can be made for. */
export type MadeAlgorithm = keyof typeof MADE

/** All of them, the default first. */
export const MADE_ALGORITHMS = Object.keys(MADE) as readonly MadeAlgorithm[]

const pair = promisify(generateKeyPair)

async function privateKey(kind: Exclude<KeyKind, { type: 'oct' }>, bits: number): Promise<KeyObject> {
  if (kind.type === 'rsa') return (await pair('rsa', { modulusLength: bits })).privateKey
  if (kind.type === 'ec') return (await pair('ec', { namedCurve: kind.curve })).privateKey
  return (await pair('ed25519')).privateKey
}

/** How a key is made. */
export interface KeyWish {
  readonly alg: MadeAlgorithm
  /** Size of an RSA key in bits; default 2048. */
  readonly bits?: number
  /** Default: the thumbprint of the key (RFC 7638). */
  readonly kid?: string
}

/** Makes a key for an algorithm: its private JWK, with kid, use and alg (RFC 7517 §4). */
export async function makeJwk({ alg, bits = 2048, kid }: KeyWish): Promise<JWK> {
  const { kind, use } = MADE[alg]
  const jwk: JWK =
    kind.type === 'oct'
      ? { kty: 'oct', k: randomBytes(kind.bits / 8).toString('base64url') }
      : ((await privateKey(kind, bits)).export({ format: 'jwk' }) as JWK)
  return { ...jwk, kid: kid ?? (await calculateJwkThumbprint(jwk)), use, alg }
}
