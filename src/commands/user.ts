import { UsageError } from '../protocol/errors.js'
import { narrate, printData, printJson } from './output/output.js'
import { argument, command } from './program/command.js'
import { everywhere, type Globals } from './program/globals.js'

/** Returns the shared secret of a user of the lab file. @throws UsageError for an unknown user, and one without a secret */
async function sharedSecret(name: string, { config: named, home }: Globals): Promise<Uint8Array> {
  const [{ labFileInEffect }, { parseTotpSecret }] = await Promise.all([
    import('../lab/keys/key-status.js'),
    import('../protocol/oauth/totp.js'),
  ])
  const { users } = await labFileInEffect(named, home)
  const user = users.find(({ username }) => username === name)
  if (user === undefined) {
    throw new UsageError(`there is no user ${name} in the lab file`, [
      `Users: ${users.map(({ username }) => username).join(', ')}`,
    ])
  }
  const secret = user.totp_secret === undefined ? undefined : parseTotpSecret(user.totp_secret)
  if (secret !== undefined) return secret
  throw new UsageError(`user ${name} has no totp_secret, and so no one-time codes`, [
    'Give the user one in the lab file: at least 26 letters A to Z and digits 2 to 7',
  ])
}

/** Prints the one-time code of now (RFC 6238), and the seconds until the next one. */
async function otp(name: string, _: object, globals: Globals): Promise<void> {
  const secret = await sharedSecret(name, globals)
  const { TOTP_PERIOD, totpCode, totpCounter } = await import('../protocol/oauth/totp.js')
  const now = Date.now()
  const code = totpCode(secret, totpCounter(now))
  const seconds = Math.ceil((TOTP_PERIOD - (now % TOTP_PERIOD)) / 1000)
  if (globals.json) return printJson({ username: name, code, expires_in: seconds })
  printData(code)
  narrate(
    `The next code comes in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}. Each code is good once.`,
  )
}

const help = `
Examples:
  oauth-lab user otp alice
  oauth-lab user otp alice --json
`

/** `oauth-lab user`: the users of the lab file. */
export const userCommand = command('user', {
  description: 'the users of the lab file',
  help,
  below: [
    command('otp', {
      description: 'print the one-time code of a user with a totp_secret',
      words: [argument('<name>', 'the user, such as alice')],
      options: everywhere,
      help,
      run: async () => otp,
    }),
  ],
})
