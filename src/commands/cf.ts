import { Command } from 'commander'
import { dnsCommand } from './cf/dns-commands.js'
import { eventsCommand } from './cf/events-command.js'
import { zoneCommands } from './cf/zone-commands.js'

const examples = `
Examples:
  oauth-lab cf zones
  oauth-lab cf dns list --type A
  oauth-lab cf dns set --type A --name home --content 203.0.113.77 --dry-run
  oauth-lab cf dns apply zone.txt --prune --dry-run
  oauth-lab cf events --since 1h --top 5
  CLOUDFLARE_API_TOKEN=… oauth-lab cf verify

Without options all speak with the DNS API of the lab: the running one, else one that lives as long as the command.
`

/** `oauth-lab cf`: DNS records and security events, of the lab or of the real service. */
export function cfCommand(): Command {
  const cf = new Command('cf')
    .description('DNS records and security events, of the lab or of the real service')
    .addHelpText('after', examples)
  for (const command of [...zoneCommands(), dnsCommand(), eventsCommand()]) cf.addCommand(command)
  return cf
}
