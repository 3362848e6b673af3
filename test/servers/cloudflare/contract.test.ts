import { describe, expect, it } from 'vitest'
import { email, emulator, otherZone, records, token, zone } from './support.js'

const api = '/client/v4'
const failed = (code: number, message: string) =>
  JSON.stringify({ result: null, success: false, errors: [{ code, message }], messages: [] })

describe('routes', () => {
  const lost = (path: string) => `Could not route to ${path}, perhaps your object identifier is invalid?`
  it.each([
    [`${api}/zones/${zone}/nowhere`, 404, 7000, 'No route for that URI'],
    ['/nowhere', 404, 7000, 'No route for that URI'],
    [`${api}/zones/abc/dns_records`, 404, 7003, lost(`${api}/zones/abc/dns_records`)],
    [`${api}/zones/abc`, 404, 7003, lost(`${api}/zones/abc`)],
    [`${records}/abc`, 404, 7003, lost(`${records}/abc`)],
    [`${api}/zones/${'0'.repeat(32)}`, 403, 10000, 'Authentication error'],
    [`${api}/zones/${'0'.repeat(32)}/dns_records`, 403, 10000, 'Authentication error'],
    [`${records}/${'0'.repeat(32)}`, 404, 81044, 'Record does not exist.'],
  ])('%s is answered %i', async (path, status, code, message) => {
    const answer = await emulator().ask(path)
    expect([answer.status, answer.text]).toEqual([status, failed(code, message)])
    expect(answer.header('content-type')).toBe('application/json')
  })

  it('refuse other methods', async () => {
    const answer = await emulator().ask(records, { method: 'DELETE' })
    expect([answer.status, answer.code, answer.header('allow')]).toEqual([405, 10405, 'GET, POST'])
  })

  it('are found with a slash at the end, a body on GET, no content type, unknown parameters', async () => {
    const { ask } = emulator()
    const headers = [['Authorization', `Bearer ${token}`]] as const
    const answer = await ask(`${records}/?0=0&1=1&nonsense=%zz`, { headers, rawBody: '{}' })
    expect([answer.status, answer.result()]).toEqual([200, []])
  })

  it('return the zones, the user and the account', async () => {
    const { ask } = emulator()
    const names = async (query: string) =>
      (await ask(`${api}/zones?${query}`)).result<{ name: string }[]>().map(each => each.name)
    expect(await names('')).toEqual(['example.com', 'example.org'])
    expect(await names('name=Example.com&status=active')).toEqual(['example.com'])
    expect(await names('name=example.net')).toEqual([])
    expect(await names('status=pending')).toEqual([])
    expect(await names('per_page=1&page=2')).toEqual(['example.org'])
    expect((await ask(`${api}/zones/${otherZone}`)).result()).toMatchObject({
      id: otherZone,
      status: 'active',
    })
    expect((await ask(`${api}/user`)).result()).toMatchObject({ email })
    expect((await ask(`${api}/accounts`)).result<unknown[]>()).toHaveLength(1)
  })
})

describe('lists', () => {
  async function filled() {
    const lab = emulator()
    const given = [
      { type: 'A', name: 'one', content: '192.0.2.1', comment: 'Front', tags: ['owner:ann'] },
      { type: 'A', name: 'two', content: '192.0.2.2', proxied: true },
      { type: 'TXT', name: 'one', content: 'Hello', ttl: 60 },
      { type: 'CNAME', name: 'three', content: 'one.example.com' },
    ]
    for (const each of given) await lab.create(each)
    return lab
  }

  it.each([
    ['', 'one two one three'],
    ['name=ONE.example.com.', 'one one'],
    ['name=one', ''],
    ['name.exact=two.example.com', 'two'],
    ['name.contains=E', 'one two one three'],
    ['name.startswith=t', 'two three'],
    ['name.endswith=.com&type=a', 'one two'],
    ['content=hello', 'one'],
    ['content.contains=one', 'three'],
    ['type=CNAME&name.exact=three.example.com', 'three'],
    ['type=CNAME&content=hello&match=any', 'one three'],
    ['proxied=true', 'two'],
    ['comment.present=', 'one'],
    ['comment.absent=', 'two one three'],
    ['comment.contains=front', 'one'],
    ['tag=owner:ann', 'one'],
    ['tag.present=owner', 'one'],
    ['tag.absent=owner', 'two one three'],
    ['search=192.0.2', 'one two'],
    ['order=name&direction=desc', 'two three one one'],
    ['per_page=3&page=2', 'three'],
    ['page=9', ''],
  ])('are filtered by %s', async (query, names) => {
    const answer = await (await filled()).ask(`${records}?${query}`)
    expect(answer.status).toBe(200)
    const found = answer.result<{ name: string }[]>().map(each => each.name.replace('.example.com', ''))
    expect(found.join(' ')).toBe(names)
  })

  it('report the position of the page', async () => {
    const { info } = await (await filled()).ask(`${records}?per_page=3&page=2`)
    expect(JSON.stringify(info)).toBe('{"page":2,"per_page":3,"count":1,"total_count":4,"total_pages":2}')
  })
})

describe('a zone', () => {
  const within = (path: string) => `/client/v4/zones/${zone}/${path}`
  it('has the settings, and no rules, that clients of records ask for', async () => {
    const { ask } = emulator()
    const result = async (path: string) => (await ask(within(path))).result<unknown>()
    expect(await result('pagerules?status=active')).toEqual([])
    expect(await result('rulesets')).toEqual([])
    expect((await ask(within('firewall/rules'))).info).toMatchObject({ count: 0, total_pages: 0 })
    expect(await result('dnssec')).toMatchObject({ status: 'disabled', ds: null })
    const ssl = { id: 'ssl', value: 'full', modified_on: null, editable: true }
    expect(await result('settings')).toContainEqual(ssl)
    expect(await result('settings/always_use_https')).toMatchObject({ id: 'always_use_https', value: 'off' })
    expect(await result('available_plans')).toMatchObject([{ legacy_id: 'pro', is_subscribed: true }])
    expect(await result('dns_settings')).toMatchObject({ ns_ttl: 86_400, soa: { rname: 'dns.example.com' } })
  })

  it.each([
    ['settings/nothing', 'GET', 400, 1003],
    ['settings/nothing', 'PATCH', 400, 1003],
    ['settings/ssl', 'DELETE', 405, 10405],
    ['pagerules', 'POST', 405, 10405],
    ['dnssec/x', 'GET', 404, 7000],
  ])('refuses %s by %s', async (path, method, status, code) => {
    const answer = await emulator().ask(within(path), { method })
    expect([answer.status, answer.code]).toEqual([status, code])
  })
})

describe('the rate limit', () => {
  it.each([
    ['no credentials', [], 400],
    ['an unknown token', [['Authorization', 'Bearer nobody00000000000000000000000000000000001']], 403],
    ['a malformed key', [['X-Auth-Key', 'x']], 400],
  ] as const)('is not spent by requests with %s', async (_, headers, status) => {
    const { ask } = emulator({ rate: { attempts: 2, window: 300_000 } })
    for (let i = 0; i < 20; i++) {
      const refused = await ask(records, { headers })
      expect([refused.status, refused.header('ratelimit')]).toEqual([status, '"default";r=2;t=300'])
    }
    const answer = await ask(records)
    expect([answer.status, answer.header('ratelimit')]).toEqual([200, '"default";r=1;t=300'])
  })

  it('reports the rest of the budget, refuses before credentials are checked, and ends with the window', async () => {
    const { ask, clock } = emulator({ rate: { attempts: 2, window: 10_000 } })
    expect((await ask(records)).header('ratelimit')).toBe('"default";r=1;t=10')
    clock.ms += 3500
    const second = await ask(`${api}/nowhere`)
    expect(second.header('ratelimit')).toBe('"default";r=0;t=7')
    expect(second.header('ratelimit-policy')).toBe('"default";q=2;w=10')
    expect(second.header('cf-ray')).toMatch(/^[0-9a-f]{16}-LAB$/)
    expect(second.header('cache-control')).toMatch(/^no-store/)
    const third = await ask(records, { headers: [] })
    expect([third.status, third.header('retry-after')]).toEqual([429, '7'])
    expect(third.errors[0]!.message).toBe(
      'More than 2 requests per 10 seconds reached. Please wait and consider throttling your request speed',
    )
    clock.ms += 6500
    expect((await ask(records)).status).toBe(200)
  })
})

describe('the chat sink', () => {
  const hook = (name: string) => `/services/T0LAB/B0LAB/${name}`
  const post = { method: 'POST', headers: [] } as const

  it.each([
    ['JSON', '{"text":"hi"}'],
    ['a form', `payload=${encodeURIComponent('{"text":"hi"}')}`],
    ['attachments alone', '{"attachments":[{"color":"good","fields":[]}]}'],
  ])('takes %s', async (_, rawBody) => {
    const { ask, published } = emulator()
    const answer = await ask(hook('s3cret'), { ...post, rawBody })
    expect([answer.status, answer.text]).toEqual([200, 'ok'])
    expect(published.map(each => each.type)).toEqual(['chat.posted'])
    expect(JSON.stringify(published)).not.toContain('s3cret')
  })

  it.each([
    ['x', '{', 400, 'invalid_payload'],
    ['archived', '{"text":"x"}', 410, 'channel_is_archived'],
    ['missing', '{"text":"x"}', 404, 'channel_not_found'],
    ['slow', '{"text":"x"}', 429, 'rate_limited'],
  ])('at %s refuses %s', async (name, rawBody, status, word) => {
    const answer = await emulator().ask(hook(name), { ...post, rawBody })
    expect([answer.status, answer.text]).toEqual([status, word])
  })
})

describe('GraphQL', () => {
  const documented =
    'query L($zoneTag: string, $filter: FirewallEventsAdaptiveFilter_InputObject){viewer{zones(filter:{zoneTag:$zoneTag}){firewallEventsAdaptive(filter:$filter,limit:10,orderBy:[datetime_DESC]){action clientAsn clientCountryName clientIP clientRequestPath clientRequestQuery datetime source userAgent}}}}'
  const ask = (query: string, variables: object = { zoneTag: zone }) =>
    emulator().ask(`${api}/graphql`, { method: 'POST', body: { query, variables } })
  const OLD = '{datetime_geq:"2026-01-01T00:00:00Z"}'
  const within = (node: string) => `{viewer{zones(filter:{zoneTag:"${zone}"}){${node}}}}`

  it('answers the documented query', async () => {
    const filter = { datetime_geq: '2026-06-15T11:00:00Z', datetime_leq: '2026-06-15T12:00:00Z' }
    const answer = await ask(documented, { zoneTag: zone, filter })
    expect(answer.status).toBe(200)
    const { data, errors } = answer.json<{
      data: { viewer: { zones: { firewallEventsAdaptive: Record<string, string>[] }[] } }
      errors: null
    }>()
    expect(errors).toBeNull()
    const events = data.viewer.zones[0]!.firewallEventsAdaptive
    expect(events).toHaveLength(10)
    expect(events[0]).toMatchObject({ action: 'block', source: 'ratelimit', clientIP: '203.0.113.7' })
    expect(events.find(each => each.action === 'log')).toMatchObject({ clientRequestPath: '/v1/orders' })
  })

  it.each([
    [
      within('firewallEventsAdaptive(limit:0){action}'),
      400,
      /^limit must be positive number and not greater/,
    ],
    [within(`firewallEventsAdaptive(limit:1,filter:${OLD}){action}`), 400, /^cannot request data older than/],
    ['{viewer{zones(filter:{zoneTag:"x"}){zoneTag}}}', 403, /^zones \["x"\] are not authorized/],
  ])('refuses %.60s', async (query, status, message) => {
    const answer = await ask(query)
    const { data, errors } = answer.json<{ data: null; errors: { message: string; extensions: object }[] }>()
    expect([answer.status, data]).toEqual([status, null])
    expect(errors[0]!.message).toMatch(message)
    expect(errors[0]!.extensions).toEqual({ timestamp: '2026-06-15T12:00:00.000Z' })
  })
})
