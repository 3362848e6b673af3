import { describe, expect, it } from 'vitest'
import type { SecurityEvent } from '../../../src/servers/cloudflare/shapes.js'
import { emulator, otherZone, pastEvents, securityEvents, start } from './support.js'

const ago = (ms: number) => new Date(start - ms).toISOString()
const hour = 3_600_000

/** All events that a query finds, page after page. */
async function all({ ask }: ReturnType<typeof emulator>, query: string): Promise<SecurityEvent[]> {
  const found: SecurityEvent[] = []
  for (let cursor = ''; ; ) {
    const answer = await ask(`${securityEvents}?limit=100&${query}${cursor && `&cursor=${cursor}`}`)
    expect(answer.status, answer.text).toBe(200)
    found.push(...answer.result<SecurityEvent[]>())
    cursor = answer.info.cursors.after
    if (cursor === '') return found
  }
}

const counts = (events: readonly SecurityEvent[], field: keyof SecurityEvent) => {
  const found: Record<string, number> = {}
  for (const event of events) found[String(event[field])] = (found[String(event[field])] ?? 0) + 1
  return found
}

describe('the events of the last day', () => {
  it('contain the attacks of the fixture', async () => {
    const events = await all(emulator(), '')
    expect(events).toHaveLength(210)
    const rare = { jschallenge: 14, log: 7, allow: 3, connectionClose: 1 }
    expect(counts(events, 'action')).toEqual({ drop: 118, simulate: 42, challenge: 25, ...rare })
    const countries = { US: 33, BR: 29, ZA: 17, DE: 16, NL: 16, RO: 14, VN: 11, FR: 11, T1: 10 }
    expect(counts(events, 'country')).toMatchObject(countries)
    expect(events.filter(each => each.ua === '')).toHaveLength(23)
    expect(new Set(events.map(each => each.ray_id)).size).toBe(210)
  })

  it('contain attacks of the last hour', async () => {
    const events = await all(emulator(), `since=${ago(hour)}`)
    expect(events).toHaveLength(57)
    expect(counts(events, 'action')).toEqual({ drop: 35, simulate: 14, challenge: 4, jschallenge: 4 })
    expect(counts(events, 'source')).toEqual({ rateLimit: 40, waf: 9, firewallRules: 8 })
    const limited = await all(emulator(), `since=${ago(hour)}&kind=firewall&source=rateLimit`)
    expect(counts(limited, 'action')).toEqual({ drop: 26, simulate: 14 })
    expect(limited.filter(each => each.ua === '')).toHaveLength(7)
  })

  it('have addresses and names for documentation alone', () => {
    for (const { ip, host, asn } of pastEvents) {
      expect(ip).toMatch(/^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$|^2001:db8:/)
      expect(host).toMatch(/^(login|api|www|admin|shop)\.example\.com$/)
      expect((asn >= 64496 && asn <= 64511) || (asn >= 65536 && asn <= 65551)).toBe(true)
    }
  })

  it('are newest first, with every field a text', async () => {
    const events = await all(emulator(), '')
    const times = events.map(each => each.occurred_at)
    expect(times).toEqual([...times].sort().reverse())
    for (const { matches, ...fields } of events) {
      expect(Object.values(fields).every(value => typeof value === 'string')).toBe(true)
      expect(matches).toHaveLength(1)
    }
  })

  it('belong to the first zone', async () => {
    const answer = await emulator().ask(`/client/v4/zones/${otherZone}/security/events`)
    expect(answer.result()).toEqual([])
  })
})

describe('a request for events', () => {
  it('reports the range that it read', async () => {
    const { ask } = emulator()
    const range = 'since=2026-06-15T10:00:00%2B02:00&until=2026-06-15T11:00:00.5'
    const answer = await ask(`${securityEvents}?${range}`)
    expect(answer.text).toMatch(
      /"result_info":\{"cursors":\{"after":"[^"]*","before":""\},"scanned_range":\{"since":"2026-06-15T08:00:00Z","until":"2026-06-15T11:00:00Z"\}\}\}$/,
    )
  })

  it.each(['2026-06-15T11:00:00', '2026-06-15T11:00:00.123456Z', '2026-06-15T13:00:00+02:00'])(
    'takes since=%s',
    async since => {
      const { ask } = emulator()
      expect((await ask(`${securityEvents}?since=${since}`)).status).toBe(200)
    },
  )

  it.each([
    ['since=2026-06-15', 'since'],
    ['since=2026-06-15%2011:00:00Z', 'since'],
    ['since=yesterday', 'since'],
    ['since=2026-02-31T00:00:00Z', 'since'],
    ['since=2026-06-15T12:00:01Z', 'since must not be in the future'],
    ['since=2026-06-15T10:00:00Z&until=2026-06-15T09:00:00Z', 'since must not be later than until'],
    ['since=2025-06-14T12:00:00Z', 'since must be at most one year'],
    ['until=now', 'until'],
    ['kind=dns', 'kind'],
    ['source=ratelimit', 'source'],
    ['action=block', 'action'],
    ['ip_class=bad', 'ip_class'],
    ['proto=HTTP/3', 'proto'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=ten', 'limit'],
    ['cursor=abc', 'cursor'],
  ])('is refused for %s', async (query, said) => {
    const answer = await emulator().ask(`${securityEvents}?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.errors).toHaveLength(1)
    expect(answer.code).toBe(10400)
    expect(answer.errors[0]!.message).toMatch(new RegExp(`^${said}`))
  })

  it.each([
    ['ip=2001:DB8:DEAD:0::2', 'ip', '2001:db8:dead::2'],
    ['host=LOGIN.example.com', 'host', 'login.example.com'],
    ['country=t1', 'country', 'T1'],
    ['action=log', 'action', 'log'],
  ] as const)('finds by %s', async (query, field, value) => {
    const events = await all(emulator(), query)
    expect(events.length).toBeGreaterThan(0)
    expect(new Set(events.map(each => each[field]))).toEqual(new Set([value]))
  })

  it('returns 50 events by default', async () => {
    expect((await emulator().ask(securityEvents)).result<unknown[]>()).toHaveLength(50)
  })
})

describe('new events', () => {
  it('come every 3 to 8 seconds after the first read', async () => {
    const lab = emulator()
    lab.clock.ms += 24 * hour
    expect((await all(lab, '')).length).toBe(210)
    lab.clock.ms += 60_000
    const since = new Date(lab.clock.ms - 60_000).toISOString()
    const fresh = await all(lab, `since=${since}`)
    expect(fresh.length).toBeGreaterThanOrEqual(7)
    expect(fresh.length).toBeLessThanOrEqual(20)
    expect(lab.reads()).toBe(1)
  })

  it('are limited in number after any pause', async () => {
    const lab = emulator()
    await lab.ask(securityEvents)
    lab.clock.ms += 20 * 365 * 24 * hour
    expect((await all(lab, '')).length).toBeLessThanOrEqual(10_000)
  })
})
