import { Command, Option } from 'commander'
import { lazily } from '../program/lazily.js'
import { listFormOption, withAccountOptions } from './options.js'

const CHAT = 'Post them to a chat:'
const WHICH = 'Which events (values with commas between them: any of these):'

const BEFORE = `
On a terminal it is a screen, unless --plain, -o, --json, --top, --group-by or --webhook says otherwise. Actions marked
with * (simulate, log) were logged only: nothing was enforced.
`

/** `oauth-lab cf events`. */
export function eventsCommand(): Command {
  const which = (flags: string, meaning: string) => new Option(flags, meaning).helpGroup(WHICH)
  const chat = (flags: string, meaning: string) => new Option(flags, meaning).helpGroup(CHAT)
  const command = new Command('events')
    .description('security events of a zone: list, count, follow, post to a chat')
    .addOption(
      which(
        '--since <time>',
        'start: a duration before now (90m, 1h30m, 2d), or 2026-01-31T08:00:00Z (default: 1h)',
      ),
    )
    .addOption(which('--until <time>', 'end, in the same form (default: now)'))
    .addOption(which('--kind <kind>', 'firewall'))
    .addOption(which('--source <source>', 'the product that found it: rateLimit, waf, firewallRules, …'))
    .addOption(which('--action <action>', 'the action taken: drop, challenge, simulate, log, …'))
    .addOption(which('--ip <address>', 'from this address or network: 203.0.113.0/24'))
    .addOption(which('--country <code>', 'from this country, such as BR; T1 is Tor'))
    .addOption(which('--host <name>', 'to this host'))
    .addOption(which('--limit <count>', 'at most this many, the newest (default: 10000)'))
    .option('--top <count>', 'print the most frequent values of each field, with bars and a timeline')
    .option('--group-by <fields>', 'count events by fields: action,country')
    .option('--follow', 'continue with new events as they come, oldest first')
    .option('--interval <time>', 'how often --follow and the screen ask (default: 5s)')
    .addOption(
      new Option('--api <api>', 'auto: graphql for the real service, rest for any other')
        .choices(['auto', 'rest', 'graphql'])
        .default('auto', 'auto'),
    )
    .addOption(listFormOption('table', 'json', 'jsonl', 'csv'))
    .option('--plain', 'print lines, also on a terminal')
    .addOption(
      chat(
        '--webhook-file <file>',
        'post each event to the chat webhook whose URL is in this file; - reads stdin [OAUTH_LAB_WEBHOOK]',
      ),
    )
    .addOption(
      chat('--webhook <url>', 'the URL itself, a secret that other users of this computer can see here'),
    )
    .addOption(chat('--channel <name>', 'another channel; webhooks made for an app ignore these three'))
    .addOption(chat('--username <name>', 'name of the sender'))
    .addOption(chat('--icon-url <url>', 'picture beside the name'))
    .addOption(chat('--batch <count>', 'attachments a post, up to 100; Discord takes 10 (default: 20)'))
    .addOption(chat('--dry-run', 'print the posts as JSON and send nothing'))
  return withAccountOptions(
    command,
    [
      'oauth-lab cf events --since 1h --top 5',
      'oauth-lab cf events --since 1h --kind firewall --source rateLimit -o csv > events.csv',
      'oauth-lab cf events --since 1d --group-by action,country --top 10',
      'oauth-lab cf events --follow --action drop,challenge -o jsonl | jq .uri',
      'oauth-lab cf events --since 10m --webhook https://localhost:8446/services/T0/B0/try --dry-run',
      'oauth-lab cf events --follow --action drop --webhook-file hook.txt',
      'CLOUDFLARE_API_TOKEN=… oauth-lab cf events --zone example.com --since 30m',
    ],
    { before: BEFORE },
  ).action(lazily(async () => (await import('./events.js')).events))
}
