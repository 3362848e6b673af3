import { createPrivateKey, createSecretKey, type JsonWebKey, KeyObject, randomBytes } from 'node:crypto'
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { algorithmsOfSecret, isSecretAlgorithm } from '../oauth/algorithms.js'
import { defined, isJsonObject, type JsonObject } from '../values.js'
import { privateKeyProblem } from './given-keys.js'
import { KEY_KINDS, signatureAlgorithms } from './keys.js'

/** The key that a client authenticates with: a private one (`private_key_jwt`), or its secret (`client_secret_jwt`, OpenID Connect Core §9). */
export interface ClientKey {
  readonly alg: string
  /** True where the key itself names `alg` (RFC 7517 §4.4). Another key may sign by each algorithm of its kind. */
  readonly named?: true
  /** Names the key in the header, when it has an id. */
  readonly kid?: string
  readonly privateKey: KeyObject
}

/** Lifetime of an assertion, in seconds. Each request gets its own assertion. */
export const ASSERTION_SECONDS = 60

/**
 * Loads a client's private key from PKCS#8 PEM or from a JWK, whose `alg` and `kid` are kept.
 * @throws Error with the problem of the text
 */
export function loadClientKey(text: string): ClientKey {
  let key: KeyObject
  let named: JsonObject = {}
  try {
    const value: unknown = text.includes('-----BEGIN ') ? text : JSON.parse(text)
    if (isJsonObject(value)) named = value
    key = createPrivateKey(isJsonObject(value) ? { key: value as JsonWebKey, format: 'jwk' } : String(value))
  } catch {
    throw new Error(privateKeyProblem(text))
  }
  return clientKey(key, named)
}

/** Makes a client key that signs with `alg`, or else with the usual algorithm of the key. */
function clientKey(privateKey: KeyObject, { alg, kid }: JsonObject): ClientKey {
  const [usual, ...others] = signatureAlgorithms(privateKey)
  if (usual === undefined) throw new Error(`it cannot sign: the key must be ${KEY_KINDS}`)
  const named = typeof alg === 'string' ? alg : usual
  if (named !== usual && !others.includes(named)) throw new Error(`alg ${named} does not fit the key`)
  return defined({
    alg: named,
    named: typeof alg === 'string' ? (true as const) : undefined,
    kid: typeof kid === 'string' ? kid : undefined,
    privateKey,
  })
}

/**
 * Returns a key with the first of its algorithms that a server announces. It stays as it is where its JWK names an algorithm,
 * and where none is announced that it can sign by: the server then says so.
 * @param announced such as `token_endpoint_auth_signing_alg_values_supported`
 */
export function withAnnounced(key: ClientKey, announced: unknown): ClientKey {
  if (key.named || !Array.isArray(announced) || announced.includes(key.alg)) return key
  const alg = signatureAlgorithms(key.privateKey).find(each => announced.includes(each))
  return alg === undefined ? key : { ...key, alg }
}

/**
 * Returns the secret of a client as the key of its assertions (`client_secret_jwt`); undefined for one that is too short.
 * @param announced such as `token_endpoint_auth_signing_alg_values_supported`
 */
export function keyOfSecret(secret: string, announced: unknown): ClientKey | undefined {
  const [usual, ...longer] = algorithmsOfSecret(secret)
  if (usual === undefined) return undefined
  const wanted = Array.isArray(announced) ? longer.find(each => announced.includes(each)) : undefined
  const alg = wanted !== undefined && !(announced as unknown[]).includes(usual) ? wanted : usual
  return { alg, named: true, privateKey: createSecretKey(secret, 'utf8') }
}

/** Makes a key with the name and the algorithm of another one, for wrong moves. */
export async function strangersKey(like: ClientKey): Promise<ClientKey> {
  if (isSecretAlgorithm(like.alg)) return { ...like, privateKey: createSecretKey(randomBytes(64)) }
  const { privateKey } = await generateKeyPair(like.alg, { modulusLength: 2048, extractable: true })
  return { ...like, privateKey: KeyObject.from(privateKey) }
}

/** Signs a client assertion (RFC 7523 §3), valid for one request and one minute. */
export async function makeClientAssertion(
  key: ClientKey,
  {
    clientId,
    audience,
    typ,
  }: {
    readonly clientId: string
    readonly audience: string | readonly string[]
    readonly typ?: string
  },
  ports: { readonly now: () => number; readonly random: (length: number) => Uint8Array },
): Promise<string> {
  const iat = Math.floor(ports.now() / 1000)
  const jti = Buffer.from(ports.random(16)).toString('base64url')
  const exp = iat + ASSERTION_SECONDS
  return signWith(
    {
      iss: clientId,
      sub: clientId,
      aud: typeof audience === 'string' ? audience : [...audience],
      jti,
      iat,
      exp,
    },
    key,
    typ,
  )
}

/** Signs claims with a client's key, by the key's own algorithm (RFC 7519 §7.1). */
export async function signWith(
  claims: JWTPayload,
  { alg, kid, privateKey }: ClientKey,
  typ = 'JWT',
): Promise<string> {
  const header = { typ, alg }
  return new SignJWT(claims)
    .setProtectedHeader(kid === undefined ? header : { ...header, kid })
    .sign(privateKey)
}
