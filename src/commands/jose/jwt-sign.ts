import { parseDuration } from '../../lab/lab-file/duration.js'
import { UsageError } from '../../protocol/errors.js'
import {
  type GivenKey,
  type GivenKeys,
  KeyFormatError,
  readGivenKeys,
  signClaims,
  signingAlgorithm,
} from '../../protocol/tokens/given-keys.js'
import { isJsonObject, type JsonObject, parsedJson } from '../../protocol/values.js'
import { readFileOrStdin, readSecret } from '../../session/input/input.js'
import { writeExact } from '../../session/output/writer.js'
import { narrate, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'

interface SignFlags {
  readonly key?: string
  readonly secretStdin?: true
  readonly alg?: string
  readonly kid?: string
  readonly typ: string
  readonly header?: string
  readonly issuer?: string
  readonly subject?: string
  readonly audience?: readonly string[]
  readonly expiresIn?: string
}

function jsonObject(text: string, what: string): JsonObject {
  const value = parsedJson(text)
  if (isJsonObject(value)) return value
  throw new UsageError(`no JSON object in ${what}`, ['It looks like {"sub":"alice"}'])
}

/** A lifetime in milliseconds. @throws UsageError */
function lifetime(text: string): number {
  const ms = parseDuration(text)
  if (ms !== undefined) return ms
  throw new UsageError(`--expires-in ${JSON.stringify(text)} is no duration`, [
    'It looks like 90s, 10m, 1h or 7d',
  ])
}

/** The claims that options name, after those that were given (RFC 7519 §4.1). */
function namedClaims({ issuer, subject, audience, expiresIn }: SignFlags, now: number): JsonObject {
  const claims: Record<string, unknown> = {}
  if (issuer !== undefined) claims.iss = issuer
  if (subject !== undefined) claims.sub = subject
  if (audience !== undefined) claims.aud = audience.length === 1 ? audience[0] : audience
  if (expiresIn !== undefined) {
    claims.iat = Math.floor(now / 1000)
    claims.exp = Math.floor((now + lifetime(expiresIn)) / 1000)
  }
  return claims
}

async function givenClaims(argument: string | undefined, flags: SignFlags): Promise<JsonObject> {
  const named = namedClaims(flags, Date.now())
  if (argument === undefined && Object.keys(named).length > 0) return named
  const file = argument?.startsWith('@') ? argument.slice(1) : undefined
  const onStdin = argument === undefined || argument === '-'
  if (onStdin && (flags.secretStdin || flags.key === '-')) {
    throw new UsageError('the claims have to be an argument: stdin holds the key')
  }
  if (argument === undefined && process.stdin.isTTY) {
    throw new UsageError('no claims were given', [
      'Give them as JSON, or by --subject, --audience and others',
    ])
  }
  const text = file === undefined && !onStdin ? argument : await readFileOrStdin('the claims', file ?? '-')
  return { ...jsonObject(text, 'the claims'), ...named }
}

async function givenSigner({ key, secretStdin, kid }: SignFlags): Promise<GivenKey> {
  if ((key === undefined) === (secretStdin === undefined)) {
    throw new UsageError('name one key to sign with', [
      '--key FILE or --secret-stdin',
      'A new one:  oauth-lab jwk create -o key.jwk',
    ])
  }
  if (key !== undefined) {
    const given = await givenKeys(key)
    return oneKey(given, key, given.form === 'set' ? kid : undefined)
  }
  const k = (await readSecret()).toString('base64url')
  return readGivenKeys(JSON.stringify({ kty: 'oct', k })).keys[0]
}

/** `oauth-lab jwt sign`: a token of the given claims. */
export async function signToken(
  argument: string | undefined,
  flags: SignFlags,
  globals: Globals,
): Promise<number> {
  const claims = await givenClaims(argument, flags)
  const signer = await givenSigner(flags)
  const alg = await readable(flags.key ?? '--secret-stdin', () => signingAlgorithm(signer, flags.alg))
  const kid = flags.kid ?? signer.members.kid
  // An alg in --header says nothing: the signature is by the one that was chosen.
  const { alg: _alg, ...more } = flags.header === undefined ? {} : jsonObject(flags.header, '--header')
  const header = {
    alg,
    ...(flags.typ !== '' && { typ: flags.typ }),
    ...(kid !== undefined && { kid }),
    ...more,
  }
  const token = await signClaims(claims, header, signer)
  if (globals.json) printJson({ token, header, claims })
  else await writeExact(`${token}\n`)
  return EXIT.done
}

/** Reads the keys in a file, or in stdin for `-` and for no file. @throws UsageError */
export async function givenKeys(file: string | undefined): Promise<GivenKeys> {
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError('no key was given', [
      'Name a file, or give it in a pipe',
      'A new one:  oauth-lab jwk create -o key.jwk',
    ])
  }
  const text = await readFileOrStdin('the key', file ?? '-')
  const keys = await readable(file, () => readGivenKeys(text))
  if (keys.remark !== undefined) narrate(`oauth-lab: ${file ?? 'stdin'}: ${keys.remark}`)
  return keys
}

const nameOf = (file: string | undefined): string => (file === undefined || file === '-' ? 'stdin' : file)

/**
 * Returns what a function makes of a key.
 * @param file absent: stdin
 * @throws UsageError for a key that it cannot use
 */
export async function readable<Content>(
  file: string | undefined,
  read: () => Content | Promise<Content>,
): Promise<Content> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof KeyFormatError)) throw error
    throw new UsageError(`${nameOf(file)}: ${error.message}`)
  }
}

/**
 * Returns the one key that is meant: the only one, or that with the name.
 * @param file absent: stdin
 * @throws UsageError
 */
export function oneKey({ keys, form }: GivenKeys, file: string | undefined, kid?: string): GivenKey {
  const name = nameOf(file)
  if (form !== 'set') return keys[0]
  const ids = keys.map(({ members }) => String(members.kid))
  const named = kid === undefined ? keys : keys.filter(({ members }) => members.kid === kid)
  if (named.length === 1) return named[0]!
  const problem =
    kid === undefined ? `${name} holds ${keys.length} keys` : `${name} holds no single key with kid ${kid}`
  throw new UsageError(problem, [`Name one with --kid: ${ids.join(', ')}`])
}
