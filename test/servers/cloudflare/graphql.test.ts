import { describe, expect, it } from 'vitest'
import { emulator, zone } from './support.js'

const ask = (query: string, more: object = {}) =>
  emulator().ask('/client/v4/graphql', { method: 'POST', body: { query, ...more } })

const events = 'firewallEventsAdaptive(limit: 1, orderBy: [datetime_DESC])'
const within = (node: string) => `{ viewer { zones(filter: { zoneTag: "${zone}" }) { ${node} } } }`

describe('a GraphQL query', () => {
  it('has aliases, fragments, directives and type names', async () => {
    const query = `
      query One($zone: string!, $no: Boolean = false) {
        __typename
        v: viewer { z: zones(filter: { zoneTag_in: [$zone] }) { ...parts } }
      }
      fragment parts on zone { zoneTag newest: ${events} { kind __typename at: datetime @include(if: $no) } }
      query Two { __typename }`
    const answer = await ask(query, { operationName: 'One', variables: { zone } })
    const newest = [{ kind: 'firewall', __typename: 'ZoneFirewallEventsAdaptive' }]
    const v = { z: [{ zoneTag: zone, newest }] }
    expect(answer.json()).toEqual({ data: { __typename: 'Query', v }, errors: null })
  })

  const at = (...path: string[]) => ['viewer', 'zones', '0', ...path]
  const BY_TIME = 'firewallEventsAdaptiveByTimeGroups'
  const GROUPS = 'firewallEventsAdaptiveGroups'
  const PARSING = /^error parsing query: /
  const fields = `${'fields { type { '.repeat(5)} name ${'} }'.repeat(5)}`
  const cycle =
    '{ ...a } fragment a on Query { viewer { ...b } } fragment b on viewer { zones { zoneTag } ...b }'
  const many = Array.from({ length: 11 }, (_, n) => `a${n}: ${events} { kind }`).join(' ')
  const unordered = /^error parsing args for "firewallEventsAdaptiveGroups": cannot order by "action"/
  it.each<[name: string, query: string, message: RegExp, path?: string[] | null, operationName?: string]>([
    ['an unknown node', within('noSuch(limit: 1) { count }'), /^unknown field "noSuch"$/, at('noSuch')],
    [
      'a dimension that the node does not have',
      within(`${BY_TIME}(limit: 1) { dimensions { action } }`),
      /^unknown field "action"$/,
      at(BY_TIME, '0', 'dimensions', 'action'),
    ],
    [
      'an order by a dimension that is not selected',
      within(`${GROUPS}(limit: 1, orderBy: [action_ASC]) { count }`),
      unordered,
      at(GROUPS),
    ],
    [
      'another account',
      '{ viewer { accounts(filter: { accountTag: "x" }) { accountTag } } }',
      /accounts \["x"\] are not authorized/,
      ['viewer', 'accounts'],
    ],
    ['introspection without end', `{ __schema { types { ${fields} } } }`, /[Ii]ntrospection/],
    [
      'a missing variable',
      'query($z: string!) { viewer { zones(filter: { zoneTag: $z }) { zoneTag } } }',
      /\$z/,
    ],
    ['a type of variable that is not known', 'query($a: Nothing) { viewer { __typename } }', /Nothing/],
    ['an unknown fragment', '{ ...nothing }', /^error parsing query: Unknown fragment "nothing"/],
    ['a cycle of fragments', cycle, /nested too deeply/],
    ['no operation of that name', '{ __typename }', PARSING, null, 'other'],
    ['two operations without a name', 'query A { __typename } query B { __typename }', /operation name/],
    ['a mutation', 'mutation { viewer { __typename } }', /^error parsing query: .*mutation/],
    ['an object alone', within(events), /^object field must have selections$/, at('firewallEventsAdaptive')],
    [
      'a scalar with fields',
      within('zoneTag { a }'),
      /^scalar fields must have no selections$/,
      at('zoneTag'),
    ],
    [
      'an unknown filter',
      within('firewallEventsAdaptive(filter: { colour: "red" }) { kind }'),
      /filter field is not defined: colour$/,
      at('firewallEventsAdaptive'),
    ],
    ['a null in a list', within('firewallEventsAdaptive(orderBy: [null]) { kind }'), PARSING],
    ['too many nodes', within(many), /too many nodes/],
  ])('is refused for %s', async (_name, query, message, path, operationName) => {
    const answer = await ask(query, { operationName })
    const { data, errors } = answer.json<{ data: null; errors: { message: string; path: unknown }[] }>()
    expect([answer.status, data]).toEqual([errors[0]?.message.includes('authorized') ? 403 : 400, null])
    expect(errors[0]?.message).toMatch(message)
    expect(errors[0]?.path).toEqual(path ?? null)
  })
})

describe('groups of events', () => {
  interface Group {
    readonly count: number
    readonly avg?: { readonly sampleInterval: number }
    readonly dimensions: Readonly<Record<string, string>>
  }
  const groupsOf = async (query: string, variables: object = {}): Promise<Group[]> => {
    const answer = await ask(query, { variables })
    expect(answer.status, answer.text).toBe(200)
    const { data } = answer.json<{ data: { viewer: { zones: { groups: Group[] }[] } } }>()
    return data.viewer.zones[0]!.groups
  }
  const groups = (args: string, fields: string) =>
    groupsOf(within(`groups: firewallEventsAdaptiveGroups(${args}) { ${fields} }`))

  it('count by the dimensions that are selected, in the order that is asked for', async () => {
    const all = await groups('limit: 10, orderBy: [count_DESC, action_ASC]', 'count dimensions { action }')
    expect(all.map(({ count, dimensions }) => [dimensions.action, count])).toEqual([
      ['block', 118],
      ['log', 49],
      ['challenge', 25],
      ['jschallenge', 14],
      ['allow', 3],
      ['connectionClose', 1],
    ])
    const [most, second, ...rest] = await groups(
      'limit: 2, orderBy: [count_DESC]',
      'count avg { sampleInterval } dimensions { where: clientCountryName source }',
    )
    expect(rest).toEqual([])
    expect(most!.count).toBeGreaterThanOrEqual(second!.count)
    expect(most).toEqual({
      count: expect.any(Number),
      avg: { sampleInterval: 1 },
      dimensions: { where: expect.stringMatching(/^..$/), source: expect.any(String) },
    })
    expect(await groups('limit: 10', 'count')).toEqual([{ count: 210 }])
  })

  it('are filtered, and count through fragments and directives', async () => {
    const query = `query($filter: FirewallEventsAdaptiveFilter_InputObject, $no: Boolean!) { viewer { zones(filter: { zoneTag: "${zone}" }) {
      groups: firewallEventsAdaptiveGroups(filter: $filter, limit: 100) { ...parts } } } }
      fragment parts on ZoneFirewallEventsAdaptiveGroups { count dimensions { ... on EventDimensions { action } clientIP @include(if: $no) source @skip(if: true) } }`
    const period = { datetime_geq: '2026-06-15T11:00:00Z', datetime_leq: '2026-06-15T12:00:00Z' }
    const filter = { source: 'ratelimit', ...period }
    const found = await groupsOf(query, { filter, no: false })
    expect(found.sort((a, b) => b.count - a.count)).toEqual([
      { count: 26, dimensions: { action: 'block' } },
      { count: 14, dimensions: { action: 'log' } },
    ])
  })

  it('by time have times that are rounded down, each event in one', async () => {
    const query = within(
      'groups: firewallEventsAdaptiveByTimeGroups(limit: 1000, orderBy: [datetimeHour_ASC]) { count dimensions { datetimeHour date } }',
    )
    const found = await groupsOf(query)
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(210)
    const hours = found.map(({ dimensions }) => dimensions.datetimeHour!)
    expect(hours).toEqual([...hours].sort())
    for (const hour of hours) expect(hour).toMatch(/^2026-06-1[45]T\d\d:00:00Z$/)
    const minutes = await groups('limit: 1000', 'dimensions { datetimeFiveMinutes datetimeFifteenMinutes }')
    for (const { dimensions } of minutes) {
      expect(dimensions.datetimeFiveMinutes).toMatch(/:[0-5][05]:00Z$/)
      expect(dimensions.datetimeFifteenMinutes).toMatch(/:(00|15|30|45):00Z$/)
    }
  })
})

describe('the schema', () => {
  it('has the nodes of accounts, without traffic', async () => {
    const node = 'workersInvocationsAdaptive(limit: 1) { sum { requests } dimensions { scriptName } }'
    const account = '1ab0000000000000000000000000000a'
    const answer = await ask(`{ viewer { accounts(filter: { accountTag: "${account}" }) { ${node} } } }`)
    const data = { viewer: { accounts: [{ workersInvocationsAdaptive: [] }] } }
    expect(answer.json()).toEqual({ data, errors: null })
  })

  it('is introspected by the query of GraphQL tools', async () => {
    const { getIntrospectionQuery, buildClientSchema } = await import('graphql')
    const answer = await ask(getIntrospectionQuery())
    expect(answer.status, answer.text.slice(0, 300)).toBe(200)
    const { data } = answer.json<{ data: Parameters<typeof buildClientSchema>[0] }>()
    const names = data.__schema.types.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['viewer', 'zone', 'ZoneFirewallEventsAdaptiveGroups']))
    const one = await ask('{ __type(name: "zone") { fields { name } } }')
    expect(one.text).toContain('firewallEventsAdaptiveByTimeGroups')
  })

  it('reports the limits of its nodes', async () => {
    const answer = await ask(
      within(
        'settings { firewallEventsAdaptiveGroups { enabled maxPageSize notOlderThan availableFields } httpRequests1mGroups { enabled } }',
      ),
    )
    const { data } = answer.json<{ data: { viewer: { zones: { settings: object }[] } } }>()
    expect(data.viewer.zones[0]!.settings).toEqual({
      firewallEventsAdaptiveGroups: {
        enabled: true,
        maxPageSize: 10_000,
        notOlderThan: 2_678_400,
        availableFields: expect.arrayContaining(['count', 'dimensions_action', 'dimensions_datetimeHour']),
      },
      httpRequests1mGroups: { enabled: false },
    })
  })
})
