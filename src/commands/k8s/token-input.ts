import { UsageError } from '../../errors.js'
import { type DecodedJwt, decodeJwt, TokenFormatError } from '../../tokens/decode.js'
import { tokenIn } from '../jwt-input.js'

/** The most that is read of a token, in bytes: less than the 3 MiB that an API server takes as a whole. */
const MAX_TOKEN = 2 * 1024 * 1024

/**
 * The token that was given: the argument, `@FILE`, or stdin for `-` or where there is none.
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
  if (argument?.startsWith('@')) {
    const { readInputFile } = await import('../../input/input-file.js')
    return readInputFile('the token', argument.slice(1), MAX_TOKEN)
  }
  if (argument !== undefined && argument !== '-') return argument
  const { readStdin } = await import('../../input/stdin.js')
  return (await readStdin('the token', MAX_TOKEN)).toString('utf8')
}

/** A token taken apart, where it is a JWT: static tokens are none. */
export function decodedIfJwt(token: string): DecodedJwt | undefined {
  try {
    return decodeJwt(token)
  } catch (error) {
    if (error instanceof TokenFormatError) return undefined
    throw error
  }
}
