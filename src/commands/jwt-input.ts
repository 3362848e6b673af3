import { UsageError } from '../errors.js'
import { type DecodedJwt, decodeJwt, TokenFormatError } from '../tokens/decode.js'

/** The token in a text, without the spaces and line breaks around it and without a leading `Bearer`. */
export function tokenIn(text: string): string {
  return text.trim().replace(/^(authorization:\s*)?bearer\s+/i, '')
}

/**
 * Reads the token: the argument, or stdin for `-` and for no argument.
 * @throws UsageError
 */
export async function givenToken(argument: string | undefined): Promise<string> {
  if (argument === undefined && process.stdin.isTTY) {
    throw new UsageError('no token was given', [
      'Give it as an argument, or in a pipe',
      'See:  oauth-lab jwt --help',
    ])
  }
  const given = argument === undefined || argument === '-'
  const token = tokenIn(given ? await tokenFromStdin() : argument)
  if (token === '') throw new UsageError('the token is empty', ['In a pipe: did the command before it fail?'])
  return token
}

async function tokenFromStdin(): Promise<string> {
  const { readStdin } = await import('../input/stdin.js')
  return (await readStdin('the token')).toString('utf8')
}

/**
 * Takes a token apart. A text that is no JWT is a wrong input, and not a refused token: there is nothing to judge.
 * @throws UsageError
 */
export function decodeGiven(token: string): DecodedJwt {
  try {
    return decodeJwt(token)
  } catch (error) {
    if (!(error instanceof TokenFormatError)) throw error
    throw new UsageError(`this is no JWT that can be read: ${error.message}`, [
      'An opaque token can only be read by the server that issued it',
    ])
  }
}
