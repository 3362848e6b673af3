import { Command, InvalidArgumentError, Option } from 'commander'
import { type DeletionLimit, parseDeletionLimit } from '../../servers/cloudflare/client/deletion-limit.js'
import { lazily } from '../program/lazily.js'
import { repeated } from '../program/list-options.js'
import { cfExamples, listFormOption, withAccountOptions } from './options.js'
import { withRecord } from './record-options.js'

/** The fields that records are sorted by. */
const ORDERS = ['type', 'name', 'content', 'ttl', 'proxied']

const list = () =>
  withAccountOptions(
    new Command('list')
      .alias('ls')
      .option('--type <type>', 'records of this type')
      .option('--name <name>', 'records of exactly this name, full or relative to the zone')
      .option('--content <content>', 'records with exactly this content')
      .option('--search <text>', 'records with this text in any field')
      .option('--proxied', 'records whose traffic the service proxies')
      .option('--no-proxied', 'records whose traffic the service does not proxy')
      .option(
        '--filter <name=value>',
        'name.exact, name.contains, name.startswith, name.endswith, … of the API; repeat it',
        repeated,
      )
      .addOption(
        new Option('--match <how>', 'match records by all filters or by any').choices(['all', 'any']),
      )
      .addOption(new Option('--order <field>', 'sort by this field').choices(ORDERS))
      .option('--desc', 'in descending order')
      .addOption(listFormOption('table', 'json', 'jsonl', 'csv', 'bind')),
    [
      'oauth-lab cf dns list --type A',
      'oauth-lab cf dns list --filter name.contains=mail --order name -o csv > records.csv',
      'oauth-lab cf dns list --zone example.org -o bind > example.org.zone',
    ],
  )
    .description('the records of a zone, all pages')
    .action(lazily(async () => (await import('./dns-list.js')).listRecordsOf))

const create = () =>
  withAccountOptions(withRecord(new Command('create').alias('add')), [
    'oauth-lab cf dns create --type A --name new --content 192.0.2.9 --ttl 300',
    'oauth-lab cf dns create --type MX --name @ --content "20 mail2.example.com" --dry-run',
    'oauth-lab cf dns create --type SRV --name _sips._tcp --content "10 5 5061 sip.example.com"',
  ])
    .description('create a record; an existing one is an error')
    .action(lazily(async () => (await import('./dns-create.js')).createRecord))

const set = () =>
  withAccountOptions(withRecord(new Command('set')), [
    'oauth-lab cf dns set --type A --name home --content 203.0.113.77',
    'oauth-lab cf dns set --type A --name home --content 203.0.113.77 --dry-run',
    'oauth-lab cf dns set --type CNAME --name www --content example.com --proxied --json | jq -r .outcome',
  ])
    .description('create a record or update it, and say which; fields without an option stay as they are')
    .action(lazily(async () => (await import('./dns-set.js')).setRecord))

const remove = () =>
  withAccountOptions(
    new Command('delete')
      .alias('rm')
      .argument('[id...]', 'ids, or unique beginnings of ids')
      .option('--type <type>', 'records of this type')
      .option('--name <name>', 'records of exactly this name')
      .option('--content <content>', 'records with this content')
      .option('--all', 'delete all matches, when more than one record matches')
      .option('--yes', 'do not ask; required without a terminal')
      .option('--dry-run', 'show what would be deleted, and send nothing'),
    [
      'oauth-lab cf dns delete --type A --name two --content 192.0.2.1',
      'oauth-lab cf dns delete --name two.example.com --all --dry-run',
      'oauth-lab cf dns delete 5f1c 9a77 --yes',
    ],
  )
    .description('delete records, by ids or by selectors; several only with --all')
    .action(lazily(async () => (await import('./dns-delete.js')).deleteRecords))

const RULES = `
When file and zone have one record each of a name and type, that record is changed; other records of the file are
added. Records of the zone that are not in the file stay, unless --prune deletes them: apply asks first, and refuses
to delete more than 30 % of the zone and five records without --max-delete. Nothing is sent before everything is checked. Changes go in batches of about 200, each of which is done as a whole or not at all.
`

function deletionLimit(text: string): DeletionLimit {
  const limit = parseDeletionLimit(text)
  if (limit) return limit
  throw new InvalidArgumentError('It is a number of records, or a share of the zone such as 30%.')
}

/** A command about a file of records. */
const aboutFile = (name: string, ...lines: readonly string[]) =>
  withAccountOptions(
    new Command(name)
      .argument('<file>', 'zone file (BIND) or JSON, as cf dns list writes them; - reads stdin')
      .option('--prune', 'delete records that are not in the file'),
    lines,
    { before: RULES },
  )

const diff = () =>
  aboutFile(
    'diff',
    'oauth-lab cf dns diff example.com.zone --prune',
    'oauth-lab cf dns diff example.com.zone --prune --exit-code || echo "the zone differs"',
  )
    .option('--exit-code', 'exit 1 with differences, 0 without')
    .description('print what apply would change')
    .action(lazily(async () => (await import('./dns-apply.js')).diffFile))

const apply = () =>
  aboutFile(
    'apply',
    'oauth-lab cf dns apply example.com.zone --dry-run',
    'oauth-lab cf dns list -o json > records.json; $EDITOR records.json; oauth-lab cf dns apply records.json --prune',
  )
    .option('--dry-run', 'print the plan, and change nothing')
    .option('--yes', 'do not ask before --prune deletes; required without a terminal')
    .option(
      '--max-delete <limit>',
      'refuse to delete more: a number, or a share of the zone such as 50% (default: 30%, or five records)',
      deletionLimit,
    )
    .description('change a zone to the records of a file: prints a plan, then carries it out')
    .action(lazily(async () => (await import('./dns-apply.js')).applyFile))

/** `cf dns`: the records of a zone. */
export function dnsCommand(): Command {
  const dns = new Command('dns')
    .description('DNS records: list, create, set, delete, and whole files of them')
    .addHelpText(
      'after',
      cfExamples([
        'oauth-lab cf dns list --type A',
        'oauth-lab cf dns set --type A --name home --content 203.0.113.77 --dry-run',
        'oauth-lab cf dns list -o bind > example.com.zone',
      ]),
    )
  for (const command of [list(), create(), set(), remove(), diff(), apply()]) dns.addCommand(command)
  return dns
}
