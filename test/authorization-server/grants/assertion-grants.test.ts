import { describe, expect, it } from 'vitest'
import { ecKey, makeJwt } from '../../tokens/jwt-maker.js'
import { encoded, identityProvider, type SamlWords, samlXml, signXml } from '../assertions/saml-maker.js'
import { basic, claimsOf, client, expectError, ISSUER, json, lab, type Parameters } from '../support.js'

const JWT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const SAML = 'urn:ietf:params:oauth:grant-type:saml2-bearer'
const key = ecKey('one')
const idp = identityProvider('https://idp.example')
const CLIENT = [basic('bearer', 'x')]

const world = () =>
  lab({
    clients: [
      client('bearer', { client_secret: 'x', grant_types: [JWT, SAML, 'refresh_token'] }),
      client('other', { client_secret: 'x' }),
    ],
    assertionIssuers: async () => [
      { issuer: idp.issuer, certificatePem: idp.certificatePem },
      { issuer: 'https://jwt.example', jwks: { keys: [key.publicJwk] } },
    ],
  })
const { now } = world().clock
const iso = (seconds: number) => new Date(now + seconds * 1000).toISOString()

let count = 0
const jwt = (more: object = {}) => {
  const iat = Math.floor(now / 1000)
  const claims = {
    iss: 'https://jwt.example',
    sub: 'alice',
    aud: ISSUER,
    iat,
    exp: iat + 60,
    jti: `j${++count}`,
  }
  return makeJwt(key, { kid: 'one' }, { ...claims, ...more })
}
const saml = (more: SamlWords = {}) => {
  const words: SamlWords = {
    id: `_s${++count}`,
    issueInstant: iso(-5),
    notBefore: iso(-5),
    notOnOrAfter: iso(300),
    audiences: [ISSUER],
    confirmation: `Recipient="${ISSUER}/token" NotOnOrAfter="${iso(300)}"`,
  }
  return encoded(signXml(samlXml({ ...words, ...more }), idp))
}

const kinds = [
  {
    name: 'JWT',
    type: JWT,
    issuer: 'https://jwt.example',
    make: jwt,
    of: (sub: string) => jwt({ sub }),
    late: () => jwt({ exp: 1 }),
  },
  {
    name: 'SAML',
    type: SAML,
    issuer: 'https://idp.example',
    make: saml,
    of: (sub: string) => saml({ nameId: `<saml:NameID>${sub}</saml:NameID>` }),
    late: () => saml({ notOnOrAfter: iso(-1) }),
  },
]

describe.each(kinds)('a $name assertion as a grant', ({ type, issuer, make, of, late }) => {
  const form = (assertion: string, more: Parameters = {}) => ({ grant_type: type, assertion, ...more })

  it('gives an access token for its subject, without id_token and refresh token', async () => {
    const { token, events } = world()
    const answer = json(await token(form(make(), { scope: 'openid records:write' }), CLIENT))
    expect(answer).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid records:write',
    })
    expect(claimsOf(answer.access_token)).toMatchObject({ sub: 'alice', aud: 'bearer', client_id: 'bearer' })
    expect(events).toMatchObject([
      { type: 'assertion.accepted', client_id: 'bearer', issuer, username: 'alice' },
      { type: 'token.issued', grant_type: type },
    ])
  })

  it('is accepted once, even in 10 parallel uses', async () => {
    const { token } = world()
    const assertion = make()
    const responses = await Promise.all(Array.from({ length: 10 }, () => token(form(assertion), CLIENT)))
    expect(responses.filter(response => response.status === 200)).toHaveLength(1)
    expectError(await token(form(assertion), CLIENT), 400, 'invalid_grant')
  })

  it('stays unused when another part of the request is wrong', async () => {
    const { token } = world()
    const assertion = make()
    expectError(await token(form(assertion, { scope: 'banana' }), CLIENT), 400, 'invalid_scope')
    expectError(await token(form(assertion, { resource: '/x' }), CLIENT), 400, 'invalid_target')
    expectError(await token(form(assertion), [basic('bearer', 'wrong')]), 401, 'invalid_client')
    expectError(await token(form(assertion), [basic('other', 'x')]), 400, 'unauthorized_client')
    expect((await token(form(assertion), CLIENT)).status).toBe(200)
  })

  it.each([
    ['of nobody', () => of('nobody'), 'invalid_grant'],
    ['of a prototype name', () => of('__proto__'), 'invalid_grant'],
    ['too late', () => late(), 'invalid_grant'],
    ['of the other kind', () => (type === JWT ? saml() : jwt()), 'invalid_grant'],
    ['left out', () => '', 'invalid_request'],
    ['that is none', () => 'x', 'invalid_grant'],
    ['of null bytes', () => '\0\0', 'invalid_grant'],
    ['that is huge', () => 'A'.repeat(65_000), 'invalid_grant'],
  ])('%s is refused', async (_name, assertion, error) => {
    expectError(await world().token(form(assertion()), CLIENT), 400, error)
  })

  it('of an issuer that is not registered is refused', async () => {
    const { token } = lab({ clients: [client('bearer', { client_secret: 'x', grant_types: [type] })] })
    expectError(await token(form(make()), CLIENT), 400, 'invalid_grant')
  })
})
