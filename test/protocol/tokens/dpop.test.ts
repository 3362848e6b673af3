import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OAuthError } from '../../../src/protocol/oauth/oauth-error.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import {
  accessTokenHash,
  createDpopNonces,
  DPOP_NONCE_LIFETIME,
  type DpopExpectations,
  generateDpopKey,
  makeDpopProof,
  presentedDpopProof,
  verifyDpopProof,
} from '../../../src/protocol/tokens/dpop.js'
import { createReplayGuard, type ReplayGuard } from '../../../src/protocol/tokens/replay-guard.js'
import { reason } from '../../support/refusal.js'
import { ecKey, edKey, makeHmacJwt, makeJwt, part, rsaKey } from './jwt-maker.js'

const now = Date.parse('2026-01-01T00:00:00Z')
const seconds = now / 1000
const key = ecKey()
const header = { typ: 'dpop+jwt', jwk: key.publicJwk }
const claims = { jti: 'j1', htm: 'POST', htu: 'https://as.example/token', iat: seconds }

function expected(change: Partial<DpopExpectations> = {}): DpopExpectations {
  const at = change.now ?? now
  return {
    method: 'POST',
    url: 'https://as.example/token',
    now: at,
    replay: createReplayGuard({ now: () => at }),
    owner: 'app',
    ...change,
  }
}
const make = (change: object = {}, headerChange: object = {}) =>
  makeJwt(key, { ...header, ...headerChange }, { ...claims, ...change })

describe('the proofs of RFC 9449', () => {
  const rfcHeader =
    'eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19'
  const atTokenEndpoint = `${rfcHeader}.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg`
  const atResource = `${rfcHeader}.eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA`
  const accessToken = 'Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU'
  const jkt = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I'

  it('are accepted at the token endpoint (§4.1, §5) and give the thumbprint of §6.1', async () => {
    const at = { url: 'https://server.example.com/token', now: 1562262620_000 }
    expect(await verifyDpopProof(atTokenEndpoint, expected(at))).toEqual({ jkt })
  })

  it('are accepted beside the access token (§7.1)', async () => {
    const at = { method: 'GET', url: 'https://resource.example.org/protectedresource', now: 1562262620_000 }
    expect(await verifyDpopProof(atResource, expected({ ...at, accessToken }))).toEqual({ jkt })
    expect(await reason(verifyDpopProof(atResource, expected({ ...at, accessToken: 'x' })))).toContain(
      'ath is not',
    )
  })
})

describe('a DPoP proof (§4.3)', () => {
  it.each([
    ['PS256', rsaKey(undefined, 'PS256')],
    ['RS256', rsaKey()],
    ['EdDSA', edKey()],
  ])('may be signed with %s', async (_alg, signer) => {
    const proof = makeJwt(signer, { ...header, jwk: signer.publicJwk }, claims)
    expect((await verifyDpopProof(proof, expected())).jkt).toMatch(/^[\w-]{43}$/)
  })

  it.each([
    ['https://as.example/token', 'https://as.example/token?x=1#y'],
    ['https://as.example/token?x=1#y', 'https://as.example/token'],
    ['HTTPS://AS.example:443/token', 'https://as.example/token'],
    ['https://as.example/a/../%74oken', 'https://as.example/token'],
    ['https://as.example/%7euser/%c3', 'https://as.example/~user/%C3'],
    ['https://as.example', 'https://as.example/'],
    ['https://as.example/%2f', 'https://as.example/%2F'],
    ['http://localhost:8080/token', 'http://localhost:8080/token'],
  ])('for %s is good for %s', async (htu, url) => {
    expect(await verifyDpopProof(make({ htu }), expected({ url }))).toHaveProperty('jkt')
  })

  it.each<[string, object | string, string]>([
    ['no jti', { jti: undefined }, 'no jti'],
    ['a jti that is a number', { jti: 1 }, 'no jti'],
    ['an empty jti', { jti: '' }, 'no jti'],
    ['another method', { htm: 'GET' }, 'htm is not the method of the request, POST (htm: GET)'],
    ['the method in small letters', { htm: 'post' }, 'htm: post'],
    ['no htm', { htm: undefined }, 'htm: missing'],
    ['another path', { htu: 'https://as.example/par' }, 'htu: https://as.example/par'],
    ['another host', { htu: 'https://evil.example/token' }, 'htu is not'],
    ['another port', { htu: 'https://as.example:444/token' }, 'htu is not'],
    ['another scheme', { htu: 'http://as.example/token' }, 'htu is not'],
    ['a path alone', { htu: '/token' }, 'htu is not'],
    ['user information', { htu: 'https://x@as.example/token' }, 'htu is not'],
    ['backslashes', { htu: 'https:\\\\as.example\\token' }, 'htu is not'],
    ['a slash encoded', { htu: 'https://as.example/%2ftoken' }, 'htu is not'],
    ['a password', { htu: 'https://:x@as.example/token' }, 'htu is not'],
    ['a space before it', { htu: ' https://as.example/token' }, 'htu is not'],
    ['a line feed after it', { htu: 'https://as.example/token\n' }, 'htu is not'],
    ['a tab in it', { htu: 'https://as.example/to\tken' }, 'htu is not'],
    ['a port out of range', { htu: 'https://as.example:99999/token' }, 'htu is not'],
    ['a list', { htu: ['https://as.example/token'] }, 'htu: an array'],
    ['no htu', { htu: undefined }, 'htu: missing'],
    ['no iat', { iat: undefined }, 'no iat'],
    ['an iat that is text', { iat: `${seconds}` }, `no iat (iat: ${seconds})`],
    ['an iat in milliseconds', { iat: now }, 'made in the future'],
    ['an iat to come', { iat: seconds + 31 }, 'made in the future (31 s ahead)'],
    ['an old iat', { iat: seconds - 300 }, 'too old (300 s old)'],
    ['an exp that has come', { exp: seconds }, 'has expired'],
    ['an exp that is text', { exp: `${seconds + 60}` }, 'has expired'],
    ['an iat without end', '"iat":1e999', 'made in the future'],
    ['an exp that is null', { exp: null }, 'has expired (exp: null)'],
    ['an nbf to come', { nbf: seconds + 31 }, 'not valid yet'],
    ['an nbf that is text', { nbf: `${seconds}` }, `not valid yet (nbf: ${seconds})`],
  ])('is refused with %s', async (_what, change, why) => {
    const text = JSON.stringify(claims).replace(/"iat":\d+/, String(change))
    const proof = typeof change === 'string' ? makeJwt(key, header, text) : make(change)
    expect(await reason(verifyDpopProof(proof, expected()))).toContain(why)
  })

  it('is refused where the address of the request is no URL', async () => {
    const proof = make({ htu: 'nonsense' })
    expect(await reason(verifyDpopProof(proof, expected({ url: 'nonsense' })))).toContain('htu is not')
  })

  it('has at most 8192 characters', async () => {
    expect(await reason(verifyDpopProof('a'.repeat(8192), expected()))).toContain('no JWT')
    expect(await reason(verifyDpopProof('a'.repeat(8193), expected()))).toContain('longer than 8192')
  })

  it('may write its type in capitals', async () => {
    expect(await verifyDpopProof(make({}, { typ: 'DPoP+JWT' }), expected())).toHaveProperty('jkt')
  })

  it('is accepted for five minutes, and from a clock half a minute ahead', async () => {
    expect(await verifyDpopProof(make({ iat: seconds - 299 }), expected())).toHaveProperty('jkt')
    expect(await verifyDpopProof(make({ iat: seconds + 30 }), expected())).toHaveProperty('jkt')
    const limited = make({ exp: seconds + 1, nbf: seconds + 30 })
    expect(await verifyDpopProof(limited, expected())).toHaveProperty('jkt')
  })

  const privateJwk = key.privateKey.export({ format: 'jwk' })
  it.each<[string, () => string, string]>([
    ['another typ', () => make({}, { typ: 'JWT' }), 'typ is not dpop+jwt (typ: JWT)'],
    ['a typ that is a list', () => make({}, { typ: ['dpop+jwt'] }), 'typ: an array'],
    ['an alg that is a list', () => make({}, { alg: ['ES256'] }), 'alg: an array'],
    ['an alg with more after it', () => make({}, { alg: 'ES256K' }), 'alg: ES256K'],
    ['no typ', () => make({}, { typ: undefined }), 'typ: missing'],
    ['alg none', () => `${part({ ...header, alg: 'none' })}.${part(claims)}.`, 'alg: none'],
    ['HMAC', () => makeHmacJwt('secret', header, claims), 'alg: HS256'],
    [
      'HMAC with a key of its own',
      () => makeHmacJwt('secret', { ...header, jwk: { kty: 'oct', k: part('secret') } }, claims),
      'alg: HS256',
    ],
    ['a symmetric jwk', () => make({}, { jwk: { kty: 'oct', k: 'c2VjcmV0' } }), 'private or symmetric'],
    ['a private jwk', () => make({}, { jwk: privateJwk }), 'private or symmetric'],
    ['no jwk', () => make({}, { jwk: undefined }), 'has no jwk'],
    ['a jwk that is a list', () => make({}, { jwk: [key.publicJwk] }), 'has no jwk'],
    [
      'the jwk of another key',
      () => make({}, { jwk: ecKey().publicJwk }),
      'not signed with the key in its jwk',
    ],
    [
      'a jwk of another type',
      () => make({}, { jwk: rsaKey().publicJwk }),
      'no key for ES256: it has kty RSA',
    ],
    [
      'a jwk for another algorithm',
      () => {
        const rsa = rsaKey()
        return makeJwt(rsa, { ...header, jwk: { ...rsa.publicJwk, alg: 'PS256' } }, claims)
      },
      'no key for RS256: it has alg PS256',
    ],
    ['a jwk for encryption', () => make({}, { jwk: { ...key.publicJwk, use: 'enc' } }), 'it has use enc'],
    [
      'a jwk that verifies nothing',
      () => make({}, { jwk: { ...key.publicJwk, key_ops: 'verify' } }),
      'it has no verify among its key_ops',
    ],
    [
      'a jwk off the curve',
      () => make({}, { jwk: { ...key.publicJwk, x: part('x'.repeat(32)) } }),
      'not signed with',
    ],
    ['a jwk that says nothing', () => make({}, { jwk: {} }), 'it has kty missing'],
    [
      'a small RSA key',
      () => {
        const small = rsaKey(undefined, 'RS256', 1024)
        return makeJwt(small, { ...header, jwk: small.publicJwk }, claims)
      },
      'not signed with',
    ],
    [
      'a changed claim',
      () => {
        const [h, , s] = make().split('.')
        return `${h}.${part({ ...claims, jti: 'j2' })}.${s}`
      },
      'not signed with',
    ],
    ['crit', () => make({}, { crit: ['b64'], b64: true }), 'crit'],
    ['a jku', () => makeJwt(ecKey(), { ...header, jku: 'https://evil.example' }, claims), 'not signed with'],
    ['no JWT', () => 'proof', 'no JWT'],
    ['nothing', () => '', 'no JWT'],
    ['two proofs in one', () => `${make()}, ${make()}`, 'no JWT'],
    ['a very long text', () => 'a'.repeat(9000), 'longer than 8192'],
  ])('is refused with %s', async (_what, proof, why) => {
    expect(await reason(verifyDpopProof(proof(), expected()))).toMatch(/^invalid_dpop_proof: /)
    expect(await reason(verifyDpopProof(proof(), expected()))).toContain(why)
  })

  it.each(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])('is refused with %s in its jwk', async member => {
    const proof = make({}, { jwk: { ...key.publicJwk, [member]: 'x' } })
    expect(await reason(verifyDpopProof(proof, expected()))).toContain('private or symmetric')
  })

  it('comes in one header', () => {
    expect(presentedDpopProof([])).toBeUndefined()
    expect(presentedDpopProof([' a '])).toBe('a')
    expect(() => presentedDpopProof(['a', 'a'])).toThrow(OAuthError)
  })

  it('is good once for its key, also of many at once', async () => {
    const memory = expected()
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => verifyDpopProof(make(), memory)),
    )
    expect(results.filter(each => each.status === 'fulfilled')).toHaveLength(1)
    expect(await reason(verifyDpopProof(make(), memory))).toContain('used before (jti: j1)')
    const stranger = ecKey()
    const same = makeJwt(stranger, { ...header, jwk: stranger.publicJwk }, claims)
    expect(await verifyDpopProof(same, memory)).toHaveProperty('jkt')
  })

  it('is not used up by a request it does not fit', async () => {
    const memory = expected()
    await reason(verifyDpopProof(make(), { ...memory, method: 'GET' }))
    expect(await verifyDpopProof(make(), memory)).toHaveProperty('jkt')
  })

  it('must name the access token it comes with', async () => {
    const accessToken = 'abc'
    const good = make({ ath: accessTokenHash(accessToken) })
    expect(await verifyDpopProof(good, expected({ accessToken }))).toHaveProperty('jkt')
    expect(await reason(verifyDpopProof(make(), expected({ accessToken })))).toContain('ath: missing')
  })

  it('throws nothing but OAuthError, whatever it says', async () => {
    const anyJwt = fc.tuple(fc.json(), fc.json()).map(([h, c]) => `${part(h)}.${part(c)}.AAAA`)
    const signed = fc
      .tuple(
        fc.dictionary(fc.constantFrom('alg', 'typ', 'jwk', 'crit', 'b64', '__proto__'), fc.jsonValue()),
        fc.dictionary(fc.constantFrom('jti', 'htm', 'htu', 'iat', 'ath', 'nonce'), fc.jsonValue()),
      )
      .map(([h, c]) => make(c, h))
    const jwks = fc
      .dictionary(
        fc.constantFrom('kty', 'crv', 'x', 'y', 'n', 'e', 'ext', 'key_ops', 'use', 'alg'),
        fc.jsonValue(),
      )
      .map(jwk => make({}, { jwk: { ...key.publicJwk, ...jwk } }))
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), anyJwt, signed, jwks), async proof => {
        const result = await verifyDpopProof(proof, expected()).catch((error: unknown) => error)
        if (result instanceof Error) expect(result).toBeInstanceOf(OAuthError)
        else expect(result).toHaveProperty('jkt')
      }),
      { numRuns: 300 },
    )
  })
})

describe('the memory of used proofs (§11.1)', () => {
  it('knows a proof until its lifetime has passed', async () => {
    const uses: number[] = []
    const replay: ReplayGuard = {
      size: 0,
      use: (_id, until) => {
        uses.push(until)
        return 'first'
      },
    }
    await verifyDpopProof(make(), expected({ replay }))
    expect(uses).toEqual([now + 5 * 60_000])
  })

  it('refuses new proofs when it is full', async () => {
    const replay = createReplayGuard({ now: () => now, limit: 1 })
    expect(await verifyDpopProof(make(), expected({ replay }))).toHaveProperty('jkt')
    const answer = await reason(verifyDpopProof(make({ jti: 'j2' }), expected({ replay })))
    expect(answer).toMatch(/^invalid_dpop_proof: too many proofs/)
    expect(await reason(verifyDpopProof(make(), expected({ replay })))).toContain('used before')
  })
})

describe('nonces of the server (§8)', () => {
  function nonces() {
    let at = now
    let count = 0
    return {
      nonces: createDpopNonces({ now: () => at, random: length => new Uint8Array(length).fill(++count) }),
      pass: (ms: number) => {
        at += ms
      },
    }
  }

  it('stay for their lifetime, and are accepted for one more', () => {
    const { nonces: server, pass } = nonces()
    const first = server.current()
    expect(first).toMatch(/^[\w-]{22}$/)
    pass(DPOP_NONCE_LIFETIME - 1)
    expect(server.current()).toBe(first)
    pass(1)
    const second = server.current()
    expect(second).not.toBe(first)
    expect([server.accepts(first), server.accepts(second), server.accepts('x')]).toEqual([true, true, false])
    pass(DPOP_NONCE_LIFETIME)
    expect([server.accepts(first), server.accepts(second)]).toEqual([false, true])
    pass(2 * DPOP_NONCE_LIFETIME)
    expect(server.accepts(second)).toBe(false)
  })

  it('that nobody replaced are accepted for two lifetimes', () => {
    const { nonces: server, pass } = nonces()
    const first = server.current()
    pass(2 * DPOP_NONCE_LIFETIME - 1)
    expect(server.accepts(first)).toBe(true)
    const second = server.current()
    pass(2 * DPOP_NONCE_LIFETIME)
    expect([server.accepts(first), server.accepts(second)]).toEqual([false, false])
  })

  it('have the lifetime that the server gives them', () => {
    let at = 0
    const server = createDpopNonces({ now: () => at, random: randomBytes, lifetime: 10 })
    const first = server.current()
    at = 9
    expect(server.current()).toBe(first)
    at = 10
    expect(server.current()).not.toBe(first)
    expect(server.accepts(first)).toBe(true)
  })

  it('are asked for with use_dpop_nonce', async () => {
    const { nonces: server } = nonces()
    const memory = expected({ nonces: server })
    expect(await reason(verifyDpopProof(make(), memory))).toMatch(
      /^use_dpop_nonce: the proof needs .*\(nonce: missing\)/,
    )
    for (const nonce of ['old', 1]) {
      const answer = await reason(verifyDpopProof(make({ nonce }), memory))
      expect(answer).toMatch(new RegExp(`^use_dpop_nonce: .*not a current one.*\\(nonce: ${nonce}\\)`))
    }
    expect(await verifyDpopProof(make({ nonce: server.current() }), memory)).toHaveProperty('jkt')
  })
})

describe('proofs of clients', () => {
  const ports = { now: () => now, random: (length: number) => new Uint8Array(length).fill(7) }

  it('are made by our client', async () => {
    const own = await generateDpopKey()
    const url = 'https://as.example/token?x=1#y'
    const proof = await makeDpopProof(own, { method: 'POST', url, accessToken: 'abc', nonce: 'n' }, ports)
    expect(decodeJwt(proof)).toMatchObject({
      header: { typ: 'dpop+jwt', alg: 'ES256', jwk: own.publicJwk },
      claims: {
        htm: 'POST',
        htu: 'https://as.example/token',
        iat: seconds,
        ath: accessTokenHash('abc'),
        nonce: 'n',
      },
    })
    expect(await verifyDpopProof(proof, expected({ accessToken: 'abc' }))).toEqual({ jkt: own.jkt })
  })

  it('name no token and no nonce where there is none', async () => {
    const url = 'https://as.example/token#y\n?'
    const proof = await makeDpopProof(await generateDpopKey(), { method: 'POST', url }, ports)
    const { jti, ...rest } = decodeJwt(proof).claims
    expect(jti).toMatch(/^[\w-]{22}$/)
    expect(rest).toEqual({ htm: 'POST', htu: 'https://as.example/token', iat: seconds })
  })
})
