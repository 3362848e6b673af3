import {
  apply,
  deletion,
  diff,
  events,
  everyAccount,
  everyZone,
  listForm,
  record,
  search,
} from './cf/options.js'
import { argument, command, examples } from './program/command.js'

/** Examples, and the exit codes of all commands of the API. */
const help = (...lines: readonly string[]): string =>
  examples(
    lines,
    '0 done, 1 refused or nothing matched, 2 usage, 3 no answer of a DNS API, 124 no answer in time',
  )

const RULES = `
When file and zone have one record each of a name and type, that record is changed; other records of the file are
added. Records of the zone that are not in the file stay, unless --prune deletes them: apply asks first, and refuses
to delete more than 30 % of the zone and five records without --max-delete. Nothing is sent before everything is checked. Changes go in batches of about 200, each of which is done as a whole or not at all.
`

const file = argument('<file>', 'zone file (BIND) or JSON, as cf dns list writes them; - reads stdin')

const dnsCommand = command('dns', {
  description: 'DNS records: list, create, set, delete, and whole files of them',
  help: help(
    'oauth-lab cf dns list --type A',
    'oauth-lab cf dns set --type A --name home --content 203.0.113.77 --dry-run',
    'oauth-lab cf dns list -o bind > example.com.zone',
  ),
  below: [
    command('list', {
      alias: 'ls',
      description: 'the records of a zone, all pages',
      options: [...search, ...everyZone],
      often: ['type', 'name', 'content', 'search', 'proxied', 'order', 'desc', 'output', 'zone', 'show-http'],
      help: help(
        'oauth-lab cf dns list --type A',
        'oauth-lab cf dns list --filter name.contains=mail --order name -o csv > records.csv',
        'oauth-lab cf dns list --zone example.org -o bind > example.org.zone',
      ),
      run: async () => (await import('./cf/dns.js')).listRecordsOf,
    }),
    command('create', {
      alias: 'add',
      description: 'create a record; an existing one is an error',
      options: [...record, ...everyZone],
      help: help(
        'oauth-lab cf dns create --type A --name new --content 192.0.2.9 --ttl 300',
        'oauth-lab cf dns create --type MX --name @ --content "20 mail2.example.com" --dry-run',
        'oauth-lab cf dns create --type SRV --name _sips._tcp --content "10 5 5061 sip.example.com"',
      ),
      run: async () => (await import('./cf/dns.js')).createRecord,
    }),
    command('set', {
      description: 'create a record or update it, and say which; fields without an option stay as they are',
      options: [...record, ...everyZone],
      help: help(
        'oauth-lab cf dns set --type A --name home --content 203.0.113.77',
        'oauth-lab cf dns set --type A --name home --content 203.0.113.77 --dry-run',
        'oauth-lab cf dns set --type CNAME --name www --content example.com --proxied --json | jq -r .outcome',
      ),
      run: async () => (await import('./cf/dns.js')).setRecord,
    }),
    command('delete', {
      alias: 'rm',
      description: 'delete records, by ids or by selectors; several only with --all',
      words: [argument('[id...]', 'ids, or unique beginnings of ids')],
      options: [...deletion, ...everyZone],
      help: help(
        'oauth-lab cf dns delete --type A --name two --content 192.0.2.1',
        'oauth-lab cf dns delete --name two.example.com --all --dry-run',
        'oauth-lab cf dns delete 5f1c 9a77 --yes',
      ),
      run: async () => (await import('./cf/dns.js')).deleteRecords,
    }),
    command('diff', {
      description: 'print what apply would change',
      words: [file],
      options: diff,
      help:
        RULES +
        help(
          'oauth-lab cf dns diff example.com.zone --prune',
          'oauth-lab cf dns diff example.com.zone --prune --exit-code || echo "the zone differs"',
        ),
      run: async () => (await import('./cf/dns.js')).diffFile,
    }),
    command('apply', {
      description: 'change a zone to the records of a file: prints a plan, then carries it out',
      words: [file],
      options: apply,
      help:
        RULES +
        help(
          'oauth-lab cf dns apply example.com.zone --dry-run',
          'oauth-lab cf dns list -o json > records.json; $EDITOR records.json; oauth-lab cf dns apply records.json --prune',
        ),
      run: async () => (await import('./cf/dns.js')).applyFile,
    }),
  ],
})

/** `oauth-lab cf`: DNS records and security events, of the lab or of the real service. */
export const cfCommand = command('cf', {
  description: 'DNS records and security events, of the lab or of the real service',
  help: `${examples([
    'oauth-lab cf zones',
    'oauth-lab cf dns list --type A',
    'oauth-lab cf dns set --type A --name home --content 203.0.113.77 --dry-run',
    'oauth-lab cf dns apply zone.txt --prune --dry-run',
    'oauth-lab cf events --since 1h --top 5',
    'CLOUDFLARE_API_TOKEN=… oauth-lab cf verify',
  ])}
Without options every command uses the DNS API of the lab: the running one, else one that lives as long as the command.
`,
  below: [
    command('zones', {
      description: 'list the zones that the credentials reach',
      options: [listForm, ...everyAccount],
      help: help('oauth-lab cf zones', 'CLOUDFLARE_API_TOKEN=… oauth-lab cf zones -o csv > zones.csv'),
      run: async () => (await import('./cf/account.js')).listZones,
    }),
    command('verify', {
      description: 'print the credentials, the zones they reach, and the rest of the rate budget',
      options: everyZone,
      help: help('oauth-lab cf verify', 'oauth-lab cf verify --token-file token.txt --zone example.com'),
      run: async () => (await import('./cf/account.js')).verifyCredentials,
    }),
    dnsCommand,
    command('events', {
      description: 'security events of a zone: list, count, follow, post to a chat',
      options: events,
      often: [
        'since',
        'until',
        'kind',
        'action',
        'ip',
        'top',
        'group-by',
        'follow',
        'output',
        'webhook-file',
      ],
      help: `
On a terminal it is a screen, unless --plain, -o, --json, --top, --group-by or --webhook says otherwise. Actions marked
with * (simulate, log) were logged only: nothing was enforced.
${help(
  'oauth-lab cf events --since 1h --top 5',
  'oauth-lab cf events --since 1h --kind firewall --source rateLimit -o csv > events.csv',
  'oauth-lab cf events --since 1d --group-by action,country --top 10',
  'oauth-lab cf events --follow --action drop,challenge -o jsonl | jq .uri',
  'oauth-lab cf events --since 10m --webhook https://localhost:8446/services/T0/B0/try --dry-run',
  'oauth-lab cf events --follow --action drop --webhook-file hook.txt',
  'CLOUDFLARE_API_TOKEN=… oauth-lab cf events --zone example.com --since 30m',
)}`,
      run: async () => (await import('./cf/events.js')).events,
    }),
  ],
})
