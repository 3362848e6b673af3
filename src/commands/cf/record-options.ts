import { type Command, InvalidArgumentError } from 'commander'
import { parseDuration } from '../../lab/lab-file/duration.js'
import type { NamedRecord } from '../../servers/cloudflare/client/one-record.js'
import { repeated } from '../program/list-options.js'
import type { AccountFlags } from './options.js'

/** Flags of `cf dns create` and `cf dns set`. */
export interface RecordFlags extends AccountFlags {
  readonly type: string
  readonly name: string
  readonly content: string
  readonly ttl?: number
  readonly proxied?: boolean
  readonly priority?: number
  readonly comment?: string
  readonly tag?: readonly string[]
  readonly dryRun?: true
}

function seconds(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  if (/^auto(matic)?$/i.test(text)) return 1
  const ms = parseDuration(text)
  if (ms === undefined) throw new InvalidArgumentError('It is seconds, a duration such as 5m, or auto.')
  return ms / 1000
}

function rank(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It is a number from 0 to 65535.')
}

/** Adds the options that describe a record. */
export function withRecord(command: Command): Command {
  return command
    .requiredOption('--type <type>', 'A, AAAA, CNAME, MX, TXT, …')
    .requiredOption('--name <name>', 'full or relative to the zone; @ is the zone itself')
    .requiredOption(
      '--content <content>',
      'address, name or text; of MX with its priority: 10 mail.example.com',
    )
    .option('--ttl <seconds>', 'time to live, or auto', seconds)
    .option('--proxied', 'the service proxies the traffic')
    .option('--no-proxied', 'it does not')
    .option('--priority <number>', 'priority of MX and URI records', rank)
    .option('--comment <text>', 'a note on the record')
    .option('--tag <name:value>', 'repeat it', repeated)
    .option('--dry-run', 'show what would be done, and send nothing')
}

/** The record of the flags, unchecked. The content of MX and URI may begin with the priority. */
export function givenRecord(flags: RecordFlags): NamedRecord {
  const { name, ttl, proxied, comment, tag: tags } = flags
  const type = flags.type.toUpperCase()
  const [, first, rest] = /^\s*(\d{1,5})\s+(\S.*)$/s.exec(flags.content) ?? []
  const split = flags.priority === undefined && (type === 'MX' || type === 'URI') && rest !== undefined
  const content = split ? rest : flags.content
  const priority = split ? Number(first) : flags.priority
  const members = { type, name, content, priority, ttl, proxied, comment, tags }
  const given = Object.entries(members).filter(([, value]) => value !== undefined)
  return { name, ...Object.fromEntries(given) }
}
