import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  bytes,
  type Header,
  type HttpRequest,
  type HttpResponse,
} from '../../../../src/protocol/http/message.js'
import type { Client } from '../../../../src/protocol/oauth/client.js'
import { ecKey, makeJwt, type TestKey } from '../../../protocol/tokens/jwt-maker.js'
import {
  claimsOf,
  client,
  FORM,
  field,
  ISSUER,
  json,
  landed,
  location,
  type Parameters,
  query,
  settings,
  VERIFIER,
} from '../support.js'
import { type AssertionChanges, bankLab, RETURN } from '../switches/signing-client.js'

/*
 * The modules of the OpenID Foundation's plan fapi2-security-profile-final-test-plan for servers, by their names without the
 * beginning `fapi2-security-profile-final-`, for private_key_jwt with DPoP and with mutual TLS, plain OAuth, and client
 * credentials. Modules about signed request objects stand in ../request-objects, refusals that one parameter decides in
 * ../profiles/fapi2.test.ts, and those of any server in ../endpoints (token, dpop, authorization/par), in ../stores and in
 * test/protocol/tokens/dpop.test.ts.
 */

const ALL_GRANTS = { grant_types: ['authorization_code', 'refresh_token', 'client_credentials'] }
const [ownKey, otherKey] = [ecKey(), ecKey()]
const assertionKey2 = ecKey('bank2')
let count = 0

/** A proof in parts, so that a module can break each of them. */
interface ProofChanges {
  readonly by?: TestKey
  readonly header?: object
  readonly claims?: object
  readonly token?: string
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
const CERTIFICATE = { der: bytes('a certificate') }
const OTHER_CERTIFICATE = { der: bytes('another certificate') }
const MTLS = 'https://localhost:8449'

/** A lab under the profile with two clients, and the steps of the suite. */
function plan(more: Partial<Client> = {}) {
  const signing = (id: string, redirect: string, { publicJwk }: TestKey) =>
    client(id, {
      redirect_uris: [redirect],
      jwks: { keys: [publicJwk] },
      token_endpoint_auth_method: 'private_key_jwt',
      ...ALL_GRANTS,
      ...more,
    })
  const own = [signing('bank', RETURN, bankKey), signing('bank2', `${RETURN}2`, assertionKey2)]
  const clients = [...own, ...settings.clients]
  const made = bankLab({}, { profile: 'fapi2', clients, mtlsUrl: () => MTLS })
  const now = () => Math.floor(made.clock.now / 1000)

  function proof(url: string, { by = ownKey, header = {}, claims = {}, token }: ProofChanges = {}): Header {
    const said = {
      jti: `plan-${++count}`,
      htm: url.endsWith('/userinfo') ? 'GET' : 'POST',
      htu: url,
      iat: now(),
      ...(token !== undefined && { ath: hashOf(token) }),
      ...claims,
    }
    return ['dpop', makeJwt(by, { typ: 'dpop+jwt', jwk: by.publicJwk, ...header }, said)]
  }

  function assertion(by: 'bank' | 'bank2', changes: AssertionChanges = {}): Parameters {
    const iat = now()
    const claims = { iss: by, sub: by, aud: ISSUER, iat, exp: iat + 60, jti: `plan-${++count}` }
    const key = changes.by ?? (by === 'bank' ? bankKey : assertionKey2)
    return {
      client_id: by,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: makeJwt(key, { kid: by, ...changes.header }, { ...claims, ...changes.claims }),
    }
  }

  const push = (changes: Parameters = {}, headers: readonly Header[] = [], by: AssertionChanges = {}) =>
    made.post('/par', { ...made.request(changes), ...assertion('bank', by) }, headers)
  const pushed = async (changes: Parameters = {}, headers: readonly Header[] = []): Promise<Parameters> => ({
    client_id: 'bank',
    request_uri: String(json(await push(changes, headers)).request_uri),
  })
  const login = async (changes: Parameters = {}, headers: readonly Header[] = []) =>
    made.login(await pushed(changes, headers))
  const code = async (changes: Parameters = {}, headers: readonly Header[] = []) =>
    String(landed(await login(changes, headers)).code)

  const codeForm = (issued: string): Parameters => ({
    grant_type: 'authorization_code',
    code: issued,
    redirect_uri: RETURN,
    code_verifier: VERIFIER,
  })
  const redeem = (
    issued: string,
    headers: readonly Header[] = [proof(`${ISSUER}/token`)],
    credentials = assertion('bank'),
    form: Parameters = {},
  ) => made.token({ ...codeForm(issued), ...form, ...credentials }, headers)
  const refresh = (token: unknown, headers: readonly Header[], credentials = assertion('bank')) =>
    made.token({ grant_type: 'refresh_token', refresh_token: String(token), ...credentials }, headers)

  /** A request with the token, as the DPoP modules send it. */
  const use = (token: string, headers: readonly Header[], scheme = 'DPoP') =>
    made.get('/userinfo', [['authorization', `${scheme} ${token}`], ...headers])
  const resourceProof = (token: string, changes: ProofChanges = {}) =>
    proof(`${ISSUER}/userinfo`, { token, ...changes })
  const granted = async (changes: Parameters = {}) => json(await redeem(await code(changes)))

  /** A form over the listener that asks for certificates. */
  const overTls = (
    path: string,
    form: Parameters,
    certificate: HttpRequest['certificate'] | undefined,
  ): Promise<HttpResponse> =>
    made.handle({
      method: 'POST',
      url: MTLS + path,
      headers: [FORM],
      body: bytes(query(form)),
      ...(certificate && { certificate }),
    })
  return {
    ...made,
    proof,
    assertion,
    push,
    pushed,
    login,
    code,
    codeForm,
    redeem,
    refresh,
    use,
    resourceProof,
    granted,
    overTls,
  }
}
const bankKey = ecKey('bank')
type Plan = ReturnType<typeof plan>

const isError = (response: HttpResponse, status: number | readonly number[], errors: readonly string[]) => {
  expect([status].flat()).toContain(response.status)
  const { error, error_description: description } = json(response)
  expect(errors).toContain(error)
  expect(description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
}

describe('the authorization request', () => {
  const LONG = 's'.repeat(1000)
  it.each<[string, Parameters, object]>([
    ['ensure-authorization-request-without-state-success', { state: undefined }, { iss: ISSUER }],
    ['ensure-authorization-request-without-nonce-success', { nonce: undefined }, { state: 's' }],
    ['ensure-authorization-request-with-64-char-nonce-success', { nonce: 'n'.repeat(64) }, { state: 's' }],
    ['ensure-authorization-request-with-long-nonce', { nonce: 'n'.repeat(384) }, { state: 's' }],
    ['ensure-authorization-request-with-long-state', { state: LONG }, { state: LONG }],
    ['ensure-other-scope-order-succeeds', { scope: 'records:read openid' }, { state: 's' }],
  ])('%s', async (_name, changes, answer) => {
    const made = plan()
    const back = landed(await made.login(changes))
    expect(back).toMatchObject({ code: expect.any(String), ...answer })
    expect(back).not.toHaveProperty('scope')
    if ('state' in changes && changes.state === undefined) expect(back).not.toHaveProperty('state')
    const tokens = json(await made.redeem(String(back.code)))
    expect(claimsOf(tokens.id_token).nonce).toBe('nonce' in changes ? changes.nonce : 'n')
  })

  it('plain OAuth: no id_token without openid', async () => {
    const tokens = await plan().granted({ scope: 'records:read', nonce: undefined })
    expect(tokens).toMatchObject({ token_type: 'DPoP', access_token: expect.any(String) })
    expect(tokens).not.toHaveProperty('id_token')
  })

  it('user-rejects-authentication', async () => {
    const made = plan()
    const parameters = await made.pushed({ state: 's'.repeat(128) })
    const { cookies, csrf } = await made.openForm(parameters)
    const response = await made.post(`/authorization?${query(parameters)}`, { csrf, cancel: 'yes' }, cookies)
    expect(landed(response)).toMatchObject({ error: 'access_denied', state: 's'.repeat(128), iss: ISSUER })
  })

  it('par-attempt-reuse-request_uri, and before the authentication is complete', async () => {
    const made = plan()
    const parameters = await made.pushed()
    // Visited twice by one browser, and not used.
    const { cookies } = await made.openForm(parameters)
    const page = await made.get(`/authorization?${query(parameters)}`, cookies)
    const form = { username: 'alice', password: 'wonderland', csrf: field(page, 'csrf') }
    const back = await made.post(`/authorization?${query(parameters)}`, form, cookies)
    expect(landed(back)).toHaveProperty('code')
    const again = await made.authorize(parameters)
    expect([again.status, location(again).href]).toEqual([400, 'none:'])
    expect(made.events.at(-1)).toMatchObject({ error: 'invalid_request_uri' })
  })
})

describe('the token request', () => {
  /** A refused request, for the code grant and for client credentials. */
  const wrong: Readonly<Record<string, (made: Plan) => Parameters>> = {
    'ensure-client-assertion-in-token-endpoint': () => ({ client_id: 'bank' }),
    'ensure-client-assertion-with-exp-is-5-minutes-in-past-fails': made => {
      const then = Math.floor(made.clock.now / 1000) - 300
      return made.assertion('bank', { claims: { exp: then, iat: then - 60 } })
    },
    'ensure-client-assertion-with-wrong-aud-fails': made =>
      made.assertion('bank', { claims: { aud: 'https://other.example' } }),
    'ensure-client-assertion-with-no-sub-fails': made =>
      made.assertion('bank', { claims: { sub: undefined } }),
    'ensure-client-id-in-token-endpoint': made =>
      made.assertion('bank2', { by: bankKey, header: { kid: 'bank' } }),
  }
  it.each(Object.entries(wrong))('%s', async (name, credentials) => {
    const errors = name.includes('client-id') ? ['invalid_client', 'invalid_grant'] : ['invalid_client']
    const made = plan()
    const code = await made.code()
    isError(await made.redeem(code, undefined, credentials(made)), [400, 401], errors)
    const form = { grant_type: 'client_credentials', ...credentials(made) }
    isError(await made.token(form, [made.proof(`${ISSUER}/token`)]), [400, 401], errors)
    // Nothing is lost: the good request still succeeds.
    expect((await made.redeem(code)).status).toBe(200)
  })

  it.each([
    ['ensure-dpop-proof-with-iat-10seconds-before-succeeds', -10],
    ['ensure-dpop-proof-with-iat-10seconds-after-succeeds', 10],
  ])('%s', async (_name, shift) => {
    const made = plan()
    const iat = Math.floor(made.clock.now / 1000) + shift
    const proof = made.proof(`${ISSUER}/token`, { claims: { iat } })
    const token = String(json(await made.redeem(await made.code(), [proof])).access_token)
    const response = await made.use(token, [made.resourceProof(token, { claims: { iat } })])
    expect(response.status).toBe(200)
  })

  it('check-dpop-proof-nbf-exp', async () => {
    const made = plan()
    const nbf = Math.floor(made.clock.now / 1000)
    const claims = { nbf, exp: nbf + 300 }
    const response = await made.redeem(await made.code(), [made.proof(`${ISSUER}/token`, { claims })])
    const token = String(json(response).access_token)
    expect((await made.use(token, [made.resourceProof(token, { claims })])).status).toBe(200)
  })
})

describe('the key of the code', () => {
  /** RFC 7638. */
  const thumbprint = ({ publicJwk: { crv, kty, x, y } }: TestKey) =>
    createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')

  it.each([
    ['ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt', 'proof'],
    ['ensure-token-endpoint-fails-with-mismatched-dpop-jkt', 'parameter'],
  ])('%s, and the right key succeeds', async (_name, by) => {
    const made = plan()
    const code =
      by === 'proof'
        ? await made.code({}, [made.proof(`${ISSUER}/par`)])
        : await made.code({ dpop_jkt: thumbprint(ownKey) })
    const wrong = await made.redeem(code, [made.proof(`${ISSUER}/token`, { by: otherKey })])
    isError(wrong, 400, ['invalid_request', 'invalid_grant', 'invalid_dpop_proof'])
    expect((await made.redeem(code)).status).toBe(200)
  })
})

it.each<[string, ProofChanges]>([
  ['a query and a fragment', { claims: { htu: `${ISSUER}/userinfo?a=b#c` } }],
  ['capital letters in scheme and host', { claims: { htu: 'HTTPS://LOCALHOST:8443/userinfo' } }],
  ['more members', { header: { more: 'x' }, claims: { more: 'x' } }],
])('dpop-negative-tests are no fault: %s', async (_name, changes) => {
  const made = plan()
  const token = String((await made.granted()).access_token)
  expect((await made.use(token, [made.resourceProof(token, changes)])).status).toBe(200)
})

it('refresh-token needs the credentials, the key and the client of the token', async () => {
  const made = plan()
  const { refresh_token: token } = await made.granted()
  const proof = () => made.proof(`${ISSUER}/token`)
  const bare = await made.refresh(token, [proof()], { client_id: 'bank' } as never)
  isError(bare, [400, 401], ['invalid_client', 'invalid_grant', 'invalid_request'])
  isError(await made.refresh(token, []), 400, ['invalid_request', 'invalid_grant', 'invalid_dpop_proof'])
  isError(await made.refresh(token, [proof()], made.assertion('bank2')), 400, ['invalid_grant'])
  const next = json(await made.refresh(token, [proof()]))
  expect(next).toMatchObject({ token_type: 'DPoP', refresh_token: token, id_token: expect.any(String) })
  expect(claimsOf(next.id_token)).toMatchObject({ iss: ISSUER, sub: 'alice', aud: 'bank' })
})

describe('sender constraint by mutual TLS', () => {
  const bound = { tls_client_certificate_bound_access_tokens: true }

  it('happy-flow', async () => {
    const made = plan(bound)
    const code = await made.code()
    const form = { ...made.codeForm(code), ...made.assertion('bank') }
    const tokens = json(await made.overTls('/token', form, CERTIFICATE))
    expect(tokens.token_type).toBe('Bearer')
    const thumbprint = createHash('sha256').update(CERTIFICATE.der).digest('base64url')
    expect(claimsOf(tokens.access_token).cnf).toEqual({ 'x5t#S256': thumbprint })
    const use = (certificate?: HttpRequest['certificate']) =>
      made.handle({
        method: 'GET',
        url: `${MTLS}/userinfo`,
        headers: [['authorization', `Bearer ${String(tokens.access_token)}`]],
        body: bytes(''),
        ...(certificate && { certificate }),
      })
    expect((await use(CERTIFICATE)).status).toBe(200)
    isError(await use(OTHER_CERTIFICATE), 401, ['invalid_token'])
    isError(await use(), 401, ['invalid_token'])
    const refresh = (certificate?: HttpRequest['certificate']) => {
      const form = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) }
      return made.overTls('/token', { ...form, ...made.assertion('bank') }, certificate)
    }
    isError(await refresh(), [400, 401], ['invalid_client', 'invalid_grant', 'invalid_request'])
    expect((await refresh(CERTIFICATE)).status).toBe(200)
  })

  it('ensure-holder-of-key-required, for codes and for client credentials', async () => {
    const made = plan(bound)
    const errors = ['invalid_client', 'invalid_grant', 'invalid_request']
    const code = await made.code()
    for (const form of [made.codeForm(code), { grant_type: 'client_credentials' }]) {
      const sent = { ...form, ...made.assertion('bank') }
      isError(await made.overTls('/token', sent, undefined), [400, 401], errors)
    }
    const kept = { ...made.codeForm(code), ...made.assertion('bank') }
    expect((await made.overTls('/token', kept, CERTIFICATE)).status).toBe(200)
  })
})

it('client credentials happy-flow: a bound token, no refresh token, no id_token', async () => {
  const made = plan()
  const form = { grant_type: 'client_credentials', scope: 'records:read', ...made.assertion('bank') }
  const tokens = json(await made.token(form, [made.proof(`${ISSUER}/token`)]))
  expect(tokens).toMatchObject({ token_type: 'DPoP', expires_in: expect.any(Number) })
  expect(claimsOf(tokens.access_token)).toMatchObject({ sub: 'bank', cnf: { jkt: expect.any(String) } })
  expect([tokens.refresh_token, tokens.id_token]).toEqual([undefined, undefined])
})
