import { expect, it } from 'vitest'
import { bytes, type Header, header } from '../../../../src/protocol/http/message.js'
import { basic, expectError, FORM, ISSUER, json, lab, type Parameters, query, SECRET } from '../support.js'

const rateLimits = {
  login: 'off',
  passwordGrant: 'off',
  clientSecret: { attempts: 3, window: 60_000 },
} as const

/** A server whose clients may send three wrong secrets a minute. */
function limited() {
  const server = lab({ rateLimits })
  const from = (remoteAddress: string, form: Parameters, headers: readonly Header[] = [], path = '/token') =>
    server.handle({
      method: 'POST',
      url: `${ISSUER}${path}`,
      headers: [FORM, ...headers],
      body: bytes(query({ grant_type: 'client_credentials', token: 'x', ...form })),
      remoteAddress,
    })
  return { ...server, from }
}

const HERE = '192.0.2.1'

it.each(['service', 'nobody'])(
  'wrong secrets of %s are limited at one source, and no other source is',
  async id => {
    const { from, clock, events } = limited()
    for (let i = 0; i < 3; i++) expectError(await from(HERE, {}, [basic(id, 'x')]), 401, 'invalid_client')
    clock.now += 20_000
    const refused = await from(HERE, {}, [basic(id, 'x')])
    expectError(refused, 429, 'invalid_request')
    expect(header(refused, 'retry-after')).toBe('40')
    expect(events.at(-1)).toMatchObject({ type: 'token.refused', status: 429, rule: 'RFC 6749 §2.3.1' })
    expectError(await from(HERE, {}, [basic(id, 'service-secret')]), 429, 'invalid_request')
    const elsewhere = await from('192.0.2.2', {}, [basic('service', 'service-secret')])
    expect(elsewhere.status).toBe(200)
    clock.now += 40_000
    expect((await from(HERE, {}, [basic('service', 'service-secret')])).status).toBe(200)
  },
)

it('guesses from many networks are limited together, and not the client in its own', async () => {
  const { from } = limited()
  const right = [basic('service', 'service-secret')]
  expect((await from(HERE, {}, right)).status).toBe(200)
  const guesses = []
  for (let i = 2; i <= 30; i++) guesses.push((await from(`192.0.2.${i}`, {}, [basic('service', 'x')])).status)
  expect(guesses.filter(status => status === 401)).toHaveLength(6)
  expect((await from('192.0.2.99', {}, right)).status).toBe(429)
  expect((await from(HERE, {}, right)).status).toBe(200)
})

it('another client at the same source is not limited', async () => {
  const { from } = limited()
  for (let i = 0; i < 4; i++) await from(HERE, { client_id: 'demo', client_secret: 'x' })
  expect((await from(HERE, { client_id: 'demo', client_secret: SECRET })).status).toBe(429)
  expect((await from(HERE, {}, [basic('service', 'service-secret')])).status).toBe(200)
})

it('every address of the loopback network is one source', async () => {
  const { from } = limited()
  const statuses = []
  for (let i = 1; i <= 10; i++) statuses.push((await from(`127.0.0.${i}`, {}, [basic('demo', 'x')])).status)
  expect(statuses).toEqual([401, 401, 401, ...Array(7).fill(429)])
})

it('the other protocol of this machine is another source', async () => {
  const { from } = limited()
  for (let i = 0; i < 4; i++) await from('127.0.0.1', {}, [basic('service', 'x')])
  const right = [basic('service', 'service-secret')]
  expect((await from('127.0.0.1', {}, right)).status).toBe(429)
  expect((await from('::1', {}, right)).status).toBe(200)
})

it.each(['/par', '/revocation', '/introspection', '/device_authorization'])(
  'all endpoints count together: %s',
  async path => {
    const { from } = limited()
    for (let i = 0; i < 3; i++) await from(HERE, {}, [basic('demo', 'x')], path)
    expectError(await from(HERE, {}, [basic('demo', SECRET)]), 429, 'invalid_request')
    expectError(await from(HERE, {}, [basic('demo', SECRET)], path), 429, 'invalid_request')
  },
)

it('right secrets do not count, and neither do empty ones, with which clients find out how to authenticate', async () => {
  const { from } = limited()
  for (let i = 0; i < 10; i++) {
    expect((await from(HERE, {}, [basic('service', 'service-secret')])).status).toBe(200)
    expect((await from(HERE, {}, [basic('service', '')])).status).toBe(401)
  }
})

it('both readings of a Basic header are limited', async () => {
  const { from, token } = limited()
  for (let i = 0; i < 3; i++) await from(HERE, {}, [basic('dash-id', 'x')])
  const encoded: Header = basic('dash%2Did', encodeURIComponent('a-b+c%2D:d/ e'))
  expect((await from(HERE, {}, [encoded])).status).toBe(429)
  expect(json(await token({ grant_type: 'client_credentials' }, [encoded])).error).toBe('unauthorized_client')
})
