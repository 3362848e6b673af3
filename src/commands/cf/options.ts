import { parseDuration } from '../../lab/lab-file/duration.js'
import { UsageError } from '../../protocol/errors.js'
import { parseDeletionLimit } from '../../servers/cloudflare/client/plan.js'
import { option, repeated, type Typed } from '../../session/options/option.js'
import { account } from '../../session/options/table.js'
import { everywhere, type Globals } from '../program/globals.js'

const SERVICE = { group: 'Which service (default: the lab):' } as const
const WHICH = { group: 'Which events (values with commas between them: any of these):' } as const
const CHAT = { group: 'Post them to a chat:' } as const

const showHttp = option(
  '--show-http',
  'print each request with its answer, and the equal curl line, on stderr',
  SERVICE,
)

/** The options of the commands that are about no zone. */
export const everyAccount = [...account, showHttp, ...everywhere]

/** The options of every command about a zone. */
export const everyZone = [
  ...account,
  option(
    '--zone <name|id>',
    'default: the one the names are in, else the only one; of a lab the first [CLOUDFLARE_ZONE_ID]',
    SERVICE,
  ),
  showHttp,
  ...everywhere,
]

/** The forms of a list. */
const FORMS = ['table', 'json', 'jsonl', 'csv'] as const
export type ListForm = (typeof FORMS)[number] | 'bind'

const formOption = <const Form extends ListForm>(choices: readonly Form[]) =>
  option('-o, --output <form>', 'output format (default: table; json with --json)', { choices })

export const listForm = formOption(FORMS)

/** The options that describe one record. */
export const record = [
  option('--type <type>', 'A, AAAA, CNAME, MX, TXT, …', { required: true }),
  option('--name <name>', 'full or relative to the zone; @ is the zone itself', { required: true }),
  option('--content <content>', 'address, name or text; of MX with its priority: 10 mail.example.com', {
    required: true,
  }),
  option('--ttl <seconds>', 'time to live, or auto', {
    parse: seconds,
    expected: 'It is seconds, a duration such as 5m, or auto.',
  }),
  option('--proxied', 'the service proxies the traffic'),
  option('--no-proxied', 'it does not', { pair: true }),
  option('--priority <number>', 'priority of MX and URI records', {
    parse: (text: string) => (/^\d{1,5}$/.test(text) ? Number(text) : undefined),
    expected: 'It is a number from 0 to 65535.',
  }),
  option('--comment <text>', 'a note on the record'),
  option('--tag <name:value>', 'repeat it', { parse: repeated }),
  option('--dry-run', 'show what would be done, and send nothing'),
]

function seconds(text: string): number | undefined {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  if (/^auto(matic)?$/i.test(text)) return 1
  const ms = parseDuration(text)
  return ms === undefined ? undefined : ms / 1000
}

/** The options of a search for records. */
export const search = [
  option('--type <type>', 'records of this type'),
  option('--name <name>', 'records of exactly this name, full or relative to the zone'),
  option('--content <content>', 'records with exactly this content'),
  option('--search <text>', 'records with this text in any field'),
  option('--proxied', 'records whose traffic the service proxies'),
  option('--no-proxied', 'records whose traffic the service does not proxy', { pair: true }),
  option(
    '--filter <name=value>',
    'name.exact, name.contains, name.startswith, name.endswith, … of the API; repeat it',
    { parse: repeated },
  ),
  option('--match <how>', 'match records by all filters or by any', { choices: ['all', 'any'] }),
  option('--order <field>', 'sort by this field', {
    choices: ['type', 'name', 'content', 'ttl', 'proxied'],
  }),
  option('--desc', 'in descending order'),
  formOption([...FORMS, 'bind']),
]

/** The options of a deletion. */
export const deletion = [
  option('--type <type>', 'records of this type'),
  option('--name <name>', 'records of exactly this name'),
  option('--content <content>', 'records with this content'),
  option('--all', 'delete all matches, when more than one record matches'),
  option('--yes', 'do not ask; required without a terminal'),
  option('--dry-run', 'show what would be deleted, and send nothing'),
]

const prune = option('--prune', 'delete records that are not in the file')

/** The options of `cf dns diff`. */
export const diff = [prune, ...everyZone, option('--exit-code', 'exit 1 with differences, 0 without')]

/** The options of `cf dns apply`. */
export const apply = [
  prune,
  ...everyZone,
  option('--dry-run', 'print the plan, and change nothing'),
  option('--yes', 'do not ask before --prune deletes; required without a terminal'),
  option(
    '--max-delete <limit>',
    'refuse to delete more: a number, or a share of the zone such as 50% (default: 30%, or five records)',
    {
      parse: parseDeletionLimit,
      expected: 'It is a number of records, or a share of the zone such as 30%.',
    },
  ),
]

/** The options of `cf events`. */
export const events = [
  option(
    '--since <time>',
    'start: a duration before now (90m, 1h30m, 2d), or 2026-01-31T08:00:00Z (default: 1h)',
    WHICH,
  ),
  option('--until <time>', 'end, in the same form (default: now)', WHICH),
  option('--kind <kind>', 'firewall', WHICH),
  option('--source <source>', 'the product that found it: rateLimit, waf, firewallRules, …', WHICH),
  option('--action <action>', 'the action taken: drop, challenge, simulate, log, …', WHICH),
  option('--ip <address>', 'from this address or network: 203.0.113.0/24', WHICH),
  option('--country <code>', 'from this country, such as BR; T1 is Tor', WHICH),
  option('--host <name>', 'to this host', WHICH),
  option('--limit <count>', 'at most this many, the newest (default: 10000)', WHICH),
  option('--top <count>', 'print the most frequent values of each field, with bars and a timeline'),
  option('--group-by <fields>', 'count events by fields: action,country'),
  option('--follow', 'continue with new events as they come, oldest first'),
  option('--interval <time>', 'how often --follow and the screen ask (default: 5s)'),
  option('--api <api>', 'auto: graphql for the real service, rest for any other', {
    choices: ['auto', 'rest', 'graphql'],
    fallback: 'auto',
    shown: 'auto',
  }),
  listForm,
  option('--plain', 'print lines, also on a terminal'),
  option(
    '--webhook-file <file>',
    'post each event to the chat webhook whose URL is in this file; - reads stdin [OAUTH_LAB_WEBHOOK]',
    CHAT,
  ),
  option('--webhook <url>', 'the URL itself, a secret that other users of this computer can see here', CHAT),
  option('--channel <name>', 'another channel; webhooks made for an app ignore these three', CHAT),
  option('--username <name>', 'name of the sender', CHAT),
  option('--icon-url <url>', 'picture beside the name', CHAT),
  option('--batch <count>', 'attachments a post, up to 100; Discord takes 10 (default: 20)', CHAT),
  option('--dry-run', 'print the posts as JSON and send nothing', CHAT),
  ...everyZone,
]

export type AccountFlags = Typed<typeof everyZone>
export type RecordFlags = Typed<typeof record> & AccountFlags
export type RecordSearch = Typed<typeof search>
export type DeleteFlags = Typed<typeof deletion> & AccountFlags
export type ApplyFlags = Typed<typeof apply> & Partial<Typed<typeof diff>>
export type EventFlags = Typed<typeof events>

/**
 * Reads the form of a list. `--json` means `-o json`, and `-o jsonl` may stand beside it.
 * @throws UsageError for `--json` with another form
 */
export function listFormOf(output: ListForm | undefined, { json }: Globals): ListForm {
  if (!json) return output ?? 'table'
  if (output === undefined || output === 'json' || output === 'jsonl') return output ?? 'json'
  throw new UsageError(`--json and -o ${output} are two forms`, ['Leave one out'])
}
