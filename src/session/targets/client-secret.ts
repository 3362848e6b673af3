import { UsageError } from '../../protocol/errors.js'
import { readInputFile } from '../input/input-file.js'
import { readStdinLine } from '../input/stdin.js'

/** The options that say where the secret of a client is. */
export interface SecretOptions {
  readonly clientSecretFile?: string
  readonly clientSecretStdin?: true
  /** The secret itself, from the lab file. */
  readonly clientSecret?: string
  readonly passwordStdin?: true
}

/**
 * Reads the secret of a client of another server. No option takes the secret itself: every user of the machine can
 * read a command line.
 * @throws UsageError
 */
export async function clientSecret(
  options: SecretOptions,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const { clientSecretFile: file, clientSecretStdin, passwordStdin } = options
  if (clientSecretStdin && passwordStdin) {
    throw new UsageError('--client-secret-stdin and --password-stdin both want stdin', [
      'Use --client-secret-file for one of them',
    ])
  }
  if (clientSecretStdin && file !== undefined) {
    throw new UsageError('--client-secret-stdin and --client-secret-file are two secrets', ['Leave one out'])
  }
  if (clientSecretStdin) return readStdinLine('the client secret')
  if (file !== undefined) return secretInFile(file)
  // A secret in the lab file belongs to its client. The variable may be of another one.
  return options.clientSecret ?? (env.OAUTH_LAB_CLIENT_SECRET || undefined)
}

/** Reads the secret that a file holds. @throws UsageError */
export async function secretInFile(file: string): Promise<string> {
  const secret = (await readInputFile('the client secret', file)).replace(/\r?\n$/, '')
  if (secret === '') throw new UsageError(`the file ${file} holds no client secret`)
  return secret
}
