import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OAuthError } from '../../../../src/protocol/oauth/oauth-error.js'
import type { JwkSet } from '../../../../src/protocol/tokens/keys.js'
import { createReplayGuard } from '../../../../src/protocol/tokens/replay-guard.js'
import {
  assertedClientId,
  verifyClientAssertion,
  verifyJwtAssertion,
} from '../../../../src/servers/authorization-server/assertions/jwt.js'
import { STRICT } from '../../../../src/servers/authorization-server/defences.js'
import {
  ecKey,
  edKey,
  knownRsaKey,
  makeHmacJwt,
  makeJwt,
  part,
  type TestKey,
} from '../../../protocol/tokens/jwt-maker.js'
import { reason, refusal } from '../../../support/refusal.js'

const now = Date.parse('2026-01-01T00:00:00Z')
const seconds = now / 1000
const audiences = ['https://as.example', 'https://as.example/token']
const key = knownRsaKey(1, 'one')
const other = knownRsaKey(2, 'two')
const stranger = knownRsaKey(3, 'x')
const jwks = (...keys: TestKey[]) => ({ keys: keys.map(each => each.publicJwk) }) as unknown as JwkSet

const claims = {
  iss: 'https://idp.example',
  sub: 'alice',
  aud: 'https://as.example',
  exp: seconds + 60,
  jti: 'j1',
}
const expected = (keys: JwkSet = jwks(key, other)) => ({
  clientId: 'web',
  issuers: [
    { issuer: 'https://other.example', jwks: jwks(other) },
    { issuer: 'https://idp.example', jwks: keys },
  ],
  isGrantOf: STRICT.isGrantOf,
  audiences,
  now,
  replay: createReplayGuard({ now: () => now }),
})
const make = (change: object = {}, header: object = {}) =>
  makeJwt(key, { kid: 'one', ...header }, { ...claims, ...change })
const verify = (assertion: string, keys?: JwkSet) => verifyJwtAssertion(assertion, expected(keys))

describe('a JWT assertion as a grant (RFC 7523 §3)', () => {
  it('returns issuer, subject and claims', async () => {
    expect(await verify(make({ role: 'x' }))).toEqual({
      issuer: 'https://idp.example',
      subject: 'alice',
      id: 'j1',
      expiresAt: now + 60_000,
      claims: { ...claims, role: 'x' },
    })
  })

  it('has the form of the example in RFC 7523 §4', async () => {
    const ec = ecKey('16')
    const example = makeJwt(
      ec,
      { kid: '16' },
      '{"iss":"https://jwt-idp.example.com","sub":"mailto:mike@example.com","aud":"https://jwt-rp.example.net","nbf":1300815780,"exp":1300819380,"http://claims.example.com/member":true}',
    )
    const at = 1300815790_000
    const verified = await verifyJwtAssertion(example, {
      clientId: 'web',
      issuers: [{ issuer: 'https://jwt-idp.example.com', jwks: jwks(ec) }],
      isGrantOf: STRICT.isGrantOf,
      audiences: ['https://jwt-rp.example.net'],
      now: at,
      replay: createReplayGuard({ now: () => at }),
    })
    expect(verified).toMatchObject({ subject: 'mailto:mike@example.com', expiresAt: 1300819380_000 })
  })

  it.each([
    ['ES256', ecKey('k')],
    ['PS256', knownRsaKey(3, 'k', 'PS256')],
    ['RS512', knownRsaKey(3, 'k', 'RS512')],
    ['EdDSA', edKey('k')],
  ])('may be signed with %s', async (_alg, signer) => {
    const assertion = makeJwt(signer, { kid: 'k' }, claims)
    expect(await verify(assertion, jwks(signer))).toMatchObject({ subject: 'alice' })
  })

  it('may leave out kid when one key fits, and may name several audiences', async () => {
    expect(await verify(makeJwt(key, {}, claims), jwks(key))).toMatchObject({ id: 'j1' })
    const several = make({ aud: ['https://x.example', 'https://as.example/token'] })
    expect(await verify(several)).toMatchObject({ id: 'j1' })
  })

  it.each<[string, object, string]>([
    ['another iss', { iss: 'https://x.example' }, 'a registered assertion issuer (iss: https://x.example)'],
    ['no iss', { iss: undefined }, 'iss: missing'],
    ['an iss that is no string', { iss: ['https://idp.example'] }, 'iss: an array'],
    ['no sub', { sub: undefined }, 'has no sub'],
    ['an empty sub', { sub: '' }, 'has no sub'],
    ['another aud', { aud: 'https://other.example' }, 'aud: https://other.example'],
    ['no aud', { aud: undefined }, 'aud: missing'],
    ['an aud with a slash more', { aud: 'https://as.example/' }, 'aud does not name'],
    ['an aud that is an object', { aud: { 0: 'https://as.example' } }, 'aud does not name'],
    ['no exp', { exp: undefined }, 'exp of the assertion is not good: missing'],
    ['an exp that is now', { exp: seconds }, 'expired'],
    ['an exp in milliseconds', { exp: now + 60_000 }, 'unreasonably far'],
    ['an nbf to come', { nbf: seconds + 31 }, 'nbf of the assertion is not good: not yet valid'],
    ['an iat to come', { iat: seconds + 31 }, 'iat of the assertion is not good: issued in the future'],
    ['a jti that is no string', { jti: 7 }, 'jti is not a string (jti: 7)'],
    ['an empty jti', { jti: '' }, 'jti is not a string'],
    ['an exp five seconds ago', { exp: seconds - 5 }, 'expired (5 s ago)'],
    ['an exp in a day and a second', { exp: seconds + 86_401 }, 'far in the future (in 86401 s)'],
  ])('is refused with %s', async (_what, change, why) => {
    const error = await refusal(verify(make(change)))
    expect(error.code).toBe('invalid_grant')
    expect(error.rule).toMatch(/^RFC 75(19|23)/)
    expect(`${error.description} (${error.evidence})`).toContain(why)
  })

  it('forgives a clock that is 30 s ahead', async () => {
    expect(await verify(make({ nbf: seconds + 30, iat: seconds + 30 }))).toMatchObject({ id: 'j1' })
  })

  const spki = key.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  /** An assertion of a stranger, with a key of its own in the header. */
  const forged = (header: object) => makeJwt(stranger, { kid: 'one', ...header }, claims)
  const [head, , signature] = make().split('.')
  // test/protocol/tokens/verify.test.ts has every signature that verifyJwt refuses.
  it.each([
    ['alg none', `${part({ alg: 'none' })}.${part(claims)}.`, 'alg none is not accepted'],
    ['HMAC with the public key', makeHmacJwt(spki, { kid: 'one' }, claims), 'signature of the assertion'],
    ['another key under a known kid', makeJwt(other, { kid: 'one' }, claims), 'not signed with key one'],
    ['a foreign kid', makeJwt(other, { kid: 'three' }, claims), 'no published key fits key three'],
    ['the key of another issuer', makeJwt(stranger, { kid: 'x' }, claims), 'no published key fits'],
    ['no kid where two keys fit', makeJwt(key, {}, claims), 'several published keys fit'],
    ['its own jwk', forged({ jwk: stranger.publicJwk }), 'not signed with key one'],
    ['its own jku and x5u', forged({ jku: 'https://x.example', x5u: 'https://x.example' }), 'not signed'],
    ['an unknown crit', make({}, { crit: ['x'], x: 1 }), 'signature of the assertion'],
    ['a changed claim', `${head}.${part({ ...claims, sub: 'bob' })}.${signature}`, 'not signed with key one'],
    ['no JWT', 'alice', 'a JWT has three parts'],
    ['an encrypted JWT', 'a.b.c.d.e', 'encrypted'],
    ['an empty text', '', 'no JWT'],
  ])('is refused with %s', async (_what, assertion, why) => {
    expect(await reason(verify(assertion))).toMatch(new RegExp(`^invalid_grant: .*${why}`))
  })

  it('is accepted once, with or without jti, and after a refusal', async () => {
    for (const assertion of [make(), make({ jti: undefined })]) {
      const memory = expected()
      await refusal(verifyJwtAssertion(assertion, { ...memory, audiences: [] }))
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, () => verifyJwtAssertion(assertion, memory)),
      )
      expect(results.filter(each => each.status === 'fulfilled')).toHaveLength(1)
      expect(await reason(verifyJwtAssertion(assertion, memory))).toContain('used before')
    }
  })

  it('without jti has an id of its own text, so that two of one issuer are two', async () => {
    const memory = expected()
    const ids = []
    for (const exp of [seconds + 60, seconds + 61]) {
      ids.push((await verifyJwtAssertion(make({ jti: undefined, exp }), memory)).id)
    }
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[\w-]{43}$/)
  })

  it('without jti is the same assertion under another signature', async () => {
    const ec = ecKey('e')
    const memory = expected(jwks(ec))
    const [h, p] = makeJwt(ec, { kid: 'e' }, { ...claims, jti: undefined }).split('.')
    // Every ECDSA signature of the same text is different.
    const again = makeJwt(ec, { kid: 'e' }, { ...claims, jti: undefined })
    expect(again.startsWith(`${h}.${p}.`)).toBe(true)
    await verifyJwtAssertion(makeJwt(ec, { kid: 'e' }, { ...claims, jti: undefined }), memory)
    expect(await reason(verifyJwtAssertion(again, memory))).toContain('used before')
  })

  it('is refused while the replay guard is full', async () => {
    const memory = { ...expected(), replay: createReplayGuard({ now: () => now, limit: 1 }) }
    await verifyJwtAssertion(make(), memory)
    expect(await reason(verifyJwtAssertion(make({ jti: 'j2' }), memory))).toContain('try again later')
  })
})

describe('a JWT assertion of a client (private_key_jwt)', () => {
  const client = { client_id: 'web', jwks: { keys: [key.publicJwk] } }
  const own = { iss: 'web', sub: 'web', aud: 'https://as.example/token', exp: seconds + 60, jti: 'c1' }
  const authenticate = (
    assertion: string,
    who: Parameters<typeof verifyClientAssertion>[1]['client'] = client,
  ) =>
    verifyClientAssertion(assertion, {
      client: who,
      keysOf: async () => who.jwks as JwkSet,
      audiences,
      now,
      replay: createReplayGuard({ now: () => now }),
      clientId: 'app',
    })
  const sign = (change: object = {}) => makeJwt(key, { kid: 'one' }, { ...own, ...change })

  it.each<[string, object, string]>([
    ['another iss', { iss: 'other' }, 'iss is not the client_id (iss: other)'],
    ['another sub', { sub: 'other' }, 'sub is not the client_id (sub: other)'],
    ['no iss', { iss: undefined }, 'iss is not the client_id (iss: missing)'],
  ])('is refused with %s', async (_what, change, why) => {
    const text = await reason(authenticate(sign(change)))
    expect(text).toMatch(/^invalid_client: /)
    expect(text).toContain(why)
  })

  it.each([
    [undefined, true],
    ['JWT', true],
    ['application/client-authentication+jwt', true],
    ['dpop+jwt', false],
    ['oauth-id-jag+jwt', false],
    [7, false],
  ])('with typ %j: accepted is %s', async (typ, accepted) => {
    const assertion = makeJwt(key, { kid: 'one', typ }, own)
    if (accepted) expect((await authenticate(assertion)).subject).toBe('web')
    else expect(await reason(authenticate(assertion))).toContain('made for something else')
  })

  const UNREGISTERED = 'is a method this client is not registered for'
  it.each<[unknown, Parameters<typeof verifyClientAssertion>[1]['client'], string]>([
    ['HS256', client, `client_secret_jwt ${UNREGISTERED} (alg: HS256)`],
    ['HS512', { client_id: 'web' }, 'client_secret_jwt is a method'],
    ['ES256', { client_id: 'web' }, `private_key_jwt ${UNREGISTERED} (alg: ES256)`],
    [7, client, 'signature of the assertion'],
    [undefined, client, 'signature of the assertion'],
  ])('with alg %j is refused', async (alg, who, why) => {
    const text = await reason(authenticate(`${part({ alg, kid: 'one' })}.${part(own)}.AAAA`, who))
    expect(text).toMatch(/^invalid_client: /)
    expect(text).toContain(why)
  })

  it('may expire in a day', async () => {
    expect(await authenticate(sign({ exp: seconds + 86_400 }))).toMatchObject({ id: 'c1' })
  })

  it.each([
    [64 * 1024, 'web', 'no JWT'],
    [64 * 1024 + 1, undefined, 'longer than 64 KiB'],
  ])('of %i characters is read for its client_id: %s', async (length, id, why) => {
    const start = ['', ' ', '  ']
      .map(pad => `${part(`{"alg":"RS256"}${pad}`)}.${part('{"sub":"web"}')}.`)
      // A signature in base64url has no length of 4n + 1.
      .find(each => (length - each.length) % 4 !== 1)
    expect(assertedClientId(start + 'A'.repeat(length - String(start).length))).toBe(id)
    expect(await reason(authenticate('a'.repeat(length)))).toContain(why)
  })

  it('names no client when it cannot be read', () => {
    for (const text of ['', 'a.b.c', 'x'.repeat(70_000), `${part({})}.${part({ sub: 7 })}.AA`]) {
      expect(assertedClientId(text)).toBeUndefined()
    }
  })
})

it('throws nothing but OAuthError, whatever the text', async () => {
  const anyJwt = fc.tuple(fc.json(), fc.json()).map(([header, body]) => `${part(header)}.${part(body)}.AAAA`)
  const signed = fc
    .tuple(
      fc.dictionary(fc.constantFrom('alg', 'typ', 'kid', 'crit', 'jwk', 'b64', '__proto__'), fc.jsonValue()),
      fc.dictionary(
        fc.constantFrom('iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'toString'),
        fc.jsonValue(),
      ),
    )
    .map(([header, body]) =>
      makeJwt(key, JSON.stringify({ alg: 'RS256', kid: 'one', ...header }), { ...claims, ...body }),
    )
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), anyJwt, signed), async assertion => {
      assertedClientId(assertion)
      const result = await verify(assertion).catch((error: unknown) => error)
      if (result instanceof Error) expect(result).toBeInstanceOf(OAuthError)
      else expect(result).toHaveProperty('issuer', 'https://idp.example')
    }),
    { numRuns: 300 },
  )
})
