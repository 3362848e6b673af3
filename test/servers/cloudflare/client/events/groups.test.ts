import { describe, expect, it } from 'vitest'
import { bytes, text } from '../../../../../src/protocol/http/message.js'
import { readFilter } from '../../../../../src/servers/cloudflare/client/events/event-query.js'
import {
  countAtService,
  type EventSearch,
  searchEvents,
} from '../../../../../src/servers/cloudflare/client/events/search.js'
import { countJson } from '../../../../../src/show/render/events/events-count.js'
import { USUAL_FIELDS } from '../../../../../src/show/render/events/events-list.js'
import type { Ask } from '../../../../support/ask.js'
import { emulator, start, zone } from '../../support.js'
import { serviceOf } from './support.js'

const HOUR = 3_600_000

/** A search over GraphQL, and the requests that it makes. */
function search(
  words: Parameters<typeof readFilter>[0] = {},
  { hours = 1, handle = emulator().site.handle as Ask }: { hours?: number; handle?: Ask } = {},
) {
  const asked: string[] = []
  const found: EventSearch = {
    service: serviceOf(handle, asked),
    api: 'graphql',
    zone: { id: zone, name: 'example.com' },
    filter: readFilter(words, { strict: false }),
    period: { since: start - hours * HOUR },
    asOf: start,
    limit: 10_000,
  }
  return { search: found, asked }
}

/** An answer with these groups, whatever is asked. */
const answering =
  (status: number, body: unknown): Ask =>
  async () => ({ status, headers: [['content-type', 'application/json']], body: bytes(JSON.stringify(body)) })

describe('events that the service counts', () => {
  it.each([
    ['an hour', {}, 1],
    ['a day', {}, 24],
    ['several values', { action: 'drop,log', country: 'br,de' }, 24],
    ['a network', { ip: '203.0.113.0/24' }, 24],
    ['a host and a source', { host: 'login.example.com', source: 'rateLimit' }, 2],
  ])('have the counts of the events themselves: %s', async (_, words, hours) => {
    const { search: wanted, asked } = search(words, { hours })
    const counted = (await countAtService(wanted, USUAL_FIELDS))!
    expect(asked).toEqual(['POST /graphql'])
    const { events } = await searchEvents(wanted)
    const json = (list: typeof events) =>
      countJson({ search: wanted, events: list }) as { count: number; timeline: number[] }
    expect(events.length).toBeGreaterThan(0)
    const [one, other] = [json(counted), json(events)]
    expect({ ...one, timeline: [] }).toEqual({ ...other, timeline: [] })
    const sum = (list: number[]) => list.reduce((a, b) => a + b, 0)
    expect(sum(one.timeline)).toBe(other.count)
  })

  it('are grouped by the fields that are asked for', async () => {
    const { search: wanted } = search({}, { hours: 24 })
    const groupBy = ['uri', 'action'] as const
    const counted = (await countAtService(wanted, groupBy))!
    const { events } = await searchEvents(wanted)
    expect(countJson({ search: wanted, events: counted, groupBy })).toMatchObject({
      groups: (countJson({ search: wanted, events, groupBy }) as { groups: object[] }).groups,
    })
  })

  it('are asked for by the conditions of the filter, and no event is transferred', async () => {
    let body = ''
    const { site } = emulator()
    const { search: wanted } = search(
      { action: 'drop' },
      {
        handle: request => {
          body = text(request.body)
          return site.handle(request)
        },
      },
    )
    await countAtService(wanted, ['action'])
    expect(JSON.parse(body)).toMatchObject({
      variables: { zoneTag: zone, filter: { action: 'block' }, limit: 10_000 },
    })
    expect(body).toContain('firewallEventsAdaptiveGroups')
    expect(body).not.toMatch(/rayName|userAgent/)
  })

  const zones = (groups: unknown) => ({
    data: { viewer: { zones: [{ firewallEventsAdaptiveGroups: groups }] } },
    errors: null,
  })
  it.each([
    [
      'a plan without groups',
      answering(200, {
        data: null,
        errors: [{ message: `zone '${zone}' does not have access to the path` }],
      }),
    ],
    [
      'a service that does not know them',
      answering(400, { data: null, errors: [{ message: 'unknown field' }] }),
    ],
    [
      'more groups than an answer holds',
      answering(200, zones(Array.from({ length: 10_000 }, () => ({ count: 1 })))),
    ],
  ])('are found one by one with %s', async (_, handle) => {
    expect(await countAtService(search({}, { handle }).search, USUAL_FIELDS)).toBeUndefined()
  })

  it('survive groups of any shape', async () => {
    const handle = answering(
      200,
      zones([{ count: 'x' }, {}, null, 5, { count: 3, dimensions: { action: 7 } }]),
    )
    const counted = await countAtService(search({}, { handle }).search, ['action'])
    expect(counted).toMatchObject([{ action: '7', times: 3, occurred_at: '' }])
  })

  it('are not counted over REST', async () => {
    const { search: wanted, asked } = search()
    expect(await countAtService({ ...wanted, api: 'rest' }, USUAL_FIELDS)).toBeUndefined()
    expect(asked).toEqual([])
  })
})
