import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { UsageError } from '../protocol/errors.js'
import { listed, nearestHint } from '../protocol/nearest.js'
import { makeSafe } from '../protocol/safe-output/safe.js'
import { programVersion } from '../protocol/version.js'
import { option } from '../session/options/option.js'
import { signsFor } from '../show/render/text/signs.js'
import { narrate, print, printData, printJson } from './output/output.js'
import { argument, command } from './program/command.js'
import { everywhere, type Globals } from './program/globals.js'

/** Returns warnings about a valid lab file. There are none about the built-in one, whose secrets are public. */
async function warningsAbout(file: string | null): Promise<readonly string[]> {
  if (file === null) return []
  const { labFileRemarks } = await import('../lab/lab-file/lab-file.js')
  return labFileRemarks(file)
}

async function check(file: string | undefined, _: object, globals: Globals): Promise<void> {
  const { loadLabConfig } = await import('../lab/lab-file/config.js')
  const config = await loadLabConfig(file ?? globals.config)
  if (config.signingKeyFile !== undefined) {
    const { readKeyFile } = await import('../lab/keys/signing-keys.js')
    await readKeyFile(config.signingKeyFile)
  }
  const counts = { clients: config.clients.length, users: config.users.length }
  const warnings = await warningsAbout(config.file)
  if (globals.json) return printJson({ file: config.file, ok: true, ...counts, warnings })
  for (const warning of warnings) narrate(`warning: ${makeSafe(warning)}`)
  const name = config.file === null ? 'the built-in lab file' : relative(process.cwd(), config.file)
  print(`${name}: ok, ${counts.clients} clients, ${counts.users} users`)
}

async function show(_: object, { json, config: file, showSecrets, ascii }: Globals): Promise<void> {
  const { loadLabConfig } = await import('../lab/lab-file/config.js')
  const { effective } = await loadLabConfig(file)
  if (json) return printJson(effective)
  const [{ stringify }, { yamlText }] = await Promise.all([
    import('yaml'),
    import('../show/render/text/list-text.js'),
  ])
  if (!showSecrets) narrate('Secrets are masked; --show-secrets prints them.')
  const { maskedLabFile } = await import('../lab/lab-file/masked-lab-file.js')
  const shown = showSecrets ? effective : maskedLabFile(effective, signsFor({ ascii }).hidden.repeat(9))
  printData(yamlText(shown, stringify).trimEnd())
}

async function schema(): Promise<void> {
  const { labFileJsonSchema } = await import('../lab/lab-file/lab-file.js')
  printJson(labFileJsonSchema(), 2)
}

/** `oauth-lab config`: the lab file. */
export const configCommand = command('config', {
  description: 'the lab file: clients, users, scopes, lifetimes',
  help: `
Examples:
  oauth-lab config show --show-secrets > oauth-lab.yaml    start a lab file of your own
  oauth-lab config check oauth-lab.yaml
  oauth-lab config schema > lab.schema.json
`,
  below: [
    command('check', {
      description: 'check a lab file; reports file, line, problem and allowed values',
      words: [argument('[file]', 'default: --config, else ./oauth-lab.yaml')],
      options: everywhere,
      help: '\nExample:\n  oauth-lab config check oauth-lab.yaml\n',
      run: async () => check,
    }),
    command('show', {
      description: 'print the effective lab file, secrets masked',
      options: everywhere,
      help: '\nExample:\n  oauth-lab config show --show-secrets > oauth-lab.yaml\n',
      run: async () => show,
    }),
    command('schema', {
      description: 'print the JSON Schema of the lab file',
      options: everywhere,
      kind: 'bare',
      help: '\nExample:\n  oauth-lab config schema > lab.schema.json\n',
      run: async () => schema,
    }),
  ],
})

/** Returns the shared secret of a user of the lab file. @throws UsageError for an unknown user, and one without a secret */
async function sharedSecret(name: string, { config: named, home }: Globals): Promise<Uint8Array> {
  const [{ labFileInEffect }, { parseTotpSecret }] = await Promise.all([
    import('../lab/keys/key-status.js'),
    import('../protocol/oauth/totp.js'),
  ])
  const { users } = await labFileInEffect(named, home)
  const user = users.find(({ username }) => username === name)
  if (user === undefined) {
    const names = users.map(({ username }) => username)
    const hints = [...nearestHint(name, names), `Users: ${listed(names)}`]
    throw new UsageError(`there is no user ${JSON.stringify(name)} in the lab file`, hints)
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

/** A package that is part of the program. `npm audit` does not see it. */
interface BundledPackage {
  readonly name: string
  readonly version: string
}

/** The packages of the bill of materials, which the build writes. */
function bundledPackages(): readonly BundledPackage[] {
  const bill = new URL('../../dist/sbom.cdx.json', import.meta.url)
  try {
    const { components } = JSON.parse(readFileSync(bill, 'utf8')) as { components: BundledPackage[] }
    return components.map(({ name, version }) => ({ name, version }))
  } catch (error) {
    throw new UsageError(`the bill of materials cannot be read: ${(error as Error).message}`, [
      'Run:   npm run build',
    ])
  }
}

function printVersion(flags: { readonly bundled?: true }, { json }: Globals): void {
  const version = programVersion()
  const bundled = flags.bundled ? bundledPackages() : undefined
  if (json) {
    printJson({ version, bundled })
  } else if (bundled === undefined) {
    print(version)
  } else {
    const columns = Math.max(...bundled.map(({ name }) => name.length)) + 2
    print(`oauth-lab ${version}`, ...bundled.map(each => `${each.name.padEnd(columns)}${each.version}`))
  }
}

/** `oauth-lab version`. */
export const versionCommand = command('version', {
  description: 'print the version, or the packages that are part of the program',
  options: [...everywhere, option('--bundled', 'name and version of every package in dist/, for audits')],
  help: `
Examples:
  oauth-lab version
  oauth-lab version --bundled
  oauth-lab version --bundled --json | jq -r '.bundled[] | "\\(.name)@\\(.version)"'
`,
  run: async () => printVersion,
})
