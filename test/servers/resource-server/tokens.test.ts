import { createHmac, createSecretKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { loadSharedSecret, publicPem, signJwt } from '../../../src/protocol/tokens/keys.js'
import { configuredKeys } from '../../../src/servers/resource-server/key-source.js'
import type { KeySettings } from '../../../src/servers/resource-server/settings.js'
import { ecKey } from '../../protocol/tokens/jwt-maker.js'
import { goodClaims, key, otherKey, server, start, tokenOf } from './support.js'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const forge = (header: object, make: (input: string) => string) => {
  const input = `${part(header)}.${part(goodClaims)}`
  return `${input}.${make(input)}`
}
const seconds = start / 1000

describe('the claims', () => {
  it.each([
    [{ iss: 'https://as.example/' }, 'iss: https://as.example/'],
    [{ iss: undefined }, 'iss: missing'],
    [{ aud: 'other' }, 'aud: other, accepted here: demo api'],
    [{ aud: ['x', 'y'] }, 'aud: x y, accepted here: demo api'],
    [{ aud: undefined }, 'aud: missing'],
    [{ exp: seconds }, 'exp: expired 0 s ago'],
    [{ exp: undefined }, 'exp: missing'],
    [{ nbf: seconds + 60 }, 'nbf: not yet valid'],
    [{ iat: seconds + 60 }, 'iat: issued in the future'],
    [
      { nbf: start - 30, iat: start, exp: start + 3600 },
      'unit: exp, nbf, iat in milliseconds; a NumericDate',
    ],
    [{ exp: 1e11 + 1 }, 'unit: exp in milliseconds'],
    [{ aud: ['1', '2', '3', '4', '5', '6'] }, 'aud: 1 2 3 4 5, accepted here'],
    [{ aud: { demo: true } }, 'aud: an object'],
    [{ iss: 'x' }, 'the token is not from the issuer this server trusts; iss: '],
    [{ aud: 'x' }, 'the token is not for this server; aud: '],
    [{ nbf: '0' }, 'the token is not valid yet; nbf: '],
    [{ iat: 'x' }, 'the token is not valid yet; iat: '],
  ])('%j are refused: %s', async (changed, problem) => {
    const { withToken, events } = server()
    const answer = await withToken(await tokenOf(changed))
    expect(answer.status).toBe(401)
    expect(answer.json.error).toBe('invalid_token')
    expect(answer.json.error_description).toContain(problem)
    expect(answer.challenges).toHaveLength(1)
    expect(answer.challenges[0]).toContain('error="invalid_token"')
    expect(events.at(-1)).toMatchObject({ type: 'resource.refused', error: 'invalid_token', status: 401 })
    expect(events.at(-1)?.rule).toMatch(/^RFC 7519 §/)
  })

  it.each([
    [{ aud: ['other', 'api'] }],
    [{ aud: 'api' }],
    [{ nbf: undefined, iat: undefined }],
    [{ nbf: seconds, iat: seconds, exp: seconds + 1 }],
    [{ sub: undefined, jti: undefined }],
    [{ exp: 1e11 }],
    [{ size: 1e12 }],
  ])('%j are accepted', async changed => {
    expect((await server().withToken(await tokenOf(changed))).status).toBe(200)
  })

  it('are compared with the clock of the server', async () => {
    const { withToken, clock } = server()
    const token = await tokenOf()
    clock.now = start + 3599_000
    expect((await withToken(token)).status).toBe(200)
    clock.now = start + 3600_000
    expect((await withToken(token)).status).toBe(401)
  })

  it('may differ by the allowed clock difference', async () => {
    const { withToken } = server({ settings: { tolerance: 5 } })
    const late = { iat: seconds + 5, nbf: seconds + 5 }
    expect((await withToken(await tokenOf(late))).status).toBe(200)
    expect((await withToken(await tokenOf({ iat: seconds + 6 }))).status).toBe(401)
  })

  it('are refused when the server has no audience', async () => {
    const { withToken } = server({ settings: { audiences: [] } })
    expect((await withToken(await tokenOf())).status).toBe(401)
    expect((await withToken(await tokenOf({ aud: undefined }))).status).toBe(401)
  })
})

describe('the kind of JWT', () => {
  it.each([
    ['JWT', {}, 200],
    ['at+jwt', {}, 200],
    ['application/at+jwt', {}, 200],
    ['dpop+jwt', {}, 401],
    ['application/jwt', {}, 200],
    ['at+jwt', { at_hash: 'x' }, 200],
    ['JWT', { s_hash: 'x' }, 401],
    ['JWT', { nonce: 'n', scope: undefined }, 200],
    ['JWT', { nonce: 'n', scope: undefined, client_id: undefined, scp: [] }, 200],
    ['logout+jwt', {}, 401],
    ['', {}, 401],
    ['JWT', { at_hash: 'x' }, 401],
    ['JWT', { c_hash: 'x' }, 401],
    ['JWT', { nonce: 'n', scope: undefined, client_id: undefined }, 401],
    // Some servers put a nonce into access tokens. The scope shows that this is not an id_token.
    ['JWT', { nonce: 'n' }, 200],
    // An explicit typ decides; the claims do not count.
    ['at+jwt', { nonce: 'n', scope: undefined, client_id: undefined }, 200],
  ])('typ %j with %j: %d', async (typ, changed, status) => {
    expect((await server().withToken(await tokenOf(changed, key, typ))).status).toBe(status)
  })

  it.each([7, null, ['at+jwt']])('is text: %j is refused', async typ => {
    const header = { alg: 'RS256', kid: key.kid, typ: typ as unknown as string }
    const token = await new SignJWT(goodClaims).setProtectedHeader(header).sign(key.privateKey)
    const { status, json } = await server().withToken(token)
    expect([status, json.error_uri]).toEqual([401, 'https://www.rfc-editor.org/rfc/rfc9068#section-4'])
  })

  it('may be absent from the header', async () => {
    const header = { alg: 'RS256', kid: key.kid }
    const token = await new SignJWT(goodClaims).setProtectedHeader(header).sign(key.privateKey)
    expect((await server().withToken(token)).status).toBe(200)
  })

  it('is named in the error when the token is an id_token', async () => {
    const { json } = await server().withToken(await tokenOf({ at_hash: 'x' }))
    expect(json.error_description).toContain('an id_token is for the client, not for this server')
  })
})

describe('the signature', () => {
  const hmac = (input: string) => createHmac('sha256', publicPem(key)).update(input).digest('base64url')
  const { privateKey: stranger, publicJwk } = ecKey()
  const ownKey = {
    header: { alg: 'ES256', jwk: publicJwk, jku: 'https://evil.example/jwks' },
    sign: (input: string) =>
      sign('sha256', Buffer.from(input), { key: stranger, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  }
  it.each([
    ['alg none', () => forge({ alg: 'none' }, () => '')],
    ['HMAC with the public key', () => forge({ alg: 'HS256', kid: key.kid }, hmac)],
    ['a signature of something else', () => forge({ alg: 'RS256', kid: key.kid }, () => part('x'))],
    ['a key in the header', () => forge(ownKey.header, ownKey.sign)],
    ['no JWT', () => 'opaque-token'],
    ['an encrypted JWT', () => 'a.b.c.d.e'],
  ])('%s is refused', async (_what, make) => {
    const { withToken, fetched } = server()
    const answer = await withToken(make())
    expect(answer.status).toBe(401)
    expect(answer.json.error).toBe('invalid_token')
    expect(fetched.filter(each => each.includes('evil'))).toEqual([])
  })
})

describe('configured keys', () => {
  const secret = '0123456789abcdef0123456789abcdef'

  it('stage key-pair: the PEM verifies RS256 and nothing else, and nothing is fetched', async () => {
    const { withToken, fetched } = server({ settings: { keys: { kind: 'public-key', pem: publicPem(key) } } })
    expect((await withToken(await tokenOf())).status).toBe(200)
    expect((await withToken(await tokenOf({}, otherKey))).status).toBe(401)
    const mac = createHmac('sha256', publicPem(key))
    const forged = forge({ alg: 'HS256' }, input => mac.update(input).digest('base64url'))
    expect((await withToken(forged)).status).toBe(401)
    expect(fetched).toEqual([])
  })

  it('are named as the origin of the verdict', async () => {
    const { withToken, events } = server({ settings: { keys: { kind: 'public-key', pem: publicPem(key) } } })
    expect((await withToken(await tokenOf())).json.decided).toMatchObject({ keys: 'configured' })
    expect(events.map(each => each.type)).toEqual(['resource.accepted'])
  })

  it('of a PEM with several blocks all verify, up to twenty', async () => {
    const curve = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pairs = Array.from({ length: 21 }, curve)
    const pem = pairs
      .map(each => each.publicKey.export({ type: 'spki', format: 'pem' }))
      .join('text between\n')
    const { withToken } = server({ settings: { keys: { kind: 'public-key', pem } } })
    const status = async (pair: ReturnType<typeof curve>) => {
      const token = await new SignJWT(goodClaims).setProtectedHeader({ alg: 'ES256' }).sign(pair.privateKey)
      return (await withToken(token)).status
    }
    expect(await Promise.all(pairs.map(status))).toEqual([...Array.from({ length: 20 }, () => 200), 401])
  })

  it('follow a PEM that changes, and are parsed once while it stays', async () => {
    let pem = publicPem(key)
    const settings = { kind: 'public-key', pem: () => pem } as const
    const keys = configuredKeys(settings)
    const request = { method: 'GET', url: '', headers: [], body: new Uint8Array() }
    const context = { publish: () => {} }
    const first = await keys.current(request, context)
    expect(first).toMatchObject({ fresh: true, keys: { kind: 'key', alg: 'RS256' } })
    expect((await keys.current(request, context)).keys).toBe(first.keys)
    expect(await keys.newerThan(first.keys, request, context)).toBe(first.keys)
    const { withToken } = server({ settings: { keys: settings } })
    const [token, nextToken] = [await tokenOf(), await tokenOf({}, otherKey)]
    expect([(await withToken(token)).status, (await withToken(nextToken)).status]).toEqual([200, 401])
    pem = publicPem(otherKey)
    expect([(await withToken(token)).status, (await withToken(nextToken)).status]).toEqual([401, 200])
    expect(await keys.newerThan(first.keys, request, context)).not.toBe(first.keys)
  })

  it('a P-256 and an Ed25519 PEM verify their own algorithm', async () => {
    for (const [alg, pair] of [
      ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
      ['EdDSA', generateKeyPairSync('ed25519')],
    ] as const) {
      const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
      const { withToken } = server({ settings: { keys: { kind: 'public-key', pem } } })
      const token = await new SignJWT(goodClaims).setProtectedHeader({ alg }).sign(pair.privateKey)
      expect((await withToken(token)).status).toBe(200)
      expect((await withToken(await tokenOf())).status).toBe(401)
    }
  })

  it('stage shared-secret: HS256 with the secret, and no public key', async () => {
    const { withToken, fetched } = server({ settings: { keys: { kind: 'shared-secret', secret } } })
    expect((await withToken(await signJwt(goodClaims, loadSharedSecret(secret)))).status).toBe(200)
    expect((await withToken(await signJwt(goodClaims, loadSharedSecret(`${secret}!`)))).status).toBe(401)
    expect((await withToken(await tokenOf())).status).toBe(401)
    const long = createSecretKey(Buffer.from(secret))
    const other = await new SignJWT(goodClaims).setProtectedHeader({ alg: 'HS512' }).sign(long)
    expect((await withToken(other)).status).toBe(401)
    expect(fetched).toEqual([])
  })

  const pem = ({ publicKey }: { publicKey: KeyObject }): KeySettings => ({
    kind: 'public-key',
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  })
  it.each<[string, KeySettings, string]>([
    ['a short secret', { kind: 'shared-secret', secret: 'short' }, '32 bytes'],
    ['a key for agreement', pem(generateKeyPairSync('x25519')), 'Ed25519'],
    ['an empty PEM', { kind: 'public-key', pem: '' }, 'not a PEM'],
    ['a text that is not PEM', { kind: 'public-key', pem: 'no key' }, 'not a PEM'],
    ['an RSA key of 1024 bits', pem(generateKeyPairSync('rsa', { modulusLength: 1024 })), '2048 bits'],
  ])('%s cannot be used', (_what, keys, problem) => {
    expect(() => server({ settings: { keys } })).toThrow(problem)
  })
})
