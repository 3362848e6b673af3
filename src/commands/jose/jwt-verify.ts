import type { KeyObject } from 'node:crypto'
import { UsageError } from '../../protocol/errors.js'
import { isBreach } from '../../protocol/oauth/check.js'
import { foreign } from '../../protocol/safe-output/safe.js'
import { isEncrypted } from '../../protocol/tokens/decode.js'
import { explainToken } from '../../protocol/tokens/explain.js'
import { decryptGiven, KeyFormatError, readGivenKeys } from '../../protocol/tokens/given-keys.js'
import { verifyJwt, verifySdJwt } from '../../protocol/tokens/verify.js'
import { defined, type JsonObject } from '../../protocol/values.js'
import { readSecret } from '../../session/input/input.js'
import { writeExact } from '../../session/output/writer.js'
import { checkSources, findKeys } from '../../session/tokens/token-keys.js'
import { signsFor } from '../../show/render/text/signs.js'
import { width } from '../../show/render/text/text.js'
import { jwtJson, jwtLines } from '../../show/render/tokens/jwt-lines.js'
import { narrate, print, printData, printJson, terminalColumns } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { decodeGiven, decodeGivenSdJwt, givenToken, type JwtFlags, jweHeader } from './jwt-input.js'
import { givenKeys, oneKey } from './jwt-sign.js'

/**
 * `oauth-lab jwt verify`: every check with its rule, and a verdict.
 * @returns the exit code: refused where one check failed
 */
export async function verifyToken(
  argument: string | undefined,
  flags: JwtFlags,
  globals: Globals,
): Promise<number> {
  checkSources(argument, flags)
  if (flags.insecure) {
    narrate(
      'warning: --insecure: no certificate is checked. Anyone on the way to the keys can replace them, and sign this token.',
    )
  }
  const text = await givenToken(argument, { again: true })
  const sdJwt = text.includes('~') ? await decodeGivenSdJwt(text) : undefined
  const token = sdJwt === undefined ? decodeGiven(text) : { ...sdJwt.jwt, claims: sdJwt.claims }
  const { keys, issuer, notes = [] } = await findKeys(flags, { ...globals, narrate }, token)
  const { audience, nonce } = flags
  const now = Date.now()
  const expected = { now, mayLackExp: true, ...defined({ issuer, audience, nonce }) }
  const { ok, checks } = await (sdJwt === undefined
    ? verifyJwt(text, keys, expected)
    : verifySdJwt(sdJwt, keys, expected))
  const explained = explainToken(token)
  const { lint } = explained
  const verdict = ok ? 'accepted' : 'refused'
  if (globals.json) printData(jwtJson({ verdict, token, explained, lint, checks, ...defined({ sdJwt }) }))
  else {
    const signs = signsFor(globals)
    const unchecked = [
      ...(issuer === undefined ? ['The issuer was not checked: --issuer does.'] : []),
      ...(audience === undefined ? ['The audience was not checked: --audience does.'] : []),
    ]
    const shown = {
      explained,
      lint,
      checks,
      notes: [...notes, ...unchecked],
      ...defined({ disclosed: sdJwt }),
    }
    const failed = checks.filter(isBreach).map(({ name }) => name)
    const why = failed.length === 0 ? '' : `: ${foreign(failed.join(', '), signs)}`
    print(
      ...jwtLines(shown, { now, signs, width, columns: terminalColumns() }),
      '',
      `${ok ? signs.done : signs.refused} ${verdict}${why}`,
    )
  }
  return ok ? EXIT.done : EXIT.refused
}

interface DecryptFlags {
  readonly key?: string
  readonly kid?: string
  readonly secretStdin?: true
}

/** @throws UsageError for options that name no key, or two inputs on stdin */
function checkKey(argument: string | undefined, { key, secretStdin }: DecryptFlags): void {
  if ((key === undefined) === (secretStdin === undefined)) {
    throw new UsageError('name one key to decrypt with', ['--key FILE or --secret-stdin'])
  }
  if ((secretStdin || key === '-') && (argument === undefined || argument === '-')) {
    throw new UsageError('the token has to be an argument: stdin holds the key')
  }
}

/** Returns the key: of a set the one with `--kid`, else the one that the token names, else the only one. */
async function decryptionKey({ key, kid }: DecryptFlags, header: JsonObject): Promise<KeyObject> {
  if (key === undefined) {
    const k = (await readSecret()).toString('base64url')
    return readGivenKeys(JSON.stringify({ kty: 'oct', k })).keys[0].key
  }
  const given = await givenKeys(key)
  const isNamed = given.keys.some(({ members }) => members.kid !== undefined && members.kid === header.kid)
  return oneKey(given, key, kid ?? (isNamed ? String(header.kid) : undefined)).key
}

/**
 * `oauth-lab jwt decrypt`: the text inside an encrypted token.
 * @returns the exit code: refused where the key does not fit
 */
export async function decryptToken(
  argument: string | undefined,
  flags: DecryptFlags,
  globals: Globals,
): Promise<number> {
  checkKey(argument, flags)
  const text = await givenToken(argument)
  if (!isEncrypted(text)) {
    throw new UsageError('this is no encrypted token: it has not the five parts of a JWE (RFC 7516 §3.1)', [
      'A signed one:  oauth-lab jwt decode TOKEN',
    ])
  }
  const header = jweHeader(text)
  const key = await decryptionKey(flags, header)
  let plaintext: string
  try {
    plaintext = Buffer.from(await decryptGiven(text, key)).toString('utf8')
  } catch (error) {
    if (!(error instanceof KeyFormatError)) throw error
    if (globals.json) printJson({ verdict: 'refused', header, problem: error.message })
    else narrate(`oauth-lab: ${error.message}`)
    return EXIT.refused
  }
  if (globals.json) printJson({ verdict: 'decrypted', header, plaintext })
  else if (process.stdout.isTTY) {
    print(foreign(plaintext, signsFor(globals)))
    if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(plaintext)) {
      narrate('It holds a token:  oauth-lab jwt decrypt … | oauth-lab jwt decode')
    }
  } else await writeExact(plaintext)
  return EXIT.done
}
