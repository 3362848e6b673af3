import type { KeyObject } from 'node:crypto'
import { UsageError } from '../../protocol/errors.js'
import { foreign } from '../../protocol/safe-output/safe.js'
import { isEncrypted } from '../../protocol/tokens/decode.js'
import { decryptGiven, KeyFormatError, readGivenKeys } from '../../protocol/tokens/given-keys.js'
import type { JsonObject } from '../../protocol/values.js'
import { readSecret } from '../../session/input/input.js'
import { signsFor } from '../../show/render/text/signs.js'
import { narrate, print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { givenKeys, oneKey } from './given-key.js'
import { givenToken, jweHeader } from './jwt-input.js'

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
  } else process.stdout.write(plaintext)
  return EXIT.done
}
