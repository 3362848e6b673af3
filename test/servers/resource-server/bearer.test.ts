import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, type HeaderList } from '../../../src/protocol/http/message.js'
import { forAll } from '../../support/for-all.js'
import { baseUrl, issuer, server, tokenOf } from './support.js'

const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource"`
const form = ['content-type', 'application/x-www-form-urlencoded'] as const

describe('a request without a token', () => {
  it.each([
    ['nothing', []],
    ['another scheme', [['authorization', 'Basic ZGVtbzpkZW1v']]],
    ['an empty header', [['authorization', '']]],
  ] as [string, HeaderList][])('that shows %s gets 401 and no error code', async (_what, headers) => {
    const { send, events } = server()
    const answer = await send('/resource', { headers })
    expect(answer.status).toBe(401)
    expect(answer.challenges[0]).toBe(`Bearer realm="oauth-lab", ${metadata}`)
    expect(answer.challenges[1]).toMatch(/^DPoP realm="oauth-lab", algs="RS256 /)
    expect(answer.challenges).toHaveLength(2)
    expect(answer.challenges.join()).not.toContain('error')
    expect(answer.headers).toContainEqual(['cache-control', 'no-store'])
    expect(answer.json).toEqual({
      error_description: 'this resource needs an access token',
      error_uri: 'https://www.rfc-editor.org/rfc/rfc6750#section-3.1',
    })
    expect(events).toMatchObject([{ type: 'resource.refused', status: 401, path: '/resource' }])
  })

  it('names the scope of the route in the challenge', async () => {
    const { challenges } = await server().send('/records')
    expect(challenges[0]).toBe(`Bearer realm="oauth-lab", scope="records:read", ${metadata}`)
  })
})

describe('invalid_request', () => {
  const token = 'abc.def.ghi'
  const bearer = ['authorization', `Bearer ${token}`] as const
  const basic = ['authorization', 'Basic ZGVtbzpkZW1v'] as const
  it.each([
    ['no token after the scheme', '/resource', [['authorization', 'Bearer']], '', 'followed by one token'],
    ['two tokens', '/resource', [['authorization', 'Bearer a b']], '', 'followed by one token'],
    ['the header twice', '/resource', [bearer, bearer], '', 'repeated'],
    ['a token in the query', `/resource?a=1&access_token=${token}`, [], '', 'a token in the query'],
    ['an encoded name in the query', `/resource?access%5Ftoken=${token}`, [], '', 'a token in the query'],
    ['a token in the form', '/resource', [form], `access_token=${token}`, 'a token in the form body'],
    ['another scheme twice', '/resource', [basic, basic], '', 'repeated'],
    ['a token in both', `/resource?access_token=${token}`, [bearer], '', 'the header and in the query'],
  ] as [string, string, HeaderList, string, string][])(
    '%s',
    async (_what, target, headers, body, problem) => {
      const { send, fetched, events } = server()
      const answer = await send(target, { method: 'POST', headers, body: bytes(body) })
      expect(answer.status).toBe(400)
      expect(answer.json.error).toBe('invalid_request')
      expect(answer.json.error_description).toContain(problem)
      expect(answer.json.error_uri).toMatch(/^https:\/\/www\.rfc-editor\.org\/rfc\/rfc6750#section-2/)
      expect(answer.challenges).toHaveLength(1)
      expect(answer.challenges[0]).toMatch(
        /^Bearer realm="oauth-lab", error="invalid_request", error_description="/,
      )
      expect(answer.challenges[0]).toContain(metadata)
      expect(answer.challenges[0]).not.toContain(' scope=')
      expect(answer.headers).toContainEqual(['cache-control', 'no-store'])
      expect(fetched).toEqual([])
      expect(JSON.stringify([events, answer])).not.toContain(token)
    },
  )

  it('is not the answer to a plain-text body or a query without access_token', async () => {
    const { send } = server()
    const plain = { headers: [['content-type', 'text/plain'] as const], body: bytes('access_token=a') }
    expect((await send('/resource', { method: 'POST', ...plain })).status).toBe(401)
    expect((await send('/resource?x=%zz&access_tokens=1')).status).toBe(401)
  })
})

describe('an accepted token', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'shows its claims to %s',
    async method => {
      const { withToken } = server()
      const answer = await withToken(await tokenOf(), '/resource?a=1', method)
      expect(answer.status).toBe(200)
      expect(answer.type).toBe('application/json;charset=UTF-8')
      expect(answer.headers).toContainEqual(['cache-control', 'no-store'])
      expect(answer.json).toMatchObject({ sub: 'alice', aud: 'demo', scope: 'records:read' })
      expect(answer.json.decided).toMatchObject({ scheme: 'Bearer' })
    },
  )

  it.each(['bearer', 'BEARER', ' Bearer', 'Bearer '])('may come under the scheme %j', async scheme => {
    const headers = [['authorization', `${scheme} ${await tokenOf()} `]] as const
    expect((await server().send('/resource', { headers })).json.decided).toMatchObject({ scheme: 'Bearer' })
  })

  it('shows the origin of the keys and the checks', async () => {
    const { withToken, clock } = server()
    const decided = async () => (await withToken(await tokenOf())).json.decided as Record<string, unknown>
    const keys = { jwks_uri: `${issuer}/jwks`, fetched: 'now' }
    expect(await decided()).toEqual({ scheme: 'Bearer', keys, checks: expect.any(Array) })
    clock.now += 1999
    expect((await decided()).keys).toEqual({ ...keys, fetched: '1 s ago' })
  })

  it('without sub and client_id publishes an event without them', async () => {
    const { withToken, events } = server()
    await withToken(await tokenOf({ sub: undefined, client_id: 7, scope: ' a  b ' }))
    expect(events[1]).toMatchObject({ type: 'resource.accepted', method: 'GET', scope: 'a b' })
    expect(events[1]).not.toHaveProperty('sub')
    expect(events[1]).not.toHaveProperty('client_id')
  })

  it('publishes an event without the token', async () => {
    const { withToken, events } = server()
    const token = await tokenOf()
    await withToken(token)
    expect(events.map(each => each.type)).toEqual(['keys.fetched', 'resource.accepted'])
    expect(events[1]).toMatchObject({ scheme: 'Bearer', sub: 'alice', client_id: 'demo', path: '/resource' })
    expect(JSON.stringify(events)).not.toContain(token.split('.')[2])
    const checks = events[1]?.checks as { name: string; ok: boolean }[]
    expect(checks.map(each => each.name)).toEqual([
      ...['signature', 'typ', 'use', 'unit', 'iss', 'exp', 'nbf', 'iat', 'aud', 'revocation'],
    ])
    expect(checks.every(each => each.ok)).toBe(true)
  })
})

describe('insufficient_scope', () => {
  it.each([
    ['GET', '/records', { scope: 'records:read' }, 200],
    ['HEAD', '/records', { scope: 'a records:read b' }, 200],
    ['GET', '/records', { scope: undefined, scp: ['records:read'] }, 200],
    ['GET', '/records', { scope: undefined, scp: 'records:read' }, 200],
    ['GET', '/records', { scope: 'records:write' }, 403],
    ['GET', '/records', { scope: 'records:readers' }, 403],
    ['GET', '/records', { scope: undefined }, 403],
    ['GET', '/records', { scope: { 'records:read': true } }, 403],
    ['POST', '/records', { scope: 'records:read' }, 403],
    ['GET', '/resource', { scope: '' }, 200],
    ['GET', '/records', { scope: ['records:read'] }, 200],
    ['GET', '/records', { scope: [7, { a: 1 }] }, 403],
    ['GET', '/records', { scope: 'x', scp: 'records:read' }, 403],
  ])('%s %s with %j: %d', async (method, target, claims, status) => {
    const { withToken, events } = server()
    const answer = await withToken(await tokenOf(claims), target, method)
    expect(answer.status).toBe(status)
    if (status !== 403) return
    const needed = method === 'POST' ? 'records:write' : 'records:read'
    expect(answer.json.error).toBe('insufficient_scope')
    expect(answer.challenges[0]).toContain('error="insufficient_scope"')
    expect(answer.challenges[0]).toContain(`scope="${needed}"`)
    const refused = { type: 'resource.refused', status: 403, error: 'insufficient_scope', scheme: 'Bearer' }
    expect(events.at(-1)).toMatchObject(refused)
    expect(events.at(-1)).not.toHaveProperty('evidence')
  })

  it.each([
    [{ scope: 'a b' }, 'the token has a b'],
    [{ scope: undefined }, 'the token has no scope'],
  ])('says what the token has: %j', async (claims, text) => {
    const { json } = await server().withToken(await tokenOf(claims), '/records')
    expect(json.error_description).toBe(`the scope records:read is needed here; ${text}`)
  })
})

it('any text in the Authorization header is answered 400 or 401, with a challenge of printable characters', async () => {
  const { send } = server()
  const piece = fc.constantFrom(
    ...['Bearer', 'DPoP', 'MAC', ' ', 'id="', '"', ',', 'nonce=1:a', '.', 'e30', 'é', '\t', '='],
  )
  const value = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map(pieces => pieces.join('')),
    fc.string(),
  )
  await forAll(fc.array(value, { maxLength: 2 }), async values => {
    const headers = values.map(each => ['authorization', each] as const)
    const answer = await send('/resource', { headers })
    expect([400, 401]).toContain(answer.status)
    expect(answer.challenges.length).toBeGreaterThan(0)
    for (const challenge of answer.challenges) expect(challenge).toMatch(/^(Bearer|DPoP|MAC)[\x20-\x7e]*$/)
    expect(answer.json.error_description).toMatch(/^[\x20-\x7e]+$/)
  })
})
