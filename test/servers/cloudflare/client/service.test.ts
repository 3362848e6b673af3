import { describe, expect, it } from 'vitest'
import { TransportError, UserError } from '../../../../src/protocol/errors.js'
import { bytes, type HeaderList, type HttpResponse, header } from '../../../../src/protocol/http/message.js'
import {
  ApiRefusal,
  allPages,
  nextWait,
  retryAfter,
} from '../../../../src/servers/cloudflare/client/service.js'
import { rateBudget } from '../../../../src/servers/cloudflare/client/verify.js'
import { email, emulator, key, records, token, zone } from '../support.js'
import { byKey, clientOf } from './support.js'

const answer = (status: number, body: unknown, headers: HeaderList = []): HttpResponse => ({
  status,
  headers: [['content-type', 'application/json'], ...headers],
  body: bytes(typeof body === 'string' ? body : JSON.stringify(body)),
})
const refused = (code: number, message: string) => ({ success: false, errors: [{ code, message }] })
const zones = { method: 'GET', path: '/zones' } as const

async function failure(...answers: readonly HttpResponse[]): Promise<UserError> {
  let nth = 0
  const { service } = clientOf(async () => answers[Math.min(nth++, answers.length - 1)]!)
  const error: unknown = await service.request(zones).catch((caught: unknown) => caught)
  if (error instanceof UserError) return error
  throw new Error(`no error: ${JSON.stringify(error)}`)
}

describe('every request', () => {
  it('has a content type and both X-Auth headers, with a body or not', async () => {
    const { service, sent } = clientOf(emulator().site.handle)
    const made = await service.request<{ id: string }>({
      method: 'POST',
      path: `/zones/${zone}/dns_records`,
      body: { type: 'A', name: 'x', content: '192.0.2.1', ttl: 1, proxied: false },
    })
    const path = `/zones/${zone}/dns_records/${made.result.id}`
    await service.request({ method: 'DELETE', path })
    const asked = sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`)
    expect(asked).toEqual([`POST ${records}`, `DELETE ${records}/${made.result.id}`])
    for (const request of sent) {
      expect(header(request, 'content-type')).toBe('application/json')
      expect(header(request, 'x-auth-key')).toBe(key)
      expect(header(request, 'x-auth-email')).toBe(email)
      expect(header(request, 'authorization')).toBeUndefined()
    }
  })

  it('has only the token when there is one', async () => {
    const credentials = { kind: 'token', token, from: 'CLOUDFLARE_API_TOKEN' } as const
    const { service, sent } = clientOf(emulator().site.handle, { access: { ...byKey, credentials } })
    await service.request(zones)
    expect(header(sent[0]!, 'authorization')).toBe(`Bearer ${token}`)
    expect(header(sent[0]!, 'x-auth-key')).toBeUndefined()
  })
})

describe('a refusal', () => {
  const error_chain = [{ code: 6103, message: 'Invalid format for X-Auth-Key header' }]
  const CHAINED = { code: 6003, message: 'Invalid request headers', error_chain }

  it('has the message of the service, with code and status', async () => {
    const error = await failure(answer(400, refused(81058, 'An identical record already exists.')))
    expect(error).toBeInstanceOf(ApiRefusal)
    const message = 'An identical record already exists. (81058, HTTP 400)'
    expect(error).toMatchObject({ label: 'error', message, kind: 'refused' })
  })

  it.each([
    ['what lies behind it', CHAINED, 'Invalid request headers (6003, HTTP 400)'],
    ['no code', { message: 'gateway' }, 'gateway (HTTP 400)'],
    ['no message', { code: 1 }, 'no message (1, HTTP 400)'],
  ])('with %s is read too', async (_, error, message) => {
    expect((await failure(answer(400, { success: false, errors: [error] }))).message).toBe(message)
  })

  it('shows the chain below', async () => {
    const error = await failure(answer(400, { errors: [CHAINED] }))
    expect(error.hints[0]).toBe('Invalid format for X-Auth-Key header (6103)')
  })

  it('may come with status 200', async () => {
    expect((await failure(answer(200, refused(1, 'no')))).message).toBe('no (1, HTTP 200)')
  })

  const forbidden = 'Unauthorized to access requested resource'
  it.each([
    ['GET', '/zones', 10000, 'Authentication error', /needs the permission Zone > Zone > Read/],
    ['GET', `/zones/${zone}`, 10000, 'Authentication error', /Zone > Zone > Read/],
    ['GET', `/zones/${zone}/dns_records`, 10000, 'Authentication error', /Zone > DNS > Read/],
    ['POST', `/zones/${zone}/dns_records`, 10000, 'Authentication error', /Zone > DNS > Edit/],
    ['DELETE', `/zones/${zone}/dns_records/1`, 9109, forbidden, /Zone > DNS > Edit/],
    ['POST', `/zones/${zone}/dns_records/batch`, 9109, forbidden, /Zone > DNS > Edit/],
    ['GET', `/zones/${zone}/security/events`, 10000, 'Authentication error', /Zone > Analytics > Read/],
    ['GET', `/zones/${zone}`, 9109, 'Invalid access token', /came from F.*needs Zone > Zone > Read/s],
    ['GET', '/zones', 10001, 'Unable to authenticate request', /of another kind/],
  ] as const)('of %s %s with %d names what the token lacks', async (method, path, code, message, hint) => {
    const credentials = { kind: 'token', token, from: 'F' } as const
    const access = { ...byKey, credentials }
    const { service } = clientOf(async () => answer(403, refused(code, message)), { access })
    const error: unknown = await service.request({ method, path }).catch((caught: unknown) => caught)
    expect((error as UserError).hints.join('\n')).toMatch(hint)
  })

  it('of a key names no permission, which a key has none of', async () => {
    const { hints } = await failure(answer(403, refused(10000, 'Authentication error')))
    expect(hints.join()).toMatch(/not among those/)
    expect(hints.join()).not.toContain('permission')
  })

  it('never names key or token', async () => {
    for (const code of [9103, 9106, 9109, 10000]) {
      const { message, hints } = await failure(answer(403, refused(code, 'no')))
      expect([message, ...hints].join()).not.toContain(key)
    }
  })
})

describe('an answer of something else', () => {
  it.each([
    [answer(200, '<html>'), 'with HTML (HTTP 200)'],
    [answer(502, '<html>'), 'with HTML (HTTP 502)'],
    [answer(500, 'oops'), 'with text that is no JSON (HTTP 500)'],
    [answer(200, '{"result":[{"id":"1a'), 'with JSON that ends too early or is broken (HTTP 200)'],
    [answer(200, ''), 'with nothing (HTTP 200)'],
    [answer(200, '[]'), 'with JSON that is no object (HTTP 200)'],
    [answer(200, '{"success":true}'), 'with JSON that has no result in it (HTTP 200)'],
    [answer(404, '{}'), 'with JSON that has no errors in it (HTTP 404)'],
    [answer(302, '', [['location', 'https://x.example/']]), 'GET /zones to https://x.example/ (HTTP 302)'],
  ])('is a failure of transport %#', async (response, words) => {
    const error = await failure(response)
    expect(error).toBeInstanceOf(TransportError)
    expect(error.message).toContain(words)
    expect(error.message).not.toContain('\n')
    expect(error.kind).toBe('transport')
  })

  it('with a redirect is asked once', async () => {
    const { service, sent } = clientOf(async () => answer(301, '', [['location', 'https://evil.example/']]))
    await expect(service.request(zones)).rejects.toThrow(/redirects/)
    expect(sent).toHaveLength(1)
  })
})

describe('waiting', () => {
  it.each([
    ['4', 4000],
    [' 0 ', 0],
    ['Mon, 15 Jun 2026 12:00:10 GMT', 10_000],
    ['Mon, 15 Jun 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    [undefined, undefined],
  ])('Retry-After %j is %j ms', (value, ms) => {
    expect(retryAfter(value, Date.UTC(2026, 5, 15, 12))).toBe(ms)
  })

  it('honours Retry-After and sends the request again', async () => {
    const { clock, site } = emulator({ rate: { attempts: 1, window: 10_000 } })
    const pause = async (ms: number) => {
      clock.ms += ms
    }
    const { service, waits } = clientOf(site.handle, { pause })
    await service.request(zones)
    await service.request(zones)
    expect(waits).toEqual([{ ms: 10_000, status: 429, nth: 1, of: 3 }])
  })

  it('ends after the last retry of a 429', async () => {
    const much = answer(429, refused(971, 'More than 5'), [['retry-after', '1']])
    const { service, sent } = clientOf(async () => much)
    await expect(service.request(zones)).rejects.toThrow('More than 5 (971, HTTP 429)')
    expect(sent).toHaveLength(4)
    expect((await failure(answer(429, 'slow down'))).message).toBe('Too many requests (HTTP 429)')
  })

  it('ends at once when the service asks for a longer wait than the limit', async () => {
    const much = answer(429, refused(971, 'More than 5'), [['retry-after', '300']])
    const { service, sent } = clientOf(async () => much)
    await expect(service.request(zones)).rejects.toMatchObject({
      hints: ['The budget of requests is spent for 300 s. To wait that long:   --timeout 300s'],
    })
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['GET', 503, 500],
    ['POST', 503, undefined],
    ['DELETE', 502, undefined],
    ['GET', 500, undefined],
    ['POST', 429, 1000],
  ])('%s and status %i: %j ms', async (method, status, ms) => {
    const exchange = {
      request: { method, url: 'https://x', headers: [], body: '' },
      response: { status, headers: [], body: '' },
      wireBytes: { request: 0, response: 0 },
      bodyBytes: 0,
      ms: 0,
      at: '',
    }
    expect(nextWait(exchange, 0, { now: 0, longest: 30_000 })?.ms).toBe(ms)
    expect(nextWait(exchange, 3, { now: 0, longest: 30_000 })).toBeUndefined()
  })
})

describe('pages', () => {
  it('are read to the last one', async () => {
    const { site, create } = emulator()
    for (let i = 0; i < 7; i++) await create({ type: 'A', name: `n${i}`, content: '192.0.2.1' })
    const { service, sent } = clientOf(site.handle)
    const found = await allPages<{ name: string }>(service, `/zones/${zone}/dns_records`, { type: 'A' }, 3)
    expect(found.map(({ name }) => name[1]).join('')).toBe('0123456')
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(
      [1, 2, 3].map(page => `?type=A&page=${page}&per_page=3`),
    )
  })

  const paged = (info: object | undefined, pages: readonly number[][]) => {
    let nth = 0
    return clientOf(async () =>
      answer(200, { success: true, result: pages[nth++] ?? [], ...(info && { result_info: info }) }),
    )
  }
  it.each([
    ['total_pages', { page: 1, total_pages: 2 }, [[1], [2], [3]], [1, 2]],
    ['total_count', { total_count: 3, per_page: 2 }, [[1, 2], [3], [4]], [1, 2, 3]],
    ['nothing but a short page', undefined, [[1, 2], [3], [4]], [1, 2, 3]],
    ['nothing but an empty page', undefined, [[1, 2], [3, 4], []], [1, 2, 3, 4]],
  ])('end by %s', async (_, info, pages, all) => {
    expect(await allPages(paged(info, pages).service, '/zones', {}, 2)).toEqual(all)
  })

  it('are limited in number', async () => {
    const { service, sent } = clientOf(async () => answer(200, { success: true, result: [1, 2] }))
    await expect(allPages(service, '/zones', {}, 2)).rejects.toThrow(/has no last page/)
    expect(sent).toHaveLength(2)
  })

  it('must hold a list', async () => {
    const { service } = clientOf(async () => answer(200, { success: true, result: 'x' }))
    await expect(allPages(service, '/zones', {}, 2)).rejects.toThrow(/no list/)
  })
})

it('reads the rest of the budget', () => {
  const headers: HeaderList = [
    ['Ratelimit', '"default";r=50;t=30'],
    ['Ratelimit-Policy', '"burst";q=100;w=60'],
  ]
  expect(rateBudget({ headers })).toEqual({ left: 50, resetSeconds: 30, quota: 100, windowSeconds: 60 })
  expect(rateBudget({ headers: [] })).toBeUndefined()
  expect(rateBudget({ headers: [['ratelimit', 'nonsense']] })).toBeUndefined()
})
