import { UsageError } from '../../protocol/errors.js'
import {
  type GivenKey,
  type GivenKeys,
  KeyFormatError,
  readGivenKeys,
} from '../../protocol/tokens/given-keys.js'
import { readFileOrStdin } from '../../session/input/input.js'

/**
 * Reads the keys in a file, or in stdin for `-` and for no file.
 * @throws UsageError
 */
export async function givenKeys(file: string | undefined): Promise<GivenKeys> {
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError('no key was given', [
      'Name a file, or give it in a pipe',
      'A new one:  oauth-lab jwk create -o key.jwk',
    ])
  }
  const text = await readFileOrStdin('the key', file ?? '-')
  return readable(file, () => readGivenKeys(text))
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
