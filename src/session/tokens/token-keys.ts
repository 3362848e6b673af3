import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import { UsageError } from '../../protocol/errors.js'
import { ASYMMETRIC_ALGORITHMS } from '../../protocol/oauth/algorithms.js'
import type { DecodedJwt } from '../../protocol/tokens/decode.js'
import { type GivenKeys, KeyFormatError, readGivenKeys } from '../../protocol/tokens/given-keys.js'
import { readInputFile, readSecret } from '../input/input.js'
import { checkedNetwork, type NetworkOptions } from '../options/network.js'
import { type GivenKeySet, readKeySetFile } from '../targets/given-metadata.js'
import type { NamedPlace } from '../targets/named-server.js'
import type { ReachOptions, TokenKeys } from './issuer-keys.js'

/** The options that name the keys to verify a token with. */
export interface KeySource extends NetworkOptions {
  /** A server of the lab file. */
  readonly at?: string
  readonly issuer?: string
  /** The file or the address of a JWK Set. */
  readonly jwks?: string
  /** The file of a public key in PEM. */
  readonly key?: string
  readonly secretStdin?: true
}

const sources = ['at', 'issuer', 'jwks', 'key', 'secretStdin'] as const

const offered = '--at NAME, --issuer URL, --jwks URL|FILE, --key FILE or --secret-stdin'

/** Makes sure that the options name exactly one place for the keys. @throws UsageError */
export function checkSources(argument: string | undefined, flags: KeySource): void {
  const named = sources.filter(name => flags[name] !== undefined)
  if (named.length === 0) throw new UsageError('no key to verify with', [`Name one of ${offered}`])
  if (named.length > 1)
    throw new UsageError('more than one place for the keys', [`Name only one of ${offered}`])
  if (flags.secretStdin && (argument === undefined || argument === '-')) {
    throw new UsageError('with --secret-stdin the token has to be an argument: stdin holds the secret')
  }
}

/**
 * Finds the keys that the options name.
 * @throws UsageError; with an address also OAuthError, TransportError, TimeoutError
 */
export async function findKeys(
  flags: KeySource,
  place: ReachOptions & NamedPlace,
  token: DecodedJwt,
): Promise<TokenKeys> {
  const options = { ...place, network: checkedNetwork(flags) }
  const { at, issuer, jwks, key } = flags
  if (at !== undefined) {
    const { keysOfNamed } = await import('./issuer-keys.js')
    return keysOfNamed(at, options)
  }
  if (issuer !== undefined) {
    const { fetchIssuerKeys } = await import('./issuer-keys.js')
    return fetchIssuerKeys(issuer, options)
  }
  if (jwks !== undefined && /^https?:/i.test(jwks)) {
    const { fetchKeySet } = await import('./issuer-keys.js')
    return fetchKeySet(jwks, options)
  }
  if (jwks !== undefined) {
    const { keys, remark } = await readSet(jwks)
    return {
      keys: { kind: 'jwks', jwks: { keys } },
      notes: remark === undefined ? [] : [`${jwks}: ${remark}.`],
    }
  }
  if (key !== undefined) {
    const { key: given, notes } = await readKey(key)
    if (given.type === 'secret') return secretKeys(given, token)
    return { keys: { kind: 'key', key: given, alg: fitting(token, ASYMMETRIC_ALGORITHMS) }, notes }
  }
  return secretKeys(createSecretKey(await readSecret()), token)
}

/** Reads a JWK Set. A shared secret in it verifies nothing: published, it would let everybody sign. @throws UsageError */
async function readSet(file: string): Promise<GivenKeySet> {
  const set = await readKeySetFile(file)
  if (set.keys.length === 0 || set.keys.some(({ kty }) => kty !== 'oct')) return set
  throw new UsageError(`${file} holds a shared secret, which no published set has`, [
    `Verify with it:  --key ${file}`,
  ])
}

/** The algorithm of the token when it is allowed; else an allowed one, so that verification refuses the token for its algorithm. */
function fitting({ header: { alg } }: DecodedJwt, allowed: readonly string[]): string {
  return typeof alg === 'string' && allowed.includes(alg) ? alg : allowed[0]!
}

/** Reads a key: the public half of a private one, or a shared secret, which a JWK holds. @throws UsageError */
async function readKey(file: string): Promise<{ key: KeyObject; notes: readonly string[] }> {
  const text = await readInputFile('the key', file)
  let given: GivenKeys
  try {
    given = readGivenKeys(text)
  } catch (error) {
    if (!(error instanceof KeyFormatError)) throw error
    throw new UsageError(`${file} holds no public key, certificate or secret: ${error.message}`)
  }
  if (given.form === 'set') {
    throw new UsageError(`${file} holds a JWK Set, and not one key`, [`Verify with it:  --jwks ${file}`])
  }
  const { key } = given.keys[0]
  const notes = given.remark === undefined ? [] : [`${file}: ${given.remark}.`]
  return { key: key.type === 'private' ? createPublicKey(key) : key, notes }
}

function secretKeys(key: KeyObject, token: DecodedJwt): TokenKeys {
  const alg = fitting(token, ['HS256', 'HS384', 'HS512'])
  const wanted = Number(alg.slice(2)) / 8
  const keys = { kind: 'key', key, alg } as const
  const bytes = key.symmetricKeySize ?? 0
  if (bytes >= wanted) return { keys }
  return { keys, notes: [`The secret has ${bytes} bytes; ${alg} needs at least ${wanted} (RFC 7518 §3.2).`] }
}
