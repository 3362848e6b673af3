import { relative } from 'node:path'
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
  for (const warning of warnings) narrate(`warning: ${warning}`)
  const name = config.file === null ? 'the built-in lab file' : relative(process.cwd(), config.file)
  print(`${name}: ok, ${counts.clients} clients, ${counts.users} users`)
}

async function show(_: object, { json, config: file, showSecrets, ascii }: Globals): Promise<void> {
  const { loadLabConfig } = await import('../lab/lab-file/config.js')
  const { effective } = await loadLabConfig(file)
  if (json) return printJson(effective)
  const { stringify } = await import('yaml')
  if (!showSecrets) narrate('Secrets are masked; --show-secrets prints them.')
  const { maskedLabFile } = await import('../lab/lab-file/masked-lab-file.js')
  const shown = showSecrets ? effective : maskedLabFile(effective, signsFor({ ascii }).hidden.repeat(9))
  printData(stringify(shown, { lineWidth: 110 }).trimEnd())
}

async function schema(): Promise<void> {
  const { labFileJsonSchema } = await import('../lab/lab-file/lab-file.js')
  printData(JSON.stringify(labFileJsonSchema(), undefined, 2))
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
