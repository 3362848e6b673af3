import { createHash } from 'node:crypto'
import { type Check, check, shown } from '../oauth/check.js'
import { isDeeper, isJsonObject, type JsonObject } from '../values.js'
import { type DecodedJwt, decodeJwt, MAX_TOKEN_DEPTH, MAX_TOKEN_LENGTH, TokenFormatError } from './decode.js'

/** A claim, or an element of a list, that the holder of an SD-JWT shows (RFC 9901 §4.2). */
export interface Disclosure {
  /** As it was written, base64url. */
  readonly encoded: string
  readonly digest: string
  readonly salt: string
  /** The name of the claim; absent for an element of a list. */
  readonly name?: string
  readonly value: unknown
  /** The place in the claims, such as `address.locality` or `nationalities[1]`; absent when no digest refers to it. */
  readonly place?: string
}

/** An SD-JWT taken apart. Do not trust its content: no signature was verified. */
export interface SdJwt {
  /** The JWT of the issuer. */
  readonly jwt: DecodedJwt
  readonly jwtText: string
  readonly disclosures: readonly Disclosure[]
  /** The claims with what was disclosed in its place, and without digests (RFC 9901 §7.1). */
  readonly claims: JsonObject
  /** Digests that no disclosure fits: claims kept back, and decoys. */
  readonly keptBack: number
  /** The JWT by which the holder proves the key of `cnf`. */
  readonly keyBinding?: { readonly jwt: DecodedJwt; readonly text: string }
  /** The part before the key binding, which `sd_hash` covers. */
  readonly presented: string
  /** The rules of the disclosures, each kept or broken. */
  readonly checks: readonly Check[]
}

/** More disclosures than any credential has. */
const MAX_DISCLOSURES = 1000

/** Disclosures in disclosures, so that no token exhausts the stack. */
const MAX_INSIDE = 16

/** The hashes of digests (RFC 9901 §4.1.1). */
const HASHES: Readonly<Record<string, string>> = {
  'sha-256': 'sha256',
  'sha-384': 'sha384',
  'sha-512': 'sha512',
}

/** True for a text in the form of an SD-JWT: a JWT, a tilde, and more (RFC 9901 §4). */
export function isSdJwt(text: string): boolean {
  return text.length <= MAX_TOKEN_LENGTH && /^[\w-]+\.[\w-]+\.[\w-]*~/.test(text)
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function readDisclosure(encoded: string, index: number, hash: string): Disclosure {
  const wrong = (problem: string) =>
    new TokenFormatError(`disclosure ${index + 1} ${problem} (RFC 9901 §4.2)`)
  if (!/^[\w-]+$/.test(encoded)) throw wrong('is not base64url')
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(Buffer.from(encoded, 'base64url')))
  } catch {
    throw wrong('is not JSON in UTF-8')
  }
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) {
    throw wrong('is no list of salt, name and value')
  }
  if (isDeeper(value, MAX_TOKEN_DEPTH)) throw wrong(`is nested deeper than ${MAX_TOKEN_DEPTH}`)
  const [salt, ...rest] = value as [unknown, ...unknown[]]
  const name = rest.length === 2 ? rest[0] : undefined
  if (typeof salt !== 'string' || (rest.length === 2 && typeof name !== 'string')) {
    throw wrong('has a salt or a name that is no text')
  }
  const digest = createHash(hash).update(encoded).digest('base64url')
  return { encoded, digest, salt, value: rest.at(-1), ...(typeof name === 'string' && { name }) }
}

/** The work on the claims of one SD-JWT. */
interface Opening {
  readonly byDigest: ReadonlyMap<string, Disclosure>
  readonly places: Map<string, string>
  readonly seen: Set<string>
  readonly problems: string[]
  keptBack: number
  /** Disclosures inside disclosures, now. */
  depth: number
}

/** Puts the value of a disclosure into its place, with what is disclosed inside of it. */
function openDisclosed({ digest, value }: Disclosure, place: string, opening: Opening): unknown {
  opening.places.set(digest, place)
  if (opening.depth === MAX_INSIDE) {
    opening.problems.push(`disclosures are inside one another more than ${MAX_INSIDE} times`)
    return value
  }
  opening.depth += 1
  const opened = open(value, place, opening)
  opening.depth -= 1
  return opened
}

/** Notes a digest. @returns the disclosure that fits it */
function meet(digest: unknown, opening: Opening): Disclosure | undefined {
  if (typeof digest !== 'string') {
    opening.problems.push('a digest is no text')
    return undefined
  }
  if (opening.seen.has(digest)) {
    opening.problems.push(`the digest ${digest} stands there twice`)
    return undefined
  }
  opening.seen.add(digest)
  const disclosure = opening.byDigest.get(digest)
  if (disclosure === undefined) opening.keptBack += 1
  return disclosure
}

function openList(list: readonly unknown[], place: string, opening: Opening): unknown[] {
  const opened: unknown[] = []
  for (const each of list) {
    const here = `${place}[${opened.length}]`
    if (!isJsonObject(each) || !('...' in each) || Object.keys(each).length !== 1) {
      opened.push(open(each, here, opening))
      continue
    }
    const disclosure = meet(each['...'], opening)
    if (disclosure === undefined) continue
    if (disclosure.name !== undefined) {
      opening.problems.push(`${here} is disclosed with a name, as if it were a claim`)
      continue
    }
    opened.push(openDisclosed(disclosure, here, opening))
  }
  return opened
}

function openObject({ _sd: digests, ...plain }: JsonObject, place: string, opening: Opening): JsonObject {
  const at = (name: string) => (place === '' ? name : `${place}.${name}`)
  const opened = new Map(Object.entries(plain).map(([name, value]) => [name, open(value, at(name), opening)]))
  if (digests !== undefined && !Array.isArray(digests)) opening.problems.push(`${at('_sd')} is no list`)
  for (const digest of Array.isArray(digests) ? digests : []) {
    const disclosure = meet(digest, opening)
    if (disclosure === undefined) continue
    const { name } = disclosure
    if (name === undefined)
      opening.problems.push(`a claim of ${place || 'the token'} is disclosed without a name`)
    else if (name === '_sd' || name === '...')
      opening.problems.push(`a disclosure has the reserved name ${name}`)
    else if (opened.has(name)) opening.problems.push(`${at(name)} is disclosed, and stands there already`)
    else opened.set(name, openDisclosed(disclosure, at(name), opening))
  }
  return Object.fromEntries(opened)
}

function open(value: unknown, place: string, opening: Opening): unknown {
  if (Array.isArray(value)) return openList(value, place, opening)
  return isJsonObject(value) ? openObject(value, place, opening) : value
}

/**
 * Takes an SD-JWT apart and puts what it discloses into its place (RFC 9901 §7.1, without the signature).
 * @throws TokenFormatError for a text that is no SD-JWT
 */
export function decodeSdJwt(text: string): SdJwt {
  if (text.length > MAX_TOKEN_LENGTH) throw new TokenFormatError('the token is longer than 1 MiB')
  const [jwtText = '', ...parts] = text.split('~')
  const binding = parts.pop() ?? ''
  if (parts.length > MAX_DISCLOSURES) {
    throw new TokenFormatError(`the token has more than ${MAX_DISCLOSURES} disclosures`)
  }
  const jwt = decodeJwt(jwtText)
  const { _sd_alg: algorithm = 'sha-256', ...payload } = jwt.claims
  const hash =
    typeof algorithm === 'string' && Object.hasOwn(HASHES, algorithm) ? HASHES[algorithm] : undefined
  const read = parts.map((each, i) => readDisclosure(each, i, hash ?? 'sha256'))
  const opening: Opening = {
    byDigest: new Map(read.map(each => [each.digest, each])),
    places: new Map(),
    seen: new Set(),
    problems: [],
    keptBack: 0,
    depth: 0,
  }
  const claims = openObject(payload, '', opening)
  const disclosures = read.map(each => {
    const place = opening.places.get(each.digest)
    return place === undefined ? each : { ...each, place }
  })
  const strays = disclosures.flatMap(({ place }, i) => (place === undefined ? [`${i + 1}`] : []))
  const twice = read.length - opening.byDigest.size
  const checks = [
    check('_sd_alg', hash !== undefined, 'RFC 9901 §4.1.1', shown(algorithm)),
    check(
      'digests',
      opening.problems.length === 0,
      'RFC 9901 §7.1',
      opening.problems[0] ?? `${opening.seen.size} read`,
    ),
    check(
      'disclosures',
      strays.length === 0 && twice === 0,
      'RFC 9901 §7.1',
      strays.length > 0
        ? `no digest refers to disclosure ${strays.join(', ')}`
        : twice > 0
          ? `${twice} stand there twice`
          : `${read.length} in their places`,
    ),
  ]
  return {
    jwt,
    jwtText,
    disclosures,
    claims,
    checks,
    keptBack: opening.keptBack,
    presented: text.slice(0, text.length - binding.length),
    ...(binding !== '' && { keyBinding: { jwt: decodeJwt(binding), text: binding } }),
  }
}

/** Returns the hash that a key binding names in `sd_hash` (RFC 9901 §4.3.1). */
export function sdHash({ presented, jwt }: SdJwt): string {
  const { _sd_alg: algorithm = 'sha-256' } = jwt.claims
  return createHash(HASHES[shown(algorithm)] ?? 'sha256')
    .update(presented)
    .digest('base64url')
}
