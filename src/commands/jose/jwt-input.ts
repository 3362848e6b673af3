import { UsageError } from '../../protocol/errors.js'
import {
  type DecodedJwt,
  decodeJweHeader,
  decodeJwt,
  isEncrypted,
  TokenFormatError,
} from '../../protocol/tokens/decode.js'
import type { SdJwt } from '../../protocol/tokens/sd-jwt.js'
import type { JsonObject } from '../../protocol/values.js'
import type { KeySource } from '../../session/tokens/token-keys.js'

/** The token in a text, without the spaces, line breaks and quotes around it and without a leading `Bearer`. */
export function tokenIn(text: string): string {
  const word = text.trim().replace(/^(authorization:\s*)?bearer\s+/i, '')
  return /^(["']).*\1$/s.test(word) ? word.slice(1, -1) : word
}

const HINTS = ['Give it as an argument, as @FILE, or in a pipe', 'See:  oauth-lab jwt --help']

/**
 * Reads the token: the argument, the file of `@FILE`, or stdin for `-` and for no argument.
 * @param options.again searches for a JWT inside of any other text
 * @throws UsageError
 */
export async function givenToken(
  argument: string | undefined,
  {
    limit,
    hints = HINTS,
    again = false,
  }: { readonly limit?: number; readonly hints?: readonly string[]; readonly again?: boolean } = {},
): Promise<string> {
  if (argument === undefined && process.stdin.isTTY) throw new UsageError('no token was given', hints)
  const file = argument?.startsWith('@') ? argument.slice(1) : undefined
  const given = argument === '-' || file !== undefined ? undefined : argument
  const text = given ?? (await textOf(file ?? '-', limit))
  const token = again ? await tokenAgain(text) : tokenIn(text)
  if (token === '') throw new UsageError('the token is empty', ['In a pipe: did the command before it fail?'])
  if (/\s/.test(token)) {
    throw new UsageError('the token holds spaces or line breaks: a token is one word', [
      'Was it cut into lines when it was copied?',
    ])
  }
  return token
}

/** The token in a text; where a text holds it in another form, with a remark. */
async function tokenAgain(text: string): Promise<string> {
  const token = tokenIn(text)
  if (/^[\w-]+(?:\.[\w-]*){2,4}(?:~.*)?$/s.test(token)) return token
  const { readTokenAgain } = await import('../../protocol/second-reading.js')
  const found = readTokenAgain(token)
  if (found === undefined) return token
  const { narrate } = await import('../output/output.js')
  narrate(`oauth-lab: this is no JWT as it stands: ${found.remark}`)
  return found.content
}

async function textOf(file: string, limit: number | undefined): Promise<string> {
  const { readFileOrStdin } = await import('../../session/input/input.js')
  return readFileOrStdin('the token', file, limit)
}

/**
 * Takes a token apart. A text that is no JWT is a wrong input, and not a refused token: there is nothing to judge.
 * @throws UsageError
 */
export function decodeGiven(token: string): DecodedJwt {
  return readable(() => decodeJwt(token), isEncrypted(token) ? ENCRYPTED : OPAQUE)
}

/** The header of an encrypted token. @throws UsageError */
export function jweHeader(token: string): JsonObject {
  return readable(() => decodeJweHeader(token), OPAQUE)
}

/** The hint for a text that is no token of a form that is read here. */
const OPAQUE = 'An opaque token can only be read by the server that issued it'
const ENCRYPTED = 'With the key:  oauth-lab jwt decrypt TOKEN --key FILE'

/** Returns what a function reads from a token. @throws UsageError for any other text */
function readable<Content>(read: () => Content, hint: string): Content {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TokenFormatError)) throw error
    throw new UsageError(`this is no JWT that can be read: ${error.message}`, [hint])
  }
}

/** Options of `jwt verify`, and of `jwt decode` where it has them. */
export interface JwtFlags extends KeySource {
  readonly audience?: string
  readonly nonce?: string
}

/** Takes an SD-JWT apart. @throws UsageError */
export async function decodeGivenSdJwt(token: string): Promise<SdJwt> {
  const { decodeSdJwt } = await import('../../protocol/tokens/sd-jwt.js')
  return readable(() => decodeSdJwt(token), OPAQUE)
}
