import { writeFile } from 'node:fs/promises'
import { fileProblem, NO_FOLDER, UsageError } from '../../protocol/errors.js'
import { nearestHint } from '../../protocol/nearest.js'
import { jsonLine } from '../../protocol/safe-output/json-line.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import {
  type GivenKeys,
  jwkOf,
  MADE_ALGORITHMS,
  type MadeAlgorithm,
  makeJwk,
  namedJwk,
  pemOf,
  publicHalf,
  readGivenKeys,
  type ThumbprintHash,
  thumbprintOf,
} from '../../protocol/tokens/given-keys.js'
import { defined } from '../../protocol/values.js'
import { narrate, printData, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { givenKeys, oneKey, readable } from './jwt-sign.js'

/** JSON as people read it, or on one line for programs. */
const keyText = (value: unknown, { json }: Globals): string => jsonLine(value, json ? undefined : 2)

interface CreateFlags {
  readonly alg: string
  readonly bits?: string
  readonly kid?: string
  readonly pem?: true
  readonly output?: string
}

function algorithm(name: string): MadeAlgorithm {
  const known = MADE_ALGORITHMS.find(each => each === name)
  if (known !== undefined) return known
  throw new UsageError(`--alg ${JSON.stringify(name)} is no algorithm that a key is made for`, [
    ...nearestHint(name, MADE_ALGORITHMS),
    `One of ${MADE_ALGORITHMS.join(', ')}`,
  ])
}

function rsaBits(text: string | undefined, alg: MadeAlgorithm): number | undefined {
  if (text === undefined) return undefined
  if (!/^[RP]S/.test(alg) && !alg.startsWith('RSA')) {
    throw new UsageError(`--bits is for RSA keys; the size of a key for ${alg} is fixed`)
  }
  const bits = Number(text)
  if (Number.isInteger(bits) && bits >= 2048 && bits <= 16_384 && bits % 8 === 0) return bits
  throw new UsageError('--bits is a multiple of 8 from 2048 to 16384 (RFC 7518 §3.3)')
}

/** Writes a private key into a new file, for its owner alone. @throws UsageError */
async function writePrivate(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const hints = code === 'EEXIST' ? ['No key is overwritten: name another file, or remove it first'] : []
    throw new UsageError(`cannot write ${file}: ${fileProblem(error, NO_FOLDER)}`, hints)
  }
}

/** `oauth-lab jwk create`: a private key. */
export async function createKey(flags: CreateFlags, globals: Globals): Promise<number> {
  const alg = algorithm(flags.alg)
  const jwk = await makeJwk({ alg, ...defined({ bits: rsaBits(flags.bits, alg), kid: flags.kid }) })
  const text = flags.pem
    ? await readable('--pem', () => pemOf(readGivenKeys(JSON.stringify(jwk)).keys[0]))
    : keyText(jwk, globals)
  const { output: file } = flags
  if (file === undefined) {
    printData(text.trimEnd())
    return EXIT.done
  }
  await writePrivate(file, `${text.trimEnd()}\n`)
  narrate(`${file} holds the private key; only you can read it.`)
  if (jwk.kty !== 'oct') narrate(`Its public half:  oauth-lab jwk public ${shellWord(file)}`)
  return EXIT.done
}

/** `oauth-lab jwk public`: what others may see. */
export async function publicKey(
  file: string | undefined,
  { pem }: { readonly pem?: true },
  globals: Globals,
): Promise<number> {
  const { form, keys } = await givenKeys(file)
  const text = await readable(file, async () => {
    const halves = keys.map(publicHalf)
    if (pem) return halves.map(pemOf).join('')
    return keyText(form === 'set' ? { keys: halves.map(jwkOf) } : await namedJwk(halves[0]!), globals)
  })
  printData(text.trimEnd())
  return EXIT.done
}

/** `oauth-lab jwk thumbprint`: the name that a key has everywhere (RFC 7638), also as a URN (RFC 9278). */
export async function printThumbprints(
  file: string | undefined,
  { hash, uri }: { readonly hash: ThumbprintHash; readonly uri?: true },
  globals: Globals,
): Promise<number> {
  const { keys } = await givenKeys(file)
  const prefix = uri ? `urn:ietf:params:oauth:jwk-thumbprint:${hash.replace('sha', 'sha-')}:` : ''
  const thumbprints = await readable(file, () => Promise.all(keys.map(key => thumbprintOf(key, hash))))
  const texts = thumbprints.map(each => prefix + each)
  if (globals.json) printJson({ thumbprints: texts })
  else printData(...texts)
  return EXIT.done
}

interface ConvertFlags {
  readonly to?: 'jwk' | 'set' | 'pem'
  readonly kid?: string
  readonly output?: string
}

/** Writes a key in a form. @throws UsageError, KeyFormatError */
async function converted(
  given: GivenKeys,
  file: string | undefined,
  { to, kid }: ConvertFlags,
  globals: Globals,
): Promise<string> {
  const form = to ?? (given.form === 'pem' ? 'jwk' : 'pem')
  if (form === 'set' && (given.form !== 'set' || kid === undefined)) {
    return keyText({ keys: await Promise.all(given.keys.map(key => namedJwk(key, kid))) }, globals)
  }
  const key = oneKey(given, file, kid)
  if (form === 'pem') return pemOf(key)
  const jwk = await namedJwk(key, kid)
  return keyText(form === 'set' ? { keys: [jwk] } : jwk, globals)
}

/** `oauth-lab jwk convert`: the same key in another form. */
export async function convertKey(
  file: string | undefined,
  flags: ConvertFlags,
  globals: Globals,
): Promise<number> {
  const given = await givenKeys(file)
  const text = (await readable(file, () => converted(given, file, flags, globals))).trimEnd()
  const { output } = flags
  if (output === undefined) printData(text)
  else {
    await writePrivate(output, `${text}\n`)
    narrate(`wrote ${output}; only you can read it.`)
  }
  return EXIT.done
}
