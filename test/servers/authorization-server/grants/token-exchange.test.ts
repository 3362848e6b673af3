import { describe, expect, it } from 'vitest'
import {
  basic,
  claimsOf,
  client,
  expectError,
  json,
  lab,
  type Parameters,
  query,
  VERIFIER,
} from '../support.js'

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS = 'urn:ietf:params:oauth:token-type:access_token'
const JWT = 'urn:ietf:params:oauth:token-type:jwt'
const clients = [
  client('front', { grant_types: ['authorization_code', GRANT] }),
  client('public', { grant_types: [GRANT] }),
  client('back', { client_secret: 'x', grant_types: [GRANT, 'client_credentials', 'refresh_token'] }),
  client('wide', { client_secret: 'x', grant_types: [GRANT] }),
  client('narrow', { client_secret: 'x', grant_types: [GRANT], allowed_scopes: ['records:read'] }),
]
const BACK = [basic('back', 'x')]

async function world() {
  const made = lab({ clients })
  const { newCode, redeem, token } = made
  const code = await newCode({ client_id: 'front', scope: 'openid records:read records:write' })
  const { access_token: subject, id_token: idToken } = json(await redeem(code, { client_id: 'front' }, []))
  const actor = json(await token({ grant_type: 'client_credentials' }, BACK)).access_token
  const exchange = (form: Parameters = {}, headers = BACK) =>
    token({ grant_type: GRANT, subject_token: String(subject), subject_token_type: ACCESS, ...form }, headers)
  return { ...made, subject: String(subject), actor: String(actor), idToken: String(idToken), exchange }
}

describe('token exchange (RFC 8693)', () => {
  it('gives an access token for the same subject', async () => {
    const { exchange, events } = await world()
    const response = await exchange()
    expect(response.status).toBe(200)
    const answer = json(response)
    expect(answer).toEqual({
      access_token: expect.any(String),
      issued_token_type: ACCESS,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid records:read records:write',
    })
    const claims = claimsOf(answer.access_token)
    expect(claims).toMatchObject({ sub: 'alice', client_id: 'back', aud: 'back' })
    expect(claims.act).toBeUndefined()
    expect(events.at(-1)).toMatchObject({ type: 'token.issued', grant_type: GRANT, sub: 'alice' })
  })

  it('of a token of a client keeps that client as the subject, which is no user', async () => {
    const { exchange, actor, post } = await world()
    const wider = [basic('wide', 'x')]
    const { access_token: exchanged } = json(await exchange({ subject_token: actor }, wider))
    expect(claimsOf(exchanged)).toMatchObject({ sub: 'back', client_id: 'wide' })
    const about = json(await post('/introspection', { token: String(exchanged) }, wider))
    expect(about).toMatchObject({ active: true, sub: 'back', client_id: 'wide' })
    expect(about).not.toHaveProperty('username')
  })

  it('narrows the scope and never widens it', async () => {
    const { exchange } = await world()
    const narrowed = json(await exchange({ scope: 'records:read' }))
    expect(narrowed.scope).toBe('records:read')
    const again = { subject_token: String(narrowed.access_token) }
    expectError(await exchange({ ...again, scope: 'records:write' }), 400, 'invalid_scope')
    expect(json(await exchange(again)).scope).toBe('records:read')
    expect(json(await exchange({}, [basic('narrow', 'x')])).scope).toBe('records:read')
  })

  it('is for each audience, and for no empty one', async () => {
    const { token, subject } = await world()
    const asked = { grant_type: GRANT, subject_token: subject, subject_token_type: ACCESS, audience: '' }
    const answer = await token(`${query(asked)}&audience=back&state=front&audience=front`, BACK)
    expect(claimsOf(json(answer).access_token).aud).toEqual(['back', 'front'])
  })

  it.each([
    [{ resource: 'https://api.example/' }, 'https://api.example/'],
    [{ audience: 'records-api' }, 'records-api'],
    [{ resource: 'https://api.example/', audience: 'records-api' }, ['https://api.example/', 'records-api']],
  ])('is for %j', async (asked, aud) => {
    const { exchange } = await world()
    expect(claimsOf(json(await exchange(asked)).access_token).aud).toEqual(aud)
  })

  it('names the actor and the earlier actors', async () => {
    const { exchange, actor, post } = await world()
    const acting = { actor_token: actor, actor_token_type: ACCESS }
    const one = json(await exchange(acting)).access_token
    expect(claimsOf(one).act).toEqual({ sub: 'back' })
    expect(json(await post('/introspection', { token: String(one) }, BACK)).act).toEqual({ sub: 'back' })
    const two = json(await exchange({ ...acting, subject_token: String(one) })).access_token
    expect(claimsOf(two)).toMatchObject({ sub: 'alice', act: { sub: 'back', act: { sub: 'back' } } })
    const kept = json(await exchange({ subject_token: String(one) })).access_token
    expect(claimsOf(kept).act).toEqual({ sub: 'back' })
  })

  it('limits the chain of actors', async () => {
    const { exchange, actor, subject } = await world()
    let latest = subject
    const next = () => exchange({ subject_token: latest, actor_token: actor, actor_token_type: ACCESS })
    for (let i = 0; i < 10; i++) latest = String(json(await next()).access_token)
    expectError(await next(), 400, 'invalid_request')
    expect((await exchange({ subject_token: latest })).status).toBe(200)
  })

  it('accepts and issues the type jwt', async () => {
    const { exchange } = await world()
    const answer = json(await exchange({ subject_token_type: JWT, requested_token_type: JWT }))
    expect(answer.issued_token_type).toBe(JWT)
  })

  it('gives a token that expires no later than the first', async () => {
    const { exchange, clock, subject } = await world()
    clock.now += 3_000_000
    const answer = json(await exchange())
    expect(answer.expires_in).toBe(600)
    expect(claimsOf(answer.access_token).exp).toBe(claimsOf(subject).exp)
    clock.now += 600_000
    expectError(await exchange(), 400, 'invalid_request')
  })

  type Tokens = Awaited<ReturnType<typeof world>>
  const bad: readonly [name: string, form: (tokens: Tokens) => Parameters, error?: string][] = [
    ['no subject_token', () => ({ subject_token: '' })],
    ['no subject_token_type', () => ({ subject_token_type: '' })],
    ['another subject_token_type', () => ({ subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' })],
    ['a prototype name as type', () => ({ subject_token_type: '__proto__' })],
    ['no JWT', () => ({ subject_token: 'x' })],
    ['an id_token', ({ idToken }) => ({ subject_token: idToken })],
    ['a changed token', ({ subject }) => ({ subject_token: `${subject.slice(0, -8)}AAAAAAAA` })],
    ['an actor_token without type', ({ actor }) => ({ actor_token: actor })],
    ['an actor_token_type alone', () => ({ actor_token_type: ACCESS })],
    ['a bad actor_token', () => ({ actor_token: 'x', actor_token_type: ACCESS })],
    ['another requested type', () => ({ requested_token_type: 'urn:ietf:params:oauth:token-type:x' })],
    ['a wider scope', () => ({ scope: 'records:read email' }), 'invalid_scope'],
    ['an unknown scope', () => ({ scope: 'banana' }), 'invalid_scope'],
    ['a relative resource', () => ({ resource: '/x' }), 'invalid_target'],
    ['a huge audience', () => ({ audience: 'x'.repeat(5000) }), 'invalid_target'],
  ]
  it.each(bad)('is refused with %s', async (_name, form, error = 'invalid_request') => {
    const made = await world()
    expectError(await made.exchange(form(made)), 400, error)
  })

  it('of a revoked token is refused', async () => {
    const { exchange, post, subject } = await world()
    await post('/revocation', { token: subject, client_id: 'front' })
    expectError(await exchange(), 400, 'invalid_request')
  })

  it('lets a public client exchange only its own tokens', async () => {
    const { exchange, actor } = await world()
    expect((await exchange({ client_id: 'front', code_verifier: VERIFIER }, [])).status).toBe(200)
    expectError(await exchange({ client_id: 'public' }, []), 400, 'invalid_request')
    const own = { client_id: 'front', code_verifier: VERIFIER }
    const foreign = await exchange({ ...own, actor_token: actor, actor_token_type: ACCESS }, [])
    expectError(foreign, 400, 'invalid_request')
    expect(json(foreign).error_description).toBe('actor_token was issued to another client')
  })
})
