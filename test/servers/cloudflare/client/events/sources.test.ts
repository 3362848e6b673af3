import { describe, expect, it } from 'vitest'
import { bytes } from '../../../../../src/protocol/http/message.js'
import type { ListedEvent } from '../../../../../src/servers/cloudflare/client/events/event.js'
import { readFilter } from '../../../../../src/servers/cloudflare/client/events/event-query.js'
import {
  type EventApi,
  findEvents,
} from '../../../../../src/servers/cloudflare/client/events/event-source.js'
import { follow } from '../../../../../src/servers/cloudflare/client/events/search.js'
import type { Ask } from '../../../../support/ask.js'
import { emulator, start, zone } from '../../support.js'
import { serviceOf } from './support.js'

const HOUR = 3_600_000
const both: readonly EventApi[] = ['rest', 'graphql']

async function ask(
  api: EventApi,
  words: Parameters<typeof readFilter>[0] = {},
  { limit = 1000, since = start - HOUR, until }: { limit?: number; since?: number; until?: number } = {},
) {
  const asked: string[] = []
  const service = serviceOf(emulator({ hostile: true }).site.handle, asked)
  const filter = readFilter(words, { strict: api === 'rest' })
  const period = { since, ...(until !== undefined && { until }) }
  const found = await findEvents(service, api, { zone, period, filter }, limit)
  return { ...found, asked }
}

const counted = (events: readonly ListedEvent[], field: 'action' | 'source') =>
  Object.fromEntries(
    [...new Set(events.map(event => event[field]))].map(value => [
      value,
      events.filter(event => event[field] === value).length,
    ]),
  )

/** GraphQL has one name for `simulate` and `log`. */
const alike = ({ logged_only: _, matches: __, ...event }: ListedEvent) => ({
  ...event,
  action: event.action === 'log' ? 'simulate' : event.action,
})

describe('over REST and over GraphQL', () => {
  it('the events, their order and their shape are the same', async () => {
    const [rest, graphql] = await Promise.all(both.map(api => ask(api, {}, { since: start - 24 * HOUR })))
    expect(rest!.events).toHaveLength(211)
    expect(graphql!.events.map(alike)).toEqual(rest!.events.map(alike))
  })

  it.each(both)('%s: the last hour has the events of the fixture', async api => {
    const { events, more } = await ask(api, { kind: 'firewall', source: 'rateLimit' })
    expect(counted(events, 'action')).toEqual({ drop: 26, simulate: 14 })
    expect(events.filter(event => event.logged_only).map(event => event.action)).toEqual(
      Array.from({ length: 14 }, () => 'simulate'),
    )
    expect(more).toBe(false)
  })

  it.each(both)('%s: filters take several values, networks and codes in any case', async api => {
    const { events } = await ask(api, { action: 'drop,Challenge', ip: '203.0.113.0/24', country: 'br,VN' })
    expect(events.length).toBeGreaterThan(10)
    for (const { action, ip, country } of events) {
      expect(['drop', 'challenge']).toContain(action)
      expect(ip).toMatch(/^203\.0\.113\./)
      expect(['BR', 'VN']).toContain(country)
    }
    const v6 = await ask(api, { ip: '2001:DB8::/32', host: 'ADMIN.example.com' })
    expect(v6.events.length).toBeGreaterThan(0)
    expect(v6.events.every(({ ip }) => ip.startsWith('2001:db8'))).toBe(true)
  })

  it.each(both)('%s: pages are read to the end, and each event comes once', async api => {
    const small = await ask(api, {}, { limit: 60, since: start - 24 * HOUR })
    expect(small).toMatchObject({ more: true })
    expect(small.events).toHaveLength(60)
    const { site } = emulator()
    const asked: string[] = []
    const service = serviceOf(site.handle, asked)
    const query = { zone, period: { since: start - 24 * HOUR }, filter: {} }
    // Pages of 11: the first answer is too large to be read.
    const narrow: Ask = async request => {
      const wide = request.url.includes('limit=51') || Buffer.from(request.body).includes('"limit":51')
      if (wide) throw Object.assign(new Error('larger than 1 MiB'), { code: 'EMSGSIZE' })
      return site.handle(request)
    }
    const found = await findEvents(serviceOf(narrow, asked), api, query, 50)
    expect(new Set(found.events.map(({ ray_id }) => ray_id)).size).toBe(50)
    const whole = await findEvents(service, api, query, 50)
    expect(found.events.map(each => each.ray_id)).toEqual(whole.events.map(each => each.ray_id))
    expect(asked.length).toBeGreaterThan(5)
  })

  it('no event is later than the end', async () => {
    for (const api of both) {
      const { events } = await ask(api, {}, { since: start - 2 * HOUR, until: start - HOUR })
      expect(events.length).toBeGreaterThan(0)
      expect(events.every(each => Date.parse(each.occurred_at) <= start - HOUR)).toBe(true)
    }
  })

  it('the newer names block and log mean drop and simulate', async () => {
    for (const api of both) {
      const [block, drop] = [await ask(api, { action: 'block' }), await ask(api, { action: 'drop' })]
      expect(block.events.length).toBe(drop.events.length)
    }
    expect((await ask('graphql', { action: 'log' })).events.length).toBeGreaterThan(10)
  })
})

describe('events of the ten fields alone', () => {
  const one = { kind: 'firewall', source: 'rateLimit', action: 'simulate', ip: '192.0.2.1' }
  const list =
    (result: readonly object[]): Ask =>
    async () => ({
      status: 200,
      headers: [['content-type', 'application/json']],
      body: bytes(JSON.stringify({ result, success: true, errors: [], messages: [] })),
    })
  const query = { zone, period: { since: start }, filter: {} }

  it('are all listed, repeated ones too; events with a ray id are listed once', async () => {
    const named = { ...one, ray_id: 'a' }
    const { events } = await findEvents(serviceOf(list([one, one, named, named])), 'rest', query, 10)
    const expected = ['', '', 'a'].map(ray_id => ({ ray_id, logged_only: true }))
    expect(events).toMatchObject(expected)
  })

  it('are followed, each once', async () => {
    const answers = [[one], [one, one], [one, one]]
    const seen: number[] = []
    const find = async () => findEvents(serviceOf(list(answers.shift() ?? [])), 'rest', query, 10)
    const events = follow(
      { since: start },
      { find, interval: 1, late: 0, pause: async () => {}, troubled: () => {}, recovered: () => {} },
    )
    for await (const batch of events) {
      seen.push(batch.length)
      if (seen.length === 2) break
    }
    expect(seen).toEqual([1, 1])
  })
})

describe('refusals', () => {
  const failed = (message: string) => ({ data: null, errors: [{ message }] })
  const graphql = (body: object, status = 200) =>
    serviceOf(async () => ({
      status,
      headers: [['content-type', 'application/json']],
      body: bytes(JSON.stringify(body)),
    }))
  const query = { zone, period: { since: start }, filter: {} }

  it.each([
    ['an error in a 200', failed('unknown field "x"'), 200, 'refused', /unknown field "x" \(HTTP 200\)/],
    ['no permission', failed('zones ["a"] are not authorized'), 403, 'refused', /not authorized/],
    ['an old time', failed('cannot request data older than 86400s'), 400, 'refused', /older than/],
    ['a budget that is spent', failed('rate limiter budget depleted'), 429, 'refused', /budget depleted/],
    ['no data', { data: { viewer: {} }, errors: null }, 200, 'transport', /no events in it/],
  ])('of GraphQL: %s', async (_, body, status, kind, says) => {
    const asked = findEvents(graphql(body, status), 'graphql', query, 10)
    await expect(asked).rejects.toMatchObject({ kind, message: expect.stringMatching(says) })
  })

  it('of REST name the parameter', async () => {
    const future = { ...query, period: { since: start + HOUR } }
    const found = findEvents(serviceOf(emulator().site.handle), 'rest', future, 10)
    const message = expect.stringMatching(/since must not be in the future\. \(10400, HTTP 400\)/)
    await expect(found).rejects.toMatchObject({ kind: 'refused', message })
  })

  it('stops reading a list without an end', async () => {
    const result_info = { cursors: { after: 'x' } }
    const page = { result: [{ ray_id: 'a' }], success: true, errors: [], messages: [], result_info }
    const found = findEvents(graphql(page), 'rest', query, 10)
    const message = expect.stringMatching(/no last page/)
    await expect(found).rejects.toMatchObject({ kind: 'transport', message })
  })
})
