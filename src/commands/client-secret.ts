import { UsageError } from '../errors.js'
import { readInputFile } from '../input/input-file.js'
import { readStdinLine } from '../input/stdin.js'

/** Where a client's secret may be. */
export interface SecretFlags {
  readonly clientSecretFile?: string
  readonly clientSecretStdin?: true
  readonly passwordStdin?: true
}

/**
 * The secret of a client of another server; never on the command line, where every user of the machine can read it.
 * @throws UsageError
 */
export async function clientSecret(flags: SecretFlags, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (flags.clientSecretStdin && flags.passwordStdin) {
    throw new UsageError('--client-secret-stdin and --password-stdin both want stdin', [
      'Use --client-secret-file for one of them',
    ])
  }
  if (flags.clientSecretStdin && flags.clientSecretFile !== undefined) {
    throw new UsageError('--client-secret-stdin and --client-secret-file are two secrets', ['Leave one out'])
  }
  if (flags.clientSecretStdin) return readStdinLine('the client secret')
  if (flags.clientSecretFile === undefined) return env.OAUTH_LAB_CLIENT_SECRET || undefined
  const text = await readInputFile('the client secret', flags.clientSecretFile)
  const secret = text.replace(/\r?\n$/, '')
  if (secret === '') throw new UsageError(`the file ${flags.clientSecretFile} holds no client secret`)
  return secret
}
