import { nearestHint } from '../../lab/lab-file/nearest.js'
import { UsageError } from '../../protocol/errors.js'
import type { Query } from '../../servers/cloudflare/client/api.js'
import { recordName } from '../../servers/cloudflare/records/names.js'
import type { RecordSearch } from './options.js'

const ways = ['exact', 'contains', 'startswith', 'endswith'] as const

/** The filters of the service that have no option of their own. */
const FILTERS: readonly string[] = [
  ...['name', 'content', 'comment', 'tag'].flatMap(field => ways.map(way => `${field}.${way}`)),
  ...['comment.present', 'comment.absent', 'tag.present', 'tag.absent', 'tag', 'tag_match'],
]

function parsedFilter(text: string): readonly [name: string, value: string] {
  const mark = text.indexOf('=')
  const name = mark < 0 ? text : text.slice(0, mark)
  if (!FILTERS.includes(name)) {
    throw new UsageError(`--filter ${JSON.stringify(name)} is no filter of the API`, [
      ...nearestHint(name, FILTERS),
      `There are ${FILTERS.join(', ')}`,
    ])
  }
  if (mark < 0 && !/^comment\.(present|absent)$/.test(name)) {
    throw new UsageError(`--filter ${name} has no value`, [`Write it as --filter ${name}=TEXT`])
  }
  return [name, mark < 0 ? 'true' : text.slice(mark + 1)]
}

/**
 * Reads a search. The query depends on the name of the zone, which is known later.
 * @throws UsageError
 */
export function recordQuery(given: RecordSearch): (zone: string) => Query {
  const { type, name, content, search, proxied, match, order, desc } = given
  const filters = Object.fromEntries((given.filter ?? []).map(parsedFilter))
  return zone => ({
    type: type?.toUpperCase(),
    name: name === undefined ? undefined : (recordName(name, zone) ?? name),
    content,
    search,
    proxied,
    match,
    order,
    direction: desc ? 'desc' : undefined,
    ...filters,
  })
}
