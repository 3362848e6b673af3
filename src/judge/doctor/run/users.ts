import type { KnownUser } from '../../../client/known-login.js'
import { UsageError } from '../../../protocol/errors.js'
import { secretInFile } from '../../../session/client/credentials.js'
import { readStdinLine } from '../../../session/input/input.js'
import { splitUser } from '../../../session/people/users.js'
import type { ServerUnderTest } from '../server-under-test.js'

/** The options that name the people and the other client of an examination. */
export interface DoctorUserOptions {
  readonly user?: string
  readonly passwordStdin?: true
  /** Another user, for what takes two people. */
  readonly secondUser?: string
  /** Another client of another server, and its secret; without one it is a public client. */
  readonly secondClientId?: string
  readonly secondClientSecretFile?: string
}

/** The server with another user than the one who logs in. @throws UsageError for the same user */
export function withSecond(
  server: ServerUnderTest,
  second: KnownUser | undefined,
): { readonly server: ServerUnderTest; readonly second?: KnownUser } {
  if (second === undefined) return { server }
  const { username } = second
  if (username === server.credentials?.username) {
    throw new UsageError(`--second-user ${JSON.stringify(username)} is the user who logs in`, [
      'Name another one:  --second-user NAME:PASSWORD',
    ])
  }
  return { server: { ...server, secondUser: username }, second }
}

/** The second user of another server than a lab. @throws UsageError for one without a password */
export function secondOf({ secondUser: typed }: DoctorUserOptions): KnownUser | undefined {
  if (typed === undefined) return undefined
  const { name: username, password } = splitUser(typed)
  if (password !== undefined) return { username, password }
  throw new UsageError(`the password of ${JSON.stringify(typed)} is not known here`, [
    'Give it:  --second-user NAME:PASSWORD',
  ])
}

/** The other client of another server, which options name. @throws UsageError */
export async function secondClient(
  { secondClientId: clientId, secondClientSecretFile: file }: DoctorUserOptions,
  first: string,
): Promise<Pick<ServerUnderTest, 'other' | 'publicClient'>> {
  if (clientId === undefined) {
    if (file === undefined) return {}
    throw new UsageError('--second-client-secret-file needs --second-client-id')
  }
  if (clientId === first) {
    throw new UsageError(`--second-client-id ${JSON.stringify(clientId)} is the first client`, [
      'Name another client of the same server',
    ])
  }
  if (file === undefined) return { publicClient: { clientId, auth: 'none' } }
  return { other: { clientId, auth: 'client_secret_basic', clientSecret: await secretInFile(file) } }
}

/** The user who logs in at another server than a lab. @throws UsageError for one without a password */
export async function credentialsOf({
  user,
  passwordStdin,
}: DoctorUserOptions): Promise<ServerUnderTest['credentials']> {
  if (user === undefined) return undefined
  const { name, password } = splitUser(user)
  if (password !== undefined) return { username: name, password }
  if (passwordStdin) return { username: name, password: await readStdinLine('the password') }
  throw new UsageError(`the password of ${JSON.stringify(user)} is not known here`, [
    'Give it:  --user NAME:PASSWORD, or --user NAME --password-stdin',
  ])
}
