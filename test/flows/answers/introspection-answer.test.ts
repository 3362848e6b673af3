import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  INTROSPECTION_JWT,
  type IntrospectionExpectations,
  readIntrospection,
} from '../../../src/flows/answers/introspection-answer.js'
import type { Exchange } from '../../../src/protocol/http/exchange.js'
import { OAuthError } from '../../../src/protocol/oauth/oauth-error.js'
import { ecKey, makeHmacJwt, makeJwt } from '../../protocol/tokens/jwt-maker.js'
import { forAll } from '../../support/for-all.js'

const key = ecKey('k1')
const stranger = ecKey('k1')
const now = Date.UTC(2026, 0, 2, 12)
const iat = now / 1000
const expected: IntrospectionExpectations = {
  issuer: 'https://as.test',
  clientId: 'api',
  published: { keys: [{ ...key.publicJwk, alg: key.alg }] },
  now,
}

const answer = (body: string, type = 'application/json', status = 200, accept = 'application/json') =>
  ({
    request: { method: 'POST', url: 'https://as.test/introspect', headers: [['accept', accept]], body: '' },
    response: { status, headers: [['content-type', type]], body },
  }) as unknown as Exchange

const claims = {
  iss: 'https://as.test',
  aud: 'api',
  iat,
  token_introspection: { active: true, sub: 'alice' },
}
const typ = 'token-introspection+jwt'
const signed = (change: object = {}, header: object = {}, by = key) =>
  makeJwt(by, { kid: 'k1', typ, ...header }, { ...claims, ...change })

describe('an introspection answer (RFC 7662 §2.2)', () => {
  it('of the RFC is read', async () => {
    const members = {
      active: true,
      client_id: 'l238j323ds-23ij4',
      username: 'jdoe',
      scope: 'read write dolphin',
      sub: 'Z5O3upPC88QrAjx00dis',
      aud: 'https://protected.example.net/resource',
      iss: 'https://server.example.com/',
      exp: 1419356238,
      iat: 1419350238,
      extension_field: 'twenty-seven',
    }
    const read = await readIntrospection(answer(JSON.stringify(members)), {
      ...expected,
      now: 1419350300_000,
    })
    expect(read).toMatchObject({ active: true, members })
    expect(read.checks.every(({ ok }) => ok)).toBe(true)
  })

  it.each([
    ['{"active":false}', []],
    ['{"active":false,"sub":"alice"}', ['silent']],
    [`{"active":true,"exp":${iat - 3600}}`, ['exp']],
    [`{"active":true,"nbf":${iat + 3600}}`, ['nbf']],
  ])('%s has the remarks %j', async (body, remarks) => {
    const { checks } = await readIntrospection(answer(body), expected)
    expect(checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(remarks)
  })

  it.each([
    ['{}', 'application/json', 200, 'no boolean active: missing'],
    ['{"active":"true"}', 'application/json', 200, 'no boolean active: true'],
    ['[]', 'application/json', 200, 'no JSON object'],
    ['<html>', 'text/html', 200, 'with text/html'],
    ['{"error":"invalid_client"}', 'application/json', 401, 'invalid_client'],
    ['', 'text/plain', 302, 'redirect'],
  ])('%s (%s, %d) is refused', async (body, type, status, problem) => {
    await expect(readIntrospection(answer(body, type, status), expected)).rejects.toThrow(problem)
  })

  it('in JSON is remarked on where a signed one was asked for', async () => {
    const { checks } = await readIntrospection(
      answer('{"active":true}', 'application/json', 200, INTROSPECTION_JWT),
      expected,
    )
    expect(checks[0]).toMatchObject({ name: 'signed', ok: false, advice: true, rule: 'RFC 9701 §5' })
  })

  it('of any text is read or refused', async () => {
    const types = fc.constantFrom('application/json', INTROSPECTION_JWT, 'text/plain')
    await forAll(fc.oneof(fc.string(), fc.json()), types, async (body, type) => {
      const refusal = await readIntrospection(answer(body, type), expected).catch((error: unknown) => error)
      expect(refusal instanceof Error ? refusal instanceof OAuthError : true).toBe(true)
    })
  })
})

describe('a signed introspection answer (RFC 9701 §5)', () => {
  const read = (jwt: string, more: Partial<IntrospectionExpectations> = {}) =>
    readIntrospection(answer(jwt, INTROSPECTION_JWT), { ...expected, ...more })

  it('is verified by the published keys', async () => {
    const { active, members, signed: header, checks } = await read(signed())
    expect({ active, members }).toEqual({ active: true, members: { active: true, sub: 'alice' } })
    expect(header).toMatchObject({ typ, alg: 'ES256' })
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['typ', 'signature', 'iss', 'aud']))
  })

  it.each<[string, () => string, Partial<IntrospectionExpectations>, string]>([
    ['by another key', () => signed({}, {}, stranger), {}, 'the signature of'],
    ['of another issuer', () => signed({ iss: 'https://evil.test' }), {}, 'the iss of'],
    ['for another client', () => signed({ aud: 'other' }), {}, 'the aud of'],
    ['without iat', () => signed({ iat: undefined }), {}, 'the iat of'],
    ['with the type of an access token', () => signed({}, { typ: 'at+jwt' }), {}, 'the typ of'],
    ['without a type', () => signed({}, { typ: undefined }), {}, 'the typ of'],
    ['with no object', () => signed({ token_introspection: true }), {}, 'no object token_introspection'],
    ['by an algorithm that is not announced', () => signed(), { algorithms: ['PS256'] }, 'the alg of'],
    ['without keys', () => signed(), { published: undefined }, 'no keys are published'],
    ['that is none', () => 'a.b.c', {}, 'no JWT'],
    [
      'by the secret of the client, where keys are published',
      () => makeHmacJwt('secret-of-32-bytes-or-more-012345', { typ }, claims),
      { clientSecret: 'secret-of-32-bytes-or-more-012345' },
      'the signature of',
    ],
  ])('%s is refused', (_, jwt, more, problem) => expect(read(jwt(), more)).rejects.toThrow(problem))
})
