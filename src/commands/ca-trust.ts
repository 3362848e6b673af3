import { createHash, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { EXIT, UserError } from '../errors.js'
import { readState } from '../lab/state-folder.js'
import type {
  Invocation,
  TrustAction,
  TrustChange,
  TrustedCa,
  TrustWorld,
} from '../lab/trust-store/change.js'
import type { TrustPlan, TrustScope } from '../lab/trust-store/plan.js'
import { makeSafe } from '../render/text.js'
import { readGlobals } from './globals.js'
import { narrate, print, printJson, shellWord } from './output.js'

interface TrustFlags {
  readonly only?: TrustScope
  readonly dryRun?: true
  readonly yes?: true
}

/** Adds the options of `ca install` and `ca uninstall`. */
export function withTrustOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--only <stores>', 'the store of the system, or the NSS databases of browsers').choices([
        'system',
        'nss',
      ]),
    )
    .option('--dry-run', 'print the commands, and change nothing')
    .option('--yes', 'without being asked; needed where nobody can be')
}

/** The CA of the state folder as trust stores know it; undefined where there is none to remove. */
async function caToTrust(action: TrustAction, home: string): Promise<TrustedCa | undefined> {
  const { ensureCertificates } = await import('../lab/certificates.js')
  const pem = action === 'install' ? (await ensureCertificates(home)).caPem : await readState(home, 'ca.pem')
  if (pem === undefined) return undefined
  const certificate = new X509Certificate(pem)
  const name = /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? ''
  const sha1 = createHash('sha1').update(certificate.raw).digest('hex').toUpperCase()
  return { file: join(home, 'ca.pem'), pem, name, sha1 }
}

/** A command as it would be typed. */
function written({ program, args, root }: Invocation): string {
  return [...(root ? ['sudo'] : []), program, ...args].map(shellWord).join(' ')
}

/** What will be done, for a person. */
function told({ changes, notes }: TrustPlan): string[] {
  return [
    ...changes.flatMap(({ store, readers, commands }) =>
      commands.length === 0
        ? [`${store}: nothing to do`]
        : [`${store}, for ${readers}:`, ...commands.map(each => `  ${written(each)}`)],
    ),
    ...notes.map(note => `note: ${note}`),
  ]
}

/** @throws UserError with what the program said */
async function carryOut(changes: readonly TrustChange[], world: TrustWorld): Promise<void> {
  for (const { commands } of changes) {
    for (const each of commands) {
      const { code, output } = await world.run(each.program, each.args)
      if (code === 0) continue
      const said = output.trim().split('\n').slice(-3)
      throw new UserError(
        `${written(each)} ended with ${code}`,
        EXIT.refused,
        said.map(line => makeSafe(line)),
      )
    }
  }
}

/**
 * `oauth-lab ca install` and `uninstall`: says what changes, asks, changes it.
 * @throws UsageError without the rights for it, UserError where a tool fails or the answer is no
 */
export async function changeTrust(
  action: TrustAction,
  flags: TrustFlags,
  command: Command,
  world?: TrustWorld,
): Promise<void> {
  const { home, json } = readGlobals(command)
  const [{ planTrust, asAllowed }, { thisComputer }, ca] = await Promise.all([
    import('../lab/trust-store/plan.js'),
    import('../lab/trust-store/world.js'),
    caToTrust(action, home),
  ])
  const here = world ?? thisComputer()
  const plan = await planTrust(action, ca, here, flags.only)
  const mayAsk = process.stdin.isTTY === true
  const changes = plan.changes.map(change => ({
    ...change,
    commands: change.commands.map(each =>
      flags.dryRun && !here.isRoot ? each : asAllowed(each, here, mayAsk),
    ),
  }))
  const needed = changes.filter(({ commands }) => commands.length > 0)
  if (json && flags.dryRun) return printJson({ action, changes: needed, notes: plan.notes })
  const lines = told({ changes, notes: plan.notes })
  if (flags.dryRun) return print(...lines)
  for (const line of lines) narrate(line)
  if (needed.length > 0) {
    if (!flags.yes) await allowed(action)
    await carryOut(needed, here)
  }
  if (json) return printJson({ action, changed: needed.map(({ store }) => store), notes: plan.notes })
  print(
    needed.length === 0
      ? 'Nothing had to be changed.'
      : `${action === 'install' ? 'Installed in' : 'Removed from'} ${needed.map(({ store }) => store).join(', ')}.`,
  )
  if (action === 'install' && ca) {
    narrate('Browsers that run see it after a restart. Node reads none of these stores:')
    narrate(`  export NODE_EXTRA_CA_CERTS=${shellWord(ca.file)}`)
  }
}

async function allowed(action: TrustAction): Promise<void> {
  const { answeredYes } = await import('./confirm.js')
  const otherwise = 'nothing was changed'
  const yes = await answeredYes({
    text: action === 'install' ? 'Trust the CA of this lab there?' : 'Remove the CAs of labs from there?',
    otherwise,
    hints: ['Without being asked:     --yes', 'See what it would be:    --dry-run'],
  })
  if (!yes) throw new UserError(otherwise, EXIT.refused)
}
