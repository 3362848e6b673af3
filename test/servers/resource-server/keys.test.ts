import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import type { NewEvent } from '../../../src/protocol/events.js'
import type { SigningKey } from '../../../src/protocol/tokens/keys.js'
import {
  createFetchedKeys,
  fetchPublishedKeys,
  KEYS_MAX_AGE,
  REFRESH_FLOOR,
  RETRY_PAUSE,
} from '../../../src/servers/resource-server/fetched-keys.js'
import type { FetchJson } from '../../../src/servers/resource-server/settings.js'
import { recordingContext } from '../../support/ask.js'
import {
  baseUrl,
  documents,
  goodClaims,
  issuer,
  key,
  otherKey as other,
  server,
  start,
  tokenOf,
} from './support.js'

const openid = '/.well-known/openid-configuration'
const oauth = '/.well-known/oauth-authorization-server'

describe('the keys of the issuer', () => {
  it('are fetched once, on first use', async () => {
    const { withToken, fetched, events } = server()
    expect(fetched).toEqual([])
    const token = await tokenOf()
    const answers = await Promise.all([withToken(token), withToken(token), withToken(token)])
    expect(answers.map(each => each.status)).toEqual([200, 200, 200])
    expect((await withToken(token)).status).toBe(200)
    expect(fetched).toEqual([openid, '/jwks'])
    expect(events.filter(each => each.type === 'keys.fetched')).toEqual([
      { type: 'keys.fetched', issuer, jwks_uri: `${issuer}/jwks`, reason: 'first', kids: [key.kid] },
    ])
  })

  it('are discovered through RFC 8414 metadata when there is no OpenID document', async () => {
    const published = documents()
    published.set(issuer + oauth, published.get(issuer + openid))
    published.delete(issuer + openid)
    const { withToken, fetched } = server({ published })
    expect((await withToken(await tokenOf())).status).toBe(200)
    expect(fetched).toEqual([openid, oauth, '/jwks'])
  })

  it('are fetched again when they are old', async () => {
    const published = documents()
    const { withToken, fetched, clock, events } = server({ published })
    const token = await tokenOf()
    await withToken(token)
    clock.now += KEYS_MAX_AGE - 1
    await withToken(token)
    expect(fetched).toHaveLength(2)
    clock.now += 1
    published.set(`${issuer}/jwks`, { keys: [other.publicJwk] })
    expect((await withToken(token)).status).toBe(401)
    expect((await withToken(await tokenOf({}, other))).status).toBe(200)
    expect(events.filter(each => each.type === 'keys.fetched').map(each => each.reason)).toEqual([
      'first',
      'max_age',
    ])
  })

  it('are fetched again after the clock was set back', async () => {
    const { withToken, fetched, clock } = server()
    const token = await tokenOf({ iat: undefined })
    await withToken(token)
    clock.now -= 1
    expect((await withToken(token)).json.decided).toMatchObject({ keys: { fetched: 'now' } })
    expect(fetched).toHaveLength(4)
  })

  it('are asked for on behalf of the request that needs them', async () => {
    const asked: (number | undefined)[] = []
    const published = documents()
    const fetchJson: FetchJson = async (url, { cause, signal }) => {
      expect(signal.aborted).toBe(false)
      asked.push(cause)
      return { status: 200, body: published.get(url) }
    }
    const headers = [['authorization', `Bearer ${await tokenOf()}`]] as const
    await server({ ports: { fetchJson } }).send('/resource', { id: 7, headers })
    expect(asked).toEqual([7, 7])
  })

  it('are named in the event when they have a kid', async () => {
    const { kid: _kid, ...nameless } = other.publicJwk
    const { withToken, events } = server({ published: documents([nameless, key.publicJwk]) })
    expect((await withToken(await tokenOf())).status).toBe(200)
    expect(events[0]).toMatchObject({ type: 'keys.fetched', kids: [key.kid] })
  })

  it('verify tokens without a kid, and are fetched again for one that none of them verifies', async () => {
    const nameless = ({ privateKey }: SigningKey) =>
      new SignJWT(goodClaims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
    const published = documents()
    const { withToken, fetched } = server({ published })
    expect((await withToken(await nameless(key))).status).toBe(200)
    expect((await withToken(await nameless(key))).status).toBe(200)
    expect(fetched).toHaveLength(2)
    published.set(`${issuer}/jwks`, { keys: [other.publicJwk] })
    expect((await withToken(await nameless(other))).status).toBe(200)
    expect(fetched).toHaveLength(4)
  })

  it('are not fetched again for a wrong signature of a known key', async () => {
    const { withToken, fetched } = server()
    expect((await withToken(await tokenOf())).status).toBe(200)
    expect((await withToken(await tokenOf({}, { ...key, privateKey: other.privateKey }))).status).toBe(401)
    expect(fetched).toHaveLength(2)
  })

  it('that fail with a bug pass it on', async () => {
    const fetchKeys = () => Promise.reject(new RangeError('a bug'))
    const keys = createFetchedKeys({ issuer, fetchKeys, now: () => start })
    expect(keys.origin()).toBeUndefined()
    const events: NewEvent[] = []
    const request = { method: 'GET', url: baseUrl, headers: [], body: new Uint8Array() }
    await expect(keys.current(request, recordingContext(events))).rejects.toThrow(RangeError)
    await expect(keys.current(request, recordingContext(events))).rejects.toThrow(RangeError)
    expect(events).toEqual([])
  })
})

describe('an unknown kid', () => {
  it('fetches the keys again, so that a rotated key works at once', async () => {
    const published = documents()
    const { withToken, events } = server({ published })
    expect((await withToken(await tokenOf())).status).toBe(200)
    published.set(`${issuer}/jwks`, { keys: [key.publicJwk, other.publicJwk] })
    expect((await withToken(await tokenOf({}, other))).status).toBe(200)
    expect((await withToken(await tokenOf())).status).toBe(200)
    expect(events.filter(each => each.type === 'keys.fetched').map(each => each.reason)).toEqual([
      'first',
      'unknown_kid',
    ])
  })

  it('causes at most one fetch within REFRESH_FLOOR', async () => {
    const published = documents()
    const { withToken, fetched, clock } = server({ published })
    await withToken(await tokenOf())
    const foreign = await tokenOf({}, other)
    const answers = await Promise.all(Array.from({ length: 20 }, () => withToken(foreign)))
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(answer.json.error_description).toContain('no published key fits')
    }
    expect(fetched.filter(each => each === '/jwks')).toHaveLength(2)
    published.set(`${issuer}/jwks`, { keys: [other.publicJwk] })
    clock.now += REFRESH_FLOOR - 1
    expect((await withToken(foreign)).status).toBe(401)
    expect(fetched.filter(each => each === '/jwks')).toHaveLength(2)
    clock.now += 1
    expect((await withToken(foreign)).status).toBe(200)
    expect(fetched.filter(each => each === '/jwks')).toHaveLength(3)
  })

  it('causes no second fetch when this request has just fetched the keys', async () => {
    const { withToken, fetched } = server()
    expect((await withToken(await tokenOf({}, other))).status).toBe(401)
    expect(fetched).toEqual([openid, '/jwks'])
  })

  it('causes no fetch for a token that no published key could verify', async () => {
    const { withToken, fetched } = server()
    await withToken(await tokenOf())
    const [, payload] = (await tokenOf()).split('.')
    for (const alg of ['none', 'HS256', 'XX']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: 'made-up' })).toString('base64url')
      expect((await withToken(`${header}.${payload}.e30`)).status).toBe(401)
    }
    expect(fetched).toEqual([openid, '/jwks'])
  })
})

describe('keys that cannot be fetched', () => {
  const unset = (...paths: string[]) => {
    const published = documents()
    for (const path of paths) published.delete(issuer + path)
    return published
  }
  const set = (path: string, document: unknown) => documents().set(issuer + path, document)
  const named = (name: string) => ({ issuer: name, jwks_uri: `${issuer}/jwks` })
  const at = (jwks_uri: unknown) => ({ issuer, jwks_uri })
  const keys = (...published: object[]) => set('/jwks', { keys: published })
  const privateJwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  const others = (length: number) => Array.from({ length }, () => ({ kty: 'oct' }))
  it.each([
    ['no metadata', unset(openid), `${openid} answered 404`],
    ['metadata with a list for an address', set(openid, at(['x'])), 'not an absolute URL'],
    ['no keys', unset('/jwks'), '/jwks answered 404'],
    ['metadata that is no JSON', set(openid, undefined), 'answered no JSON'],
    ['metadata of another issuer', set(openid, named(`${issuer}/`)), 'names the issuer'],
    ['no jwks_uri', set(openid, { issuer }), 'no jwks_uri'],
    ['jwks_uri of another scheme', set(openid, at('file:///etc/passwd')), 'not an absolute URL'],
    ['jwks_uri without TLS', set(openid, at('http://as.example/jwks')), 'does not'],
    ['keys that are an object', set('/jwks', { keys: { 0: key.publicJwk } }), 'keys is an object'],
    ['no list of keys', set('/jwks', {}), 'keys is missing'],
    ['a key whose use is null', keys({ ...key.publicJwk, use: null }), 'no key to verify'],
    ['good keys after a hundred others', keys(...others(100), key.publicJwk), 'no key to'],
    ['a symmetric key', keys({ kty: 'oct', k: 'AAAA' }), 'no key to verify with'],
    ['a private key', keys(privateJwk), 'no key to verify with'],
    ['members that are no keys', set('/jwks', { keys: [null, 1, 'x', [], {}] }), 'no key to verify with'],
    ['a key for encryption', keys({ ...key.publicJwk, use: 'enc' }), 'no key to verify with'],
  ])('%s: 503', async (_what, published, problem) => {
    const { withToken, events } = server({ published })
    const answer = await withToken(await tokenOf())
    expect(answer.status).toBe(503)
    expect(answer.json.error).toBe('temporarily_unavailable')
    expect(answer.json.error_description).toContain('keys of the authorization server cannot be fetched: ')
    expect(answer.json.error_description).toContain(problem)
    expect(answer.challenges).toEqual([])
    expect(answer.headers).toContainEqual(['retry-after', '2'])
    expect(answer.headers).toContainEqual(['cache-control', 'no-store'])
    expect(events.map(each => each.type)).toEqual(['keys.failed', 'resource.refused'])
    expect(events[0]).toMatchObject({ issuer, reason: 'first', rule: expect.stringMatching(/^RFC \d+ §/) })
  })

  it('are fetched again after a pause', async () => {
    const published = unset('/jwks')
    const { withToken, fetched, clock } = server({ published })
    const token = await tokenOf()
    expect((await withToken(token)).status).toBe(503)
    expect((await withToken(token)).status).toBe(503)
    expect(fetched).toHaveLength(2)
    published.set(`${issuer}/jwks`, { keys: [key.publicJwk] })
    clock.now += RETRY_PAUSE - 1
    expect((await withToken(token)).status).toBe(503)
    clock.now += 1
    expect((await withToken(token)).status).toBe(200)
    published.delete(`${issuer}/jwks`)
    expect((await withToken(await tokenOf({}, other))).status).toBe(503)
    expect((await withToken(token)).status).toBe(200)
  })

  it('do not hold up a fetch that succeeded after the failed one', async () => {
    const published = unset('/jwks')
    const { withToken, fetched, clock } = server({ published })
    const token = await tokenOf()
    await withToken(token)
    published.set(`${issuer}/jwks`, { keys: [key.publicJwk] })
    clock.now += RETRY_PAUSE
    expect((await withToken(token)).status).toBe(200)
    clock.now -= RETRY_PAUSE - 1
    published.set(`${issuer}/jwks`, { keys: [other.publicJwk] })
    expect((await withToken(await tokenOf({ iat: undefined }, other))).status).toBe(200)
    expect(fetched.filter(each => each === '/jwks')).toHaveLength(3)
  })

  it('are looked for at the second address when the first has another document', async () => {
    const published = set(openid, { issuer: 'https://other.example' })
    published.set(issuer + oauth, { issuer, jwks_uri: `${issuer}/jwks` })
    expect((await server({ published }).withToken(await tokenOf())).status).toBe(200)
  })

  it.each([
    ['no error', 'gone', `${openid}: no answer`],
    ['an error', new Error('connection refused'), 'connection refused'],
  ])('answer 503 without a stack when fetchJson fails with %s', async (_name, error, description) => {
    const { withToken } = server({ ports: { fetchJson: () => Promise.reject(error) } })
    const answer = await withToken(await tokenOf())
    expect(answer.status).toBe(503)
    expect(answer.json.error_description).toContain(description)
    expect(answer.text).not.toContain('    at ')
  })

  it('answer after the time limit when fetchJson never settles', async () => {
    await expect(fetchPublishedKeys(issuer, () => new Promise(() => {}), { time: 1 })).rejects.toMatchObject({
      code: 'temporarily_unavailable',
      description: expect.stringContaining('no answer within 0.001 s'),
    })
  })

  it('leave /public readable', async () => {
    const { send } = server({ published: new Map() })
    expect((await send('/public')).status).toBe(200)
    expect((await send('/resource')).status).toBe(401)
  })
})

describe('an issuer that is not an http URL', () => {
  it.each(['HTTP://as.example', 'https://as.example/x'])('%j is accepted', good => {
    expect(() => server({ settings: { issuer: good } })).not.toThrow()
  })

  it.each(['', 'as.example', 'ftp://as.example', 'https://', 'x https://as.example'])(
    '%j is a usage error',
    wrong => {
      expect(() => server({ settings: { issuer: wrong } })).toThrow('no http or https address')
    },
  )
})

const plain = 'http://as.example'

it.each([`${plain}/jwks`, 'https://as.example/jwks'])(
  'an issuer without TLS may keep its keys at %s',
  async jwks_uri => {
    const jwks = { keys: [key.publicJwk] }
    const metadata = { issuer: plain, jwks_uri }
    const fetchJson: FetchJson = async url => ({ status: 200, body: url === jwks_uri ? jwks : metadata })
    expect(await fetchPublishedKeys(plain, fetchJson)).toEqual({ jwksUri: jwks_uri, jwks })
  },
)

describe('a published key', () => {
  it('keeps its public text members alone', async () => {
    const { kid, n, e } = key.publicJwk
    const hostile = { ...key.publicJwk, x5c: ['AAAA'], key_ops: 7, alg: { toString: 1 }, x: 5 }
    const published = documents([hostile])
    const fetchJson: FetchJson = async url => ({ status: 200, body: published.get(url) })
    const { jwks } = await fetchPublishedKeys(issuer, fetchJson)
    expect(jwks).toEqual({ keys: [{ kty: 'RSA', kid, n, e, use: 'sig' }] })
  })

  it.each([
    ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['EdDSA', () => generateKeyPairSync('ed25519')],
  ] as const)('may be one for %s', async (alg, make) => {
    const { publicKey, privateKey } = make()
    const { withToken } = server({ published: documents([publicKey.export({ format: 'jwk' })]) })
    const token = await new SignJWT(goodClaims).setProtectedHeader({ alg }).sign(privateKey)
    expect((await withToken(token)).status).toBe(200)
  })
})

describe('a hostile key set', () => {
  const DEEP = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)
  it.each([
    ['getters for methods', { toString: 1, valueOf: 1 }],
    ['a key too deep to walk', { kty: 'RSA', kid: 'deep', x5c: DEEP }],
    ['a key whose members are objects', { kty: 'RSA', kid: { toString: 1 }, n: [], e: {} }],
    ['an unknown type', { kty: 'AKP', kid: key.kid, alg: 'ML-DSA-44', pub: 'AAAA' }],
    ['a symmetric key under the same kid', { kty: 'oct', kid: key.kid, k: 'AAAA' }],
  ])('with %s leaves the good key usable', async (_what, hostile) => {
    const { withToken } = server({ published: documents([hostile, key.publicJwk]) })
    expect((await withToken(await tokenOf())).status).toBe(200)
  })

  it('with two keys of one kid verifies no token of that kid', async () => {
    const published = documents([{ ...other.publicJwk, kid: key.kid }, key.publicJwk])
    const { withToken } = server({ published })
    const answer = await withToken(await tokenOf())
    expect(answer.status).toBe(401)
    expect(answer.json.error_description).toContain('several published keys fit')
  })

  it('with a long kid is cut in events', async () => {
    const published = documents([{ ...key.publicJwk, kid: 'k'.repeat(5000) }])
    const { withToken, events } = server({ published })
    await withToken(await tokenOf())
    expect(JSON.stringify(events).length).toBeLessThan(3000)
  })
})
