import { describe, expect, it } from 'vitest'
import { bytes, type HttpRequest, header } from '../../../src/protocol/http/message.js'
import { type MacParameters, macAuthorization, parseMac } from '../../../src/protocol/oauth/mac.js'
import { createReplayGuard } from '../../../src/protocol/tokens/replay-guard.js'
import { createMacVerifier, NONCE_WINDOW } from '../../../src/servers/resource-server/mac-access.js'
import type { MacKey, MacKeys } from '../../../src/servers/resource-server/settings.js'
import { baseUrl, goodClaims, issuer, server, start } from './support.js'

const credentials = { id: 'mac-token-0123456789', key: 'k'.repeat(43), algorithm: 'hmac-sha-256' as const }
const macKey: MacKey = { ...credentials, issuedAt: start - 60_000, claims: goodClaims }

const host = ['host', 'localhost:8444'] as const
const request = (more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url: `${baseUrl}/resource?a=1`,
  headers: [host],
  body: bytes('{"a":1}'),
  ...more,
})
/** A request signed as `signed`, sent as `sent`. */
const authorized = (nonce: string, signed = request(), sent = signed): HttpRequest => ({
  ...sent,
  headers: [...sent.headers, ['authorization', macAuthorization(signed, credentials, { nonce })]],
})
const macServer = (keys: MacKeys = id => (id === credentials.id ? macKey : undefined)) => {
  const made = server({ ports: { macKeys: keys } })
  const send = ({ url, ...rest }: HttpRequest) => made.send(url.slice(baseUrl.length), rest)
  return { ...made, send }
}

describe('Authorization: MAC', () => {
  it('is offered beside Bearer when the server has MAC keys', async () => {
    const { challenges } = await macServer().send(request())
    expect(challenges.map(each => each.split(' ')[0])).toEqual(['Bearer', 'DPoP', 'MAC'])
    const without = await server().send('/resource', { headers: authorized('60:a').headers })
    expect(without.status).toBe(401)
    expect(without.json.error_description).toContain('not accepted here')
  })

  it('is accepted with id, nonce, mac and a body hash', async () => {
    const { send, events, fetched } = macServer()
    const answer = await send(authorized('60:a'))
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ sub: 'alice', decided: { scheme: 'MAC' } })
    expect(answer.json.decided).not.toHaveProperty('keys')
    const { checks } = answer.json.decided as { checks: { name: string; ok: boolean }[] }
    expect(checks.every(each => each.ok)).toBe(true)
    const names = 'host bodyhash mac age unit iss exp nbf iat aud nonce'
    expect(checks.map(each => each.name).join(' ')).toBe(names)
    expect(events[0]).toMatchObject({ type: 'resource.accepted', scheme: 'MAC', access_token: 'mac-…789' })
    expect((await send(authorized('61:b', request({ method: 'GET', body: bytes('') })))).status).toBe(200)
    expect(fetched).toEqual([])
    expect(JSON.stringify(events)).not.toContain(credentials.id)
  })

  it.each([
    ['another method', request({ method: 'PUT' }), 'mac:'],
    ['another path', request({ url: `${baseUrl}/resource` }), 'mac:'],
    ['another body', request({ body: bytes('{"a":2}') }), 'bodyhash:'],
    ['no body', request({ body: bytes('') }), 'bodyhash:'],
    ['another host', request({ headers: [['host', 'evil.example:8444']] }), 'host:'],
    ['another name of this machine', request({ headers: [['host', '127.0.0.1:8444']] }), 'mac:'],
  ])('is refused for %s, different from the signed request', async (_what, sent, problem) => {
    const { send, events } = macServer()
    const answer = await send(authorized('60:a', request(), sent))
    expect(answer.status).toBe(401)
    expect(answer.json.error).toBe('invalid_token')
    expect(answer.json.error_description).toContain(problem)
    expect(answer.json.error_uri).toContain('draft-ietf-oauth-v2-http-mac-00#section-3.')
    expect(answer.challenges).toEqual([`MAC error="${answer.json.error_description}"`])
    expect(events.at(-1)).toMatchObject({ type: 'resource.refused', scheme: 'MAC' })
  })

  it('is refused when made for another server, and accepted for another loopback name', async () => {
    const { send } = macServer()
    const relayed = request({ headers: [['host', 'evil.example']] })
    expect((await send(authorized('60:a', relayed))).json.error_description).toContain('host:')
    const port = request({ headers: [['host', 'localhost:8443']] })
    expect((await send(authorized('60:b', port))).json.error_description).toContain('host:')
    const name = request({ headers: [['host', '127.0.0.1:8444']] })
    expect((await send(authorized('60:c', name))).status).toBe(200)
    const numbered = request({ headers: [['host', '[::1]:8444']] })
    expect((await send(authorized('60:d', numbered))).status).toBe(200)
  })

  it('is accepted for the name of a server on the network alone', async () => {
    const settings = { baseUrl: 'https://api.example' }
    const { site } = server({ settings, ports: { macKeys: () => macKey } })
    const status = async (nonce: string, name: string) => {
      const url = 'https://api.example/resource'
      return (await site.handle(authorized(nonce, request({ url, headers: [['host', name]] })))).status
    }
    expect(await status('60:a', 'API.example')).toBe(200)
    expect(await status('60:b', 'api.example:443')).toBe(200)
    expect(await status('60:c', 'localhost')).toBe(401)
    expect(await status('60:d', 'other.example')).toBe(401)
  })

  it('is refused without a hash of the body', async () => {
    const bare = request({ body: bytes('') })
    const { send } = macServer()
    const answer = await send(authorized('60:a', bare, request()))
    expect(answer.json.error_description).toContain('bodyhash: the body is not covered')
  })

  it('is refused for an unknown id and for a wrong key', async () => {
    expect((await macServer(() => undefined).send(authorized('60:a'))).status).toBe(401)
    const other = macServer(() => ({ ...macKey, key: 'other' }))
    expect((await other.send(authorized('60:a'))).json.error_description).toContain('mac:')
  })

  it.each([
    ['MAC', 'must be followed'],
    ['MAC id="a"', 'nonce is missing'],
    ['MAC id="a", nonce="1:a", mac="b", id="c"', 'repeated'],
    [' mac id="a"', 'nonce is missing'],
  ])('%s is answered invalid_request', async (value, problem) => {
    const answer = await macServer().send(request({ headers: [['authorization', value]] }))
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: 'invalid_request' })
    expect(answer.challenges).toEqual([`MAC error="${answer.json.error_description}"`])
    expect(answer.json.error_description).toContain(problem)
  })
})

describe('the nonce of a MAC', () => {
  it('is accepted once, for any request', async () => {
    const { send } = macServer()
    expect((await send(authorized('60:a'))).status).toBe(200)
    const again = await send(authorized('60:a'))
    expect(again.status).toBe(401)
    expect(again.json.error_description).toBe('nonce: it was used before')
    const other = request({ method: 'GET', body: bytes('') })
    expect((await send(authorized('60:a', other))).status).toBe(401)
    expect((await send(authorized('60:b'))).status).toBe(200)
  })

  it('is accepted once among parallel requests', async () => {
    const { send } = macServer(async () => macKey)
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(authorized('60:a'))))
    expect(answers.filter(each => each.status === 200)).toHaveLength(1)
  })

  it('stays unused after a refused request', async () => {
    const { send } = macServer()
    expect((await send(authorized('60:a', request(), request({ method: 'PUT' })))).status).toBe(401)
    expect((await send(authorized('60:a'))).status).toBe(200)
  })

  it.each([
    ['60:x', 200],
    ['0:x', 200],
    [`${60 + NONCE_WINDOW / 1000}:x`, 200],
    [`${61 + NONCE_WINDOW / 1000}:x`, 401],
    ['060:x', 401],
    ['x', 401],
    ['1767355200:x', 401],
  ])('%s on a key 60 s old: %d', async (nonce, status) => {
    expect((await macServer().send(authorized(nonce))).status).toBe(status)
  })

  it.each([
    [NONCE_WINDOW, '60:x', 200],
    [NONCE_WINDOW + 1, '60:x', 401],
    [-NONCE_WINDOW, '60:x', 200],
    [-NONCE_WINDOW - 1, '60:x', 401],
  ])('is accepted in a window: %d ms later %s is answered %d', async (later, nonce, status) => {
    const claims = { ...goodClaims, iat: undefined, nbf: undefined }
    const { send, clock } = macServer(() => ({ ...macKey, claims }))
    clock.now += later
    expect((await send(authorized(nonce))).status).toBe(status)
  })

  it('says the two ages when they differ', async () => {
    const { send, clock } = macServer()
    clock.now += 999
    const { json } = await send(authorized('1000:x'))
    expect(json.error_description).toBe('age: the nonce says 1000 s, the key is 60 s old')
  })

  it('is remembered for as long as its own age is accepted', async () => {
    const { send, clock } = macServer()
    expect((await send(authorized('61:a'))).status).toBe(200)
    clock.now += NONCE_WINDOW + 1000
    expect((await send(authorized('61:a'))).json.error_description).toContain('used before')
  })

  it('is refused when the memory of used nonces is full', async () => {
    const now = () => start
    const replay = createReplayGuard({ now, limit: 1 })
    const rules = { issuer, audiences: ['demo'] }
    const verify = createMacVerifier({ baseUrl, macKeys: () => macKey, replay, now })
    const present = (nonce: string) => {
      const sent = authorized(nonce)
      const parameters = parseMac(header(sent, 'authorization')!.slice('MAC'.length))
      return verify(sent, parameters as MacParameters, rules)
    }
    expect((await present('60:a')).claims).toEqual(goodClaims)
    await expect(present('60:b')).rejects.toThrow('invalid_token: nonce: too many at once')
    await expect(present('60:a')).rejects.toThrow('nonce: it was used before')
  })
})

describe('the claims of a MAC key', () => {
  it.each([
    [{ exp: start / 1000 }, 'exp'],
    [{ iss: 'https://other.example' }, 'iss'],
    [{ aud: 'other' }, 'aud'],
  ])('are checked like those of a JWT: %j', async (changed, problem) => {
    const { send } = macServer(() => ({ ...macKey, claims: { ...goodClaims, ...changed } }))
    const answer = await send(authorized('60:a'))
    expect(answer.status).toBe(401)
    expect(answer.json.error_description).toContain(`${problem}: `)
  })

  it('limit the access by their scope', async () => {
    const { send } = macServer()
    const post = request({ url: `${baseUrl}/records` })
    const answer = await send(authorized('60:a', post))
    expect(answer.status).toBe(403)
    expect(answer.json.error).toBe('insufficient_scope')
  })
})
