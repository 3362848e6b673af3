import { createHmac, createPublicKey, KeyObject, timingSafeEqual } from 'node:crypto'
import { posix } from 'node:path'
import { check, shown } from '../../../protocol/oauth/check.js'
import type { WeakNameAt } from '../../../protocol/rules/weak-modes.js'
import { type DecodedJwt, decodeJwt } from '../../../protocol/tokens/decode.js'
import type { VerificationKeys } from '../../../protocol/tokens/keys.js'
import { publicPem } from '../../../protocol/tokens/keys.js'
import type { Verdict } from '../../../protocol/tokens/verify.js'
import { type Defences, STRICT } from '../defences.js'
import { PUBLIC_ANSWER } from '../settings.js'

/** Returns a check of claims without the checks of one name. */
const withoutCheck =
  (name: string, checkAccessClaims: Defences['checkAccessClaims']): Defences['checkAccessClaims'] =>
  (...given) =>
    checkAccessClaims(...given).filter(each => each.name !== name)

/** An ID token has no scope of its own: taken for an access token, it allows everything. */
const scopeOfAnyone: Defences['requireScope'] = (token, needed) => {
  const { scope, scp } = token.claims
  if (scope !== undefined || scp !== undefined) STRICT.requireScope(token, needed)
}

/** The members that each weak mode puts in the place of those before it. */
const REPLACED: Readonly<Record<WeakNameAt<'resource-server'>, (before: Defences) => Partial<Defences>>> = {
  'alg-none': ({ verifyJwt }) => ({ verifyJwt: acceptingNone(verifyJwt) }),
  'hs-rs': ({ verifyJwt }) => ({ verifyJwt: confusingAlgorithms(verifyJwt) }),
  'kid-path': ({ verifyJwt }) => ({ verifyJwt: readingKeyFiles(verifyJwt) }),
  'any-audience': ({ checkAccessClaims }) => ({ checkAccessClaims: withoutCheck('aud', checkAccessClaims) }),
  'id-token-as-access-token': ({ checkKind }) => ({
    checkKind: token => checkKind(token).filter(({ name }) => name !== 'use'),
    requireScope: scopeOfAnyone,
  }),
  'no-expiry': ({ checkAccessClaims }) => ({ checkAccessClaims: withoutCheck('exp', checkAccessClaims) }),
  'bearer-for-dpop': () => ({ checkBearer: () => {} }),
}

/** Returns the defences of a resource server with these weak modes. */
export function weakDefences(names: readonly WeakNameAt<'resource-server'>[]): Defences {
  let defences = STRICT
  for (const name of names) defences = { ...defences, ...REPLACED[name](defences) }
  return defences
}

type Verify = Defences['verifyJwt']

/** Returns the verdict on a token whose signature is taken for good. The claims are checked elsewhere. */
function taken(token: DecodedJwt, detail: string): Verdict {
  return { ok: true, checks: [check('signature', true, 'RFC 7515 §5.2', detail)], token }
}

/** The hashes of HMAC by algorithm (RFC 7518 §3.2). */
const HASHES: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' }

/** True when a token is signed by HMAC with this secret. */
function isHmac({ header, parts: [head, payload, signature] }: DecodedJwt, secret: Uint8Array | string) {
  const hash = HASHES[shown(header.alg)]
  if (hash === undefined) return false
  const made = createHmac(hash, secret).update(`${head}.${payload}`).digest()
  const sent = Buffer.from(signature, 'base64url')
  return made.length === sent.length && timingSafeEqual(made, sent)
}

/** Accepts a token without a signature when its header says so. */
const acceptingNone =
  (verify: Verify): Verify =>
  async (token, keys, expected) => {
    const decoded = decodeJwt(token)
    const { alg } = decoded.header
    if (typeof alg !== 'string' || alg.toLowerCase() !== 'none') return verify(token, keys, expected)
    return taken(decoded, `alg ${alg}: there is no signature to verify`)
  }

/** Returns the public keys as the PEM texts that people find in files. */
function pemsOf(keys: VerificationKeys): readonly string[] {
  if (keys.kind === 'jwks') {
    return keys.jwks.keys.filter(({ kty }) => kty === 'RSA').map(publicJwk => publicPem({ publicJwk }))
  }
  const all = keys.kind === 'key' ? [keys] : keys.keys
  return all
    .flatMap(({ key }) => (key instanceof KeyObject && key.type === 'public' ? [key] : []))
    .map(key => createPublicKey(key.export({ type: 'spki', format: 'pem' })))
    .map(key => key.export({ type: 'spki', format: 'pem' }).toString())
}

/**
 * Hands the public key to a function that takes a key or a secret, and leaves the choice to the token. The secret is then
 * the PEM text of the key, with or without its last line feed.
 */
const confusingAlgorithms =
  (verify: Verify): Verify =>
  async (token, keys, expected) => {
    const decoded = decodeJwt(token)
    const secrets = pemsOf(keys).flatMap(pem => [pem, pem.trimEnd()])
    if (!secrets.some(each => isHmac(decoded, each))) return verify(token, keys, expected)
    return taken(decoded, `${shown(decoded.header.alg)}, verified with the text of the public key`)
  }

/** The folder in which keys are looked up by the mode `kid-path`. */
const KEY_FOLDER = '/srv/lab/keys'

/**
 * The files that the mode `kid-path` can read. They exist in memory alone: no `kid` reaches a file of the computer. The
 * first is what `/public` shows to everybody.
 */
const FILES: ReadonlyMap<string, Uint8Array> = new Map([
  ['/srv/lab/www/public.json', PUBLIC_ANSWER.body],
  ['/dev/null', new Uint8Array()],
])

/** Takes `kid` for the name of a file beside the keys, and its content for an HMAC secret. */
const readingKeyFiles =
  (verify: Verify): Verify =>
  async (token, keys, expected) => {
    const decoded = decodeJwt(token)
    const { kid } = decoded.header
    const path = typeof kid === 'string' ? posix.resolve(KEY_FOLDER, kid) : KEY_FOLDER
    const secret = FILES.get(path)
    if (secret === undefined || !isHmac(decoded, secret)) return verify(token, keys, expected)
    return taken(decoded, `${shown(decoded.header.alg)}, verified with the content of ${path}`)
  }
