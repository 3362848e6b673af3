import { type Command, Option } from 'commander'
import type { TrustAction, TrustWorld } from '../../lab/trust-store/change.js'
import type { TrustScope } from '../../lab/trust-store/plan.js'
import { UserError } from '../../protocol/errors.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import { narrate, print, printJson } from '../output/output.js'
import { readGlobals } from '../program/globals.js'

interface TrustFlags {
  readonly only?: TrustScope
  readonly dryRun?: true
  readonly yes?: true
}

/** Adds the options of `ca install` and `ca uninstall`. */
export function withTrustOptions(command: Command): Command {
  const meaning = 'the store of the system, or the NSS databases of browsers'
  return command
    .addOption(new Option('--only <stores>', meaning).choices(['system', 'nss']))
    .option('--dry-run', 'print the commands, and change nothing')
    .option('--yes', 'do not ask; required without a terminal')
}

/**
 * `oauth-lab ca install` and `uninstall`: shows the changes, asks, and makes them.
 * @throws UsageError without the rights for it, UserError where a tool fails or the answer is no
 */
export async function changeTrust(
  action: TrustAction,
  flags: TrustFlags,
  command: Command,
  world?: TrustWorld,
): Promise<void> {
  const { home, json } = readGlobals(command)
  const [{ planTrust, asAllowed }, { thisComputer }, { caToTrust, carryOut, planLines }] = await Promise.all([
    import('../../lab/trust-store/plan.js'),
    import('../../lab/trust-store/world.js'),
    import('../../lab/trust-store/carry-out.js'),
  ])
  const ca = await caToTrust(action, home)
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
  const lines = planLines({ changes, notes: plan.notes })
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
  const { answeredYes } = await import('../output/confirm.js')
  const otherwise = 'nothing was changed'
  const yes = await answeredYes({
    text: action === 'install' ? 'Trust the CA of this lab there?' : 'Remove the CAs of labs from there?',
    otherwise,
    hints: ['Without being asked:     --yes', 'See what it would be:    --dry-run'],
  })
  if (!yes) throw new UserError(otherwise, 'refused')
}
