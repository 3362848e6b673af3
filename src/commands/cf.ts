import { Command } from 'commander'
import { dnsCommand } from './cf/dns-commands.js'
import { eventsCommand } from './cf/events-command.js'
import { listFormOption, withAccountOptions } from './cf/options.js'
import { examples } from './program/examples.js'
import { lazily } from './program/lazily.js'

const zones = () =>
  withAccountOptions(
    new Command('zones').addOption(listFormOption('table', 'json', 'jsonl', 'csv')),
    ['oauth-lab cf zones', 'CLOUDFLARE_API_TOKEN=… oauth-lab cf zones -o csv > zones.csv'],
    { zone: false },
  )
    .description('list the zones that the credentials reach')
    .action(lazily(async () => (await import('./cf/zones.js')).listZones))

const verify = () =>
  withAccountOptions(new Command('verify'), [
    'oauth-lab cf verify',
    'oauth-lab cf verify --token-file token.txt --zone example.com',
  ])
    .description('print the credentials, the zones they reach, and the rest of the rate budget')
    .action(lazily(async () => (await import('./cf/verify.js')).verifyCredentials))

/** `oauth-lab cf`: DNS records and security events, of the lab or of the real service. */
export function cfCommand(): Command {
  const list = examples([
    'oauth-lab cf zones',
    'oauth-lab cf dns list --type A',
    'oauth-lab cf dns set --type A --name home --content 203.0.113.77 --dry-run',
    'oauth-lab cf dns apply zone.txt --prune --dry-run',
    'oauth-lab cf events --since 1h --top 5',
    'CLOUDFLARE_API_TOKEN=… oauth-lab cf verify',
  ])
  const cf = new Command('cf')
    .description('DNS records and security events, of the lab or of the real service')
    .addHelpText(
      'after',
      `${list}\nWithout options every command uses the DNS API of the lab: the running one, else one that lives as long as the command.\n`,
    )
  for (const command of [zones(), verify(), dnsCommand(), eventsCommand()]) cf.addCommand(command)
  return cf
}
