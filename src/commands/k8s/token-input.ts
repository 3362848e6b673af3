import { UsageError } from '../../errors.js'
import { type DecodedJwt, decodeJwt, TokenFormatError } from '../../tokens/decode.js'
import { tokenIn } from '../jwt-input.js'

/** Largest token that is read, in bytes: less than the 3 MiB that an API server accepts as a whole request. */
const MAX_TOKEN = 2 * 1024 * 1024

/**
 * Reads the token: the argument, the file of `@FILE`, or stdin for `-` and without an argument.
 * @throws UsageError
 */
export async function readToken(argument: string | undefined): Promise<string> {
  const token = tokenIn(await given(argument))
  if (token === '') throw new UsageError('the token is empty', ['In a pipe: did the command before it fail?'])
  if (/\s/.test(token)) {
    throw new UsageError('the token holds spaces or line breaks: a token is one word', [
      'Was it cut into lines when it was copied?',
    ])
  }
  return token
}

async function given(argument: string | undefined): Promise<string> {
  if (argument === undefined && process.stdin.isTTY) {
    throw new UsageError('no token was given', ['Give it as an argument, as @FILE, or in a pipe'])
  }
  const { readFileOrStdin } = await import('../../input/input-file.js')
  if (argument?.startsWith('@')) return readFileOrStdin('the token', argument.slice(1), MAX_TOKEN)
  if (argument !== undefined && argument !== '-') return argument
  return readFileOrStdin('the token', '-', MAX_TOKEN)
}

/** Decodes a token. Undefined for a token that is no JWT, such as a static one. */
export function decodedIfJwt(token: string): DecodedJwt | undefined {
  try {
    return decodeJwt(token)
  } catch (error) {
    if (error instanceof TokenFormatError) return undefined
    throw error
  }
}
