import {
  createHmac,
  createPublicKey,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto'
import { promisify } from 'node:util'
import type { FormPairs } from '../../protocol/http/form.js'
import { decodeIfJwt } from '../../protocol/tokens/decode.js'
import type { JwkSet } from '../../protocol/tokens/keys.js'
import type { JsonObject } from '../../protocol/values.js'
import { altered, valueIn, withValue } from './messages.js'
import type { Made, NotMade } from './move.js'

const NO_JWT = 'the access token is no JWT'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The pairs with a forged token in place of the value of `name`, or the reason why none can be made. */
export async function withForged(
  pairs: FormPairs,
  name: string,
  forge: (token: string) => Made<string>,
): Promise<FormPairs | NotMade> {
  const made = await forge(valueIn(pairs, name))
  return typeof made === 'string' ? withValue(pairs, name, () => made) : made
}

/** Changes the subject of a JWT and keeps its signature. Changes one character of an opaque token. */
export function alterToken(token: string): string {
  return decodeIfJwt(token) ? reclaimedToken(token, { sub: 'oauth-lab-somebody-else' }) : altered(token)
}

/** Changes claims of a JWT and keeps its signature. Returns any other text as it is. */
export function reclaimedToken(token: string, change: JsonObject): string {
  const jwt = decodeIfJwt(token)
  if (!jwt) return token
  const [header, , signature] = jwt.parts
  return [header, encode({ ...jwt.claims, ...change }), signature].join('.')
}

/** A token without signature (RFC 7519 §6), or why none can be made. */
export function unsignedToken(token: string): string | NotMade {
  const jwt = decodeIfJwt(token)
  if (!jwt) return { problem: NO_JWT }
  return `${encode({ ...jwt.header, alg: 'none' })}.${encode(jwt.claims)}.`
}

/** Signs with the published key's text as if it were a shared secret (RFC 8725 §2.1). */
export function hmacToken(token: string, keys: JwkSet | undefined): string | NotMade {
  const jwt = decodeIfJwt(token)
  if (!jwt) return { problem: NO_JWT }
  const key = keys?.keys.find(
    ({ kid, kty }) => kty === 'RSA' && (jwt.header.kid === undefined || kid === jwt.header.kid),
  )
  if (!key) return { problem: 'no RSA key of the token is published' }
  let secret: string | Buffer
  try {
    secret = createPublicKey({ key: key as JsonWebKey, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    })
  } catch {
    return { problem: 'the published key cannot be read' }
  }
  const input = `${encode({ ...jwt.header, alg: 'HS256' })}.${encode(jwt.claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

const generate = promisify(generateKeyPair)

let ownKeys: ReturnType<typeof makeOwnKeys> | undefined

function makeOwnKeys() {
  return generate('rsa', { modulusLength: 2048 })
}

/** The differences of a token that is signed with a key of our own. */
export interface SelfSigned {
  readonly alg?: 'RS256' | 'RS512'
  /** True when the key goes into the header (RFC 7515 §4.1.3), where a careless verifier takes it from. */
  readonly embedded?: boolean
}

/** Signs with a key of our own under the name of the server's key. */
export async function selfSignedToken(
  token: string,
  { alg = 'RS256', embedded = false }: SelfSigned = {},
): Promise<string | NotMade> {
  const jwt = decodeIfJwt(token)
  if (!jwt) return { problem: NO_JWT }
  // Made once, because every key is good that is not the server's.
  ownKeys ??= makeOwnKeys()
  const { privateKey, publicKey } = await ownKeys
  const head = { ...jwt.header, alg, ...(embedded && { jwk: publicJwk(publicKey) }) }
  const input = `${encode(head)}.${encode(jwt.claims)}`
  return `${input}.${sign(`sha${alg.slice(2)}`, Buffer.from(input), privateKey).toString('base64url')}`
}

function publicJwk(key: KeyObject): JsonWebKey {
  return key.export({ format: 'jwk' })
}
