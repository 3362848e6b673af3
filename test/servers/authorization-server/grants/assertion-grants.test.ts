import { describe, expect, it } from 'vitest'
import type { Header } from '../../../../src/protocol/http/message.js'
import type { DefendedSettings } from '../../../../src/servers/authorization-server/defences.js'
import { weakDefences } from '../../../../src/servers/authorization-server/weak/weak-defences.js'
import { ecKey, makeJwt } from '../../../protocol/tokens/jwt-maker.js'
import { encoded, identityProvider, type SamlWords, samlXml, signXml } from '../assertions/saml-maker.js'
import { basic, claimsOf, client, expectError, ISSUER, json, lab, type Parameters } from '../support.js'

const JWT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const SAML = 'urn:ietf:params:oauth:grant-type:saml2-bearer'
const key = ecKey('one')
const idp = identityProvider('https://idp.example')
const CLIENT = [basic('bearer', 'x')]

const world = (more: Partial<DefendedSettings> = {}) =>
  lab({
    ...more,
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
const jwt = (more: object = {}, header: object = {}) => {
  const iat = Math.floor(now / 1000)
  const names = { iss: 'https://jwt.example', sub: 'alice', aud: ISSUER, jti: `j${++count}` }
  return makeJwt(key, { kid: 'one', ...header }, { ...names, iat, exp: iat + 60, ...more })
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

describe('a JWT without client authentication (RFC 7521 §4.1)', () => {
  const API = 'https://localhost:8444'
  const issuers = [
    { issuer: 'https://jwt.example', jwks: { keys: [key.publicJwk] }, clientless: true },
    { issuer: 'https://strict.example', jwks: { keys: [key.publicJwk] } },
  ]
  const alone = (published: readonly string[] = [API]) => {
    const made = lab({
      clients: [client('bearer', { client_secret: 'x', grant_types: [JWT] })],
      assertionIssuers: async () => issuers,
      protectedResources: () => published,
    })
    const ask = (assertion: string, more: Parameters = {}, headers: readonly Header[] = []) =>
      made.token({ grant_type: JWT, assertion, ...more }, headers)
    return { ...made, ask }
  }

  it('gives a token whose client is the issuer, for the resource server, as google-auth and x/oauth2 ask for one', async () => {
    const { ask, events, post } = alone()
    // Service accounts name no jti, and their scope in the assertion.
    const response = await ask(jwt({ jti: undefined, scope: 'records:read records:write' }))
    expect(response.status).toBe(200)
    const { access_token, ...rest } = json(response)
    expect(rest).toEqual({ token_type: 'Bearer', expires_in: 3600, scope: 'records:read records:write' })
    expect(claimsOf(access_token)).toMatchObject({
      sub: 'alice',
      client_id: 'https://jwt.example',
      aud: API,
    })
    expect(events.at(-1)).toMatchObject({ type: 'token.issued', client_id: 'https://jwt.example' })
    const seen = json(await post('/introspection', { token: String(access_token) }, CLIENT))
    expect(seen).toMatchObject({ active: true, client_id: 'https://jwt.example', username: 'alice' })
  })

  it.each([
    [{}, {}, 'records:read', API],
    [{ scope: 'records:write' }, {}, 'records:write', API],
    [{ scope: 'records:read records:write' }, { scope: 'records:read' }, 'records:read', API],
    [{ scope: '' }, { scope: 'records:write' }, 'records:write', API],
    [{}, { resource: ISSUER }, 'records:read', ISSUER],
  ])('%j and %j give the scope %s for %s', async (claims, form, scope, aud) => {
    const { access_token } = json(await alone().ask(jwt(claims), form))
    expect(claimsOf(access_token)).toMatchObject({ scope, aud })
  })

  it.each([
    ['without a client', (form: Parameters) => alone().token(form, [])],
    ['with a client', (form: Parameters) => alone().token(form, CLIENT)],
  ])('gives no more than the scope that the issuer signed: %s', async (_who, ask) => {
    const form = (scope?: string) => ({
      grant_type: JWT,
      assertion: jwt({ scope: 'records:read' }),
      ...(scope && { scope }),
    })
    const wider = await ask(form('records:read records:write'))
    expectError(wider, 400, 'invalid_scope')
    expect(json(wider).error_description).toContain('records:write is more than was granted')
    expect(json(await ask(form()))).toMatchObject({ scope: 'records:read' })
  })

  it('can be revoked by whoever holds the token, and by no other client', async () => {
    const { ask, post, events } = alone()
    const { access_token } = json(await ask(jwt()))
    const token = String(access_token)
    expectError(await post('/revocation', { token }, CLIENT), 400, 'invalid_grant')
    expectError(await post('/revocation', { token, client_id: 'bearer' }), 400, 'invalid_client')
    expectError(await post('/revocation', { token: `${token}x` }), 400, 'invalid_client')
    expect((await post('/revocation', { token })).status).toBe(200)
    expect(events.at(-1)).toMatchObject({ type: 'token.revoked', client_id: 'https://jwt.example' })
    expectError(await post('/revocation', { token }), 400, 'invalid_client')
  })

  it('is for the issuer where no resource server is known', async () => {
    const { access_token } = json(await alone([]).ask(jwt()))
    expect(claimsOf(access_token).aud).toBe('https://jwt.example')
  })

  it.each([
    ['of an issuer that is not registered for it', jwt({ iss: 'https://strict.example' }), 'invalid_client'],
    ['of an unknown issuer', jwt({ iss: 'https://unknown.example' }), 'invalid_client'],
    ['that is no JWT', 'abc', 'invalid_client'],
    ['that is missing', '', 'invalid_client'],
    ['with a scope that nobody knows', jwt({ scope: 'unknown' }), 'invalid_scope'],
    ['of another signature', jwt().replace(/[^.]*$/, 'AAAA'), 'invalid_grant'],
  ])('%s is refused', async (_, assertion, error) => {
    expectError(await alone().ask(assertion), 400, error)
  })

  it('does not make a client of the issuer that others could name', async () => {
    const { ask, token } = alone()
    expect((await ask(jwt())).status).toBe(200)
    const named = { client_id: 'https://jwt.example' }
    expectError(await ask(jwt(), named), 400, 'invalid_client')
    expectError(await token({ grant_type: 'client_credentials', ...named }, []), 400, 'invalid_client')
    expectError(await ask(jwt(), {}, [basic('bearer', 'wrong')]), 401, 'invalid_client')
    expectError(await token({ grant_type: SAML, assertion: saml() }, []), 400, 'invalid_client')
  })
})

describe('the typ of a JWT assertion', () => {
  const RESOURCE = 'https://mcp.example/'
  const typed = (typ: string, more: object = {}) => jwt(more, { typ })
  const granted = (assertion: string) => world().token({ grant_type: JWT, assertion }, CLIENT)

  it.each(['JWT', 'application/jwt'])('%s is an assertion', async typ => {
    expect((await granted(typed(typ))).status).toBe(200)
  })

  it('at+jwt was made for something else', async () => {
    expectError(await granted(typed('at+jwt')), 400, 'invalid_grant')
  })

  it.each([ISSUER, `${ISSUER}/token`, 'https://localhost:8449/token'])(
    'the server is known as %s, as its metadata name it',
    async aud => {
      const here = world({ mtlsUrl: () => 'https://localhost:8449' })
      const { status } = await here.token({ grant_type: JWT, assertion: jwt({ aud }) }, CLIENT)
      expect(status).toBe(200)
    },
  )

  it('an ID-JAG binds its token to its client and resource', async () => {
    const answer = json(await granted(typed('oauth-id-jag+jwt', { client_id: 'bearer', resource: RESOURCE })))
    expect(claimsOf(answer.access_token)).toMatchObject({ aud: RESOURCE, client_id: 'bearer', sub: 'alice' })
    const both = { client_id: 'bearer', resource: [RESOURCE, ISSUER], scope: 'records:read' }
    const wide = json(await granted(typed('oauth-id-jag+jwt', both)))
    expect(claimsOf(wide.access_token)).toMatchObject({ aud: [RESOURCE, ISSUER], scope: 'records:read' })
  })

  it('an ID-JAG of another client is good at a server that is weak so', async () => {
    const defences = weakDefences(['id-jag-not-bound'], { outside: 'http://localhost' })
    const assertion = typed('oauth-id-jag+jwt', { client_id: 'other' })
    expect((await world({ defences }).token({ grant_type: JWT, assertion }, CLIENT)).status).toBe(200)
  })

  it.each([
    ['another client', { client_id: 'other' }],
    ['no client', {}],
    ['an endpoint as audience', { client_id: 'bearer', aud: `${ISSUER}/token` }],
    ['two audiences', { client_id: 'bearer', aud: [ISSUER, 'https://other.example'] }],
    ['no resource that can be read', { client_id: 'bearer', resource: [RESOURCE, 7] }],
  ])('an ID-JAG of %s is refused', async (_name, more) => {
    expectError(await granted(typed('oauth-id-jag+jwt', more)), 400, 'invalid_grant')
  })
})
