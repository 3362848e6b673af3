import { type Command, Option } from 'commander'
import type { Query } from '../../cloudflare/client/requests.js'
import { recordName } from '../../cloudflare/records/names.js'
import { UsageError } from '../../errors.js'
import { nearest } from '../../lab/nearest.js'
import type { ListForm } from './list-form.js'
import type { TargetFlags } from './target-options.js'

/** Flags of `cf dns list`. */
export interface ListFlags extends TargetFlags {
  readonly type?: string
  readonly name?: string
  readonly content?: string
  readonly search?: string
  readonly proxied?: boolean
  readonly filter?: readonly string[]
  readonly match?: string
  readonly order?: string
  readonly desc?: true
  readonly output?: ListForm
}

const ways = ['exact', 'contains', 'startswith', 'endswith'] as const

/** The filters of the service that have no option of their own. */
export const FILTERS: readonly string[] = [
  ...['name', 'content', 'comment', 'tag'].flatMap(field => ways.map(way => `${field}.${way}`)),
  ...['comment.present', 'comment.absent', 'tag.present', 'tag.absent', 'tag', 'tag_match'],
]

const repeated = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

/** Adds the options that choose records. */
export function withFilters(command: Command): Command {
  return command
    .option('--type <type>', 'of this type')
    .option('--name <name>', 'of exactly this name, full or relative to the zone')
    .option('--content <content>', 'with exactly this content')
    .option('--search <text>', 'with this text in any of its parts')
    .option('--proxied', 'whose traffic the service takes on itself')
    .option('--no-proxied', 'whose traffic it does not')
    .option('--filter <name=value>', `${FILTERS.slice(0, 4).join(', ')}, … of the API; repeat it`, repeated)
    .addOption(new Option('--match <how>', 'whether all filters have to agree').choices(['all', 'any']))
    .addOption(
      new Option('--order <field>', 'sorted by').choices(['type', 'name', 'content', 'ttl', 'proxied']),
    )
    .option('--desc', 'the other way round')
}

function parsedFilter(text: string): readonly [name: string, value: string] {
  const mark = text.indexOf('=')
  const name = mark < 0 ? text : text.slice(0, mark)
  const alone = /\.(present|absent)$/.test(name)
  if (!FILTERS.includes(name)) {
    const near = nearest(name, FILTERS)
    throw new UsageError(`--filter ${JSON.stringify(name)} is no filter of the API`, [
      ...(near === undefined ? [] : [`Did you mean ${near}?`]),
      `There are ${FILTERS.join(', ')}`,
    ])
  }
  if (mark < 0 && !(alone && name.startsWith('comment'))) {
    throw new UsageError(`--filter ${name} has no value`, [`Write it as --filter ${name}=TEXT`])
  }
  return [name, mark < 0 ? 'true' : text.slice(mark + 1)]
}

/**
 * Reads the flags; the query then depends on the name of the zone.
 * @throws UsageError
 */
export function filterQuery(flags: ListFlags): (zone: string) => Query {
  const { type, name, content, search, proxied, match, order, desc } = flags
  const filters = Object.fromEntries((flags.filter ?? []).map(parsedFilter))
  return zone => ({
    type: type?.toUpperCase(),
    name: name === undefined ? undefined : (recordName(name, zone) ?? name),
    ...{ content, search, proxied, match, order },
    direction: desc ? 'desc' : undefined,
    ...filters,
  })
}
