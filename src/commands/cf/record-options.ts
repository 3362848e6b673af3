import { type Command, InvalidArgumentError } from 'commander'
import type { GivenRecord } from '../../cloudflare/records/record-fields.js'
import { parseDuration } from '../../lab/duration.js'
import type { TargetFlags } from './target-options.js'

/** What `create` and `set` are told of a record. */
export interface RecordFlags extends TargetFlags {
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

const repeated = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

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
    .option('--proxied', 'the service takes the traffic on itself')
    .option('--no-proxied', 'it does not')
    .option('--priority <number>', 'of MX and URI', rank)
    .option('--comment <text>', 'a note to keep with it')
    .option('--tag <name:value>', 'repeat it', repeated)
    .option('--dry-run', 'show what would be done, and send nothing')
}

/** A record as the flags describe it, unchecked. MX and URI may have their priority in the content. */
export function givenRecord(flags: RecordFlags): GivenRecord {
  const type = flags.type.toUpperCase()
  const [, first, rest] = /^\s*(\d{1,5})\s+(\S.*)$/s.exec(flags.content) ?? []
  const split = flags.priority === undefined && (type === 'MX' || type === 'URI') && rest !== undefined
  const { ttl, proxied, comment, tag: tags, name } = flags
  const priority = split ? Number(first) : flags.priority
  return {
    type,
    name,
    content: split ? rest : flags.content,
    ...(priority !== undefined && { priority }),
    ...(ttl !== undefined && { ttl }),
    ...(proxied !== undefined && { proxied }),
    ...(comment !== undefined && { comment }),
    ...(tags !== undefined && { tags }),
  }
}
