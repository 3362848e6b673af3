import { domainName } from '../records/names.js'
import type { DnsRecord } from '../shapes.js'

type Test = (record: DnsRecord) => boolean

const lower = (text: string): string => text.toLowerCase()

/** The comparisons of texts in lower case. */
const comparisons: { readonly [way: string]: (value: string, wanted: string) => boolean } = {
  exact: (value, wanted) => value === wanted,
  contains: (value, wanted) => value.includes(wanted),
  startswith: (value, wanted) => value.startsWith(wanted),
  endswith: (value, wanted) => value.endsWith(wanted),
}

/** Returns the tests of one text: `name=`, `name.exact=`, `name.contains=` and so on. */
function textTests(
  query: URLSearchParams,
  field: string,
  values: (record: DnsRecord) => readonly string[],
  plain: (wanted: string) => string = lower,
): Test[] {
  return Object.entries(comparisons).flatMap(([way, compare]) => {
    const names = way === 'exact' ? [field, `${field}.exact`] : [`${field}.${way}`]
    return names.flatMap(name => {
      const wanted = query.get(name)
      if (wanted === null || wanted === '') return []
      const text = way === 'exact' ? plain(wanted) : lower(wanted)
      return [(record: DnsRecord) => values(record).some(value => compare(lower(value), text))]
    })
  })
}

/** Returns the tests for `comment.present` and `comment.absent`. The parameters need no value. */
function presenceTests(query: URLSearchParams, field: string, present: Test): Test[] {
  return [
    ...(query.has(`${field}.present`) ? [present] : []),
    ...(query.has(`${field}.absent`) ? [(record: DnsRecord) => !present(record)] : []),
  ]
}

/** Returns the tests of tags: `tag=name:value`, `tag.present=name`, `tag.exact=name:value` and so on. */
function tagTests(query: URLSearchParams): Test[] {
  const named = (name: string) => query.get(`tag.${name}`)
  const has = (tag: string) => (record: DnsRecord) =>
    record.tags.some(each => lower(each).split(':', 1)[0] === lower(tag))
  const compared = (['contains', 'startswith', 'endswith'] as const).flatMap(way => {
    const [name, value] = split(named(way))
    if (name === undefined) return []
    const test: Test = record =>
      record.tags.some(each => {
        const [own, text] = split(lower(each))
        return own === name && comparisons[way]!(text ?? '', value ?? '')
      })
    return [test]
  })
  const exact = [query.get('tag'), named('exact')].flatMap(wanted =>
    wanted ? [(record: DnsRecord) => record.tags.some(each => lower(each) === lower(wanted))] : [],
  )
  const present = named('present')
  const absent = named('absent')
  return [
    ...exact,
    ...compared,
    ...(present ? [has(present)] : []),
    ...(absent ? [(record: DnsRecord) => !has(absent)(record)] : []),
  ]
}

function split(tag: string | null): readonly [name?: string, value?: string] {
  if (!tag) return []
  const mark = tag.indexOf(':')
  return mark < 0 ? [lower(tag), ''] : [lower(tag.slice(0, mark)), lower(tag.slice(mark + 1))]
}

function together(tests: readonly Test[], how: string | null): Test {
  if (tests.length === 0) return () => true
  return how === 'any'
    ? record => tests.some(test => test(record))
    : record => tests.every(test => test(record))
}

const orders: { readonly [field: string]: (record: DnsRecord) => string | number } = {
  type: ({ type }) => type,
  name: ({ name }) => name,
  content: ({ content }) => content,
  ttl: ({ ttl }) => ttl,
  proxied: ({ proxied }) => Number(proxied),
}

function sorted(records: DnsRecord[], query: URLSearchParams): DnsRecord[] {
  const order = query.get('order') ?? ''
  const key = Object.hasOwn(orders, order) ? orders[order] : undefined
  if (key === undefined) return records
  const sign = query.get('direction') === 'desc' ? -1 : 1
  return records.sort((a, b) => {
    const [left, right] = [key(a), key(b)]
    return left < right ? -sign : left > right ? sign : 0
  })
}

/** Returns the records that a query requests, in the requested order. Ignores unknown parameters. */
export function filterRecords(records: Iterable<DnsRecord>, query: URLSearchParams): DnsRecord[] {
  const type = query.get('type')
  const proxied = query.get('proxied')
  const search = query.get('search')
  const fields = together(
    [
      ...textTests(
        query,
        'name',
        record => [record.name],
        wanted => domainName(wanted) ?? lower(wanted),
      ),
      ...textTests(query, 'content', record => [record.content]),
      ...textTests(query, 'comment', record => (record.comment === null ? [] : [record.comment])),
      ...presenceTests(query, 'comment', record => record.comment !== null),
      ...(type ? [(record: DnsRecord) => record.type === type.toUpperCase()] : []),
      ...(proxied ? [(record: DnsRecord) => String(record.proxied) === lower(proxied)] : []),
    ],
    query.get('match'),
  )
  const tags = together(tagTests(query), query.get('tag_match'))
  const found: Test = search
    ? ({ name, content, comment, type: own, tags: all }) =>
        [name, content, comment ?? '', own, ...all].some(text => lower(text).includes(lower(search)))
    : () => true
  const wanted = [...records].filter(record => fields(record) && tags(record) && found(record))
  return sorted(wanted, query)
}
