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
    expect(answer.json()).toEqual({
      data: {
        __typename: 'Query',
        v: {
          z: [{ zoneTag: zone, newest: [{ kind: 'firewall', __typename: 'ZoneFirewallEventsAdaptive' }] }],
        },
      },
      errors: null,
    })
  })

  it.each([
    ['introspection', '{ __schema { types { name } } }', {}, /^unknown field "__schema"$/, ['__schema']],
    [
      'a missing variable',
      `query($z: string!) { viewer { zones(filter: { zoneTag: $z }) { zoneTag } } }`,
      {},
      /\$z/,
      null,
    ],
    [
      'a type of variable that is not known',
      'query($a: Nothing) { viewer { __typename } }',
      {},
      /Nothing/,
      null,
    ],
    ['an unknown fragment', '{ ...nothing }', {}, /^error parsing query: Unknown fragment "nothing"/, null],
    [
      'a cycle of fragments',
      '{ ...a } fragment a on Query { viewer { ...b } } fragment b on viewer { zones { zoneTag } ...b }',
      {},
      /nested too deeply/,
      null,
    ],
    [
      'no operation of that name',
      '{ __typename }',
      { operationName: 'other' },
      /^error parsing query: /,
      null,
    ],
    [
      'two operations without a name',
      'query A { __typename } query B { __typename }',
      {},
      /operation name/,
      null,
    ],
    ['a mutation', 'mutation { viewer { __typename } }', {}, /^error parsing query: .*mutation/, null],
    [
      'an object without a selection',
      within(events),
      {},
      /^object field must have selections$/,
      ['viewer', 'zones', '0', 'firewallEventsAdaptive'],
    ],
    [
      'a scalar with a selection',
      within('zoneTag { a }'),
      {},
      /^scalar fields must have no selections$/,
      ['viewer', 'zones', '0', 'zoneTag'],
    ],
    [
      'an unknown filter',
      within('firewallEventsAdaptive(filter: { colour: "red" }) { kind }'),
      {},
      /filter field is not defined: colour$/,
      ['viewer', 'zones', '0', 'firewallEventsAdaptive'],
    ],
    [
      'a null in a list',
      within('firewallEventsAdaptive(orderBy: [null]) { kind }'),
      {},
      /^error parsing query: /,
      null,
    ],
    [
      'too many nodes',
      within(Array.from({ length: 11 }, (_, n) => `a${n}: ${events} { kind }`).join(' ')),
      {},
      /too many nodes/,
      null,
    ],
  ])('is refused for %s', async (_, query, more, message, path) => {
    const answer = await ask(query, more)
    const { data, errors } = answer.json<{ data: null; errors: { message: string; path: unknown }[] }>()
    expect([answer.status, data]).toEqual([400, null])
    expect(errors[0]?.message).toMatch(message)
    expect(errors[0]?.path).toEqual(path)
  })
})
