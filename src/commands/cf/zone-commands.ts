import { Command } from 'commander'
import { helpAfter } from './help.js'
import { type ListForm, listFormOption } from './list-form.js'
import { type TargetFlags, withTarget } from './target-options.js'

const zones = () =>
  withTarget(new Command('zones').addOption(listFormOption('table', 'json', 'jsonl', 'csv')), { zone: false })
    .description('which zones the credentials reach')
    .addHelpText(
      'after',
      helpAfter('oauth-lab cf zones', 'CLOUDFLARE_API_TOKEN=… oauth-lab cf zones -o csv > zones.csv'),
    )
    .action(async (flags: TargetFlags & { readonly output?: ListForm }, command: Command) =>
      (await import('./zones.js')).listZones(flags, command),
    )

const verify = () =>
  withTarget(new Command('verify'))
    .description('which credentials these are, what they reach, and how much of the rate budget is left')
    .addHelpText(
      'after',
      helpAfter('oauth-lab cf verify', 'oauth-lab cf verify --token-file token.txt --zone example.com'),
    )
    .action(async (flags: TargetFlags, command: Command) =>
      (await import('./verify.js')).verifyCredentials(flags, command),
    )

/** The commands about zones and credentials. */
export function zoneCommands(): Command[] {
  return [zones(), verify()]
}
