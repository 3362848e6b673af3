import { describe, expect, it } from 'vitest'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { type Header, type HttpResponse, header, headerValues } from '../../../src/protocol/http/message.js'
import { CIBA_GRANT_TYPE } from '../../../src/protocol/oauth/answers.js'
import { isConfidential } from '../../../src/protocol/oauth/client.js'
import { ecKey, makeJwt } from '../../protocol/tokens/jwt-maker.js'
import { encoded, identityProvider, samlXml, signXml } from './assertions/saml-maker.js'
import { browser } from './browser.js'
import { basic, CHALLENGE, field, ISSUER, json, lab, landed, type Parameters, VERIFIER } from './support.js'

// Every grant that a built-in client is registered for works, and no other grant does.

const { clients, users, scopes, defaultScope } = await loadLabConfig(null)
const urn = (name: string) => `urn:ietf:params:oauth:grant-type:${name}`
const key = ecKey('one')
const idp = identityProvider('https://idp.example')
const assertionIssuers = async () => [
  { issuer: 'https://jwt.example', jwks: { keys: [key.publicJwk] } },
  { issuer: idp.issuer, certificatePem: idp.certificatePem },
]

function world(id: string) {
  const made = lab({ clients, users, scopes, defaultScope, assertionIssuers })
  const client = clients.find(each => each.client_id === id)!
  const headers = isConfidential(client) ? [basic(id, client.client_secret ?? '')] : []
  const own: Parameters = headers.length === 0 ? { client_id: id } : {}
  const token = (form: Parameters) => made.token({ ...form, ...own }, headers)
  const redirect_uri =
    client.redirect_uris.find(each => each.startsWith('https:')) ?? 'http://127.0.0.1:7000/callback'
  const asked: Parameters = {
    client_id: id,
    redirect_uri,
    state: 's',
    ...(client.allowed_scopes ? { scope: client.allowed_scopes.join(' ') } : {}),
    ...(client.require_pkce ? { code_challenge: CHALLENGE, code_challenge_method: 'S256' } : {}),
  }
  const { iat, exp, iso } = times(made.clock.now)
  return { ...made, client, headers, own, token, redirect_uri, asked, iat, exp, iso }
}

const times = (now: number) => ({
  iat: Math.floor(now / 1000),
  exp: Math.floor(now / 1000) + 60,
  iso: (seconds: number) => new Date(now + seconds * 1000).toISOString(),
})

type World = ReturnType<typeof world>

async function codeTokens({ login, asked, client, token, redirect_uri }: World): Promise<HttpResponse> {
  const answer = await login({ ...asked, response_type: 'code' })
  const code = header(answer, 'location') === undefined ? 'none' : landed(answer).code
  const verifier = client.require_pkce ? { code_verifier: VERIFIER } : {}
  return token({ grant_type: 'authorization_code', code, redirect_uri, ...verifier })
}

const password = ({ token }: World) =>
  token({ grant_type: 'password', username: 'alice', password: 'wonderland' })

const grants: Readonly<Record<string, (world: World) => Promise<HttpResponse>>> = {
  authorization_code: codeTokens,
  password,
  client_credentials: ({ token }) => token({ grant_type: 'client_credentials' }),
  async refresh_token(made) {
    const first = await (made.client.grant_types.includes('password') ? password(made) : codeTokens(made))
    return made.token({ grant_type: 'refresh_token', refresh_token: String(json(first).refresh_token) })
  },
  [urn('jwt-bearer')]: ({ token, iat, exp }) =>
    token({
      grant_type: urn('jwt-bearer'),
      assertion: makeJwt(
        key,
        { kid: 'one' },
        { iss: 'https://jwt.example', sub: 'bob', aud: ISSUER, iat, exp },
      ),
    }),
  [urn('saml2-bearer')]({ token, iso }) {
    const xml = samlXml({
      issueInstant: iso(-5),
      notBefore: iso(-5),
      notOnOrAfter: iso(300),
      audiences: [ISSUER],
      confirmation: `Recipient="${ISSUER}/token" NotOnOrAfter="${iso(300)}"`,
    })
    return token({ grant_type: urn('saml2-bearer'), assertion: encoded(signXml(xml, idp)) })
  },
  [urn('device_code')]: deviceTokens,
  [CIBA_GRANT_TYPE]: cibaTokens,
  async [urn('token-exchange')](made) {
    const subject = json(await password(made)).access_token ?? 'none'
    return made.token({
      grant_type: urn('token-exchange'),
      subject_token: String(subject),
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    })
  },
}

/** The device flow: the person brings the user code to the page and logs in there. */
async function deviceTokens({ post, get, token, client, headers, own }: World): Promise<HttpResponse> {
  const { device_code, user_code } = json(await post('/device_authorization', own, headers))
  if (client.grant_types.includes(urn('device_code'))) {
    const page = await get(`/device?user_code=${user_code}`)
    const cookies = headerValues(page, 'set-cookie').map((each): Header => ['cookie', each.split(';')[0]!])
    const form = { csrf: field(page, 'csrf'), username: 'alice', password: 'wonderland' }
    await post('/device', { user_code: String(user_code), ...form }, cookies)
  }
  return token({ grant_type: urn('device_code'), device_code: String(device_code ?? 'none') })
}

/** Backchannel authentication: the person opens the page, logs in and allows the request there. */
async function cibaTokens(made: World): Promise<HttpResponse> {
  const { post, token, client, headers, own } = made
  const sent = { ...own, scope: 'openid', login_hint: 'alice' }
  const { auth_req_id } = json(await post('/bc-authorize', sent, headers))
  if (client.grant_types.includes(CIBA_GRANT_TYPE)) {
    const agent = browser(made)
    const login = { csrf: field(await agent.get('/ciba'), 'csrf'), username: 'alice', password: 'wonderland' }
    const page = await agent.post('/ciba', login)
    const decision = { request: field(page, 'request'), csrf: field(page, 'csrf'), decision: 'allow' }
    await agent.post('/ciba', decision)
  }
  return token({ grant_type: CIBA_GRANT_TYPE, auth_req_id: String(auth_req_id ?? 'none') })
}

it('the table has every grant that a built-in client is registered for', () => {
  const registered = new Set(clients.flatMap(each => each.grant_types))
  registered.delete('implicit')
  expect([...registered].sort()).toEqual(Object.keys(grants).sort())
})

const rows = clients.flatMap(({ client_id: id, enabled, grant_types }) =>
  Object.keys(grants).map(grant => ({
    id,
    grant,
    expected: !enabled ? 'invalid_client' : grant_types.includes(grant) ? 200 : 'unauthorized_client',
  })),
)

it.each(rows)(
  'the built-in clients at the token endpoint: $id, $grant: $expected',
  async ({ id, grant, expected }) => {
    const made = world(id)
    const { scope = 'records:read' } = made.asked
    const response = await grants[grant]!(made)
    expect(response.status === 200 ? 200 : json(response).error).toBe(expected)
    if (expected !== 200) return
    const answer = json(response)
    expect(answer).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: grant === CIBA_GRANT_TYPE ? 'openid' : scope,
    })
    const refreshable = /^(authorization_code|password|refresh_token|urn.*:(device_code|ciba))$/.test(grant)
    const registered = clients.find(each => each.client_id === id)!.grant_types.includes('refresh_token')
    expect(answer.refresh_token !== undefined).toBe(refreshable && registered)
  },
)

const types = ['code', 'token', 'id_token', 'id_token token']
const authorizations = clients.flatMap(({ client_id: id, enabled, response_types }) =>
  types.map(type => ({
    id,
    type,
    expected: !enabled ? 'page' : response_types.includes(type) ? 'answered' : 'unauthorized_client',
  })),
)

it.each(
  authorizations.filter(({ id }) =>
    clients.some(each => each.client_id === id && each.redirect_uris.length > 0),
  ),
)(
  'the built-in clients at the authorization endpoint: $id, $type: $expected',
  async ({ id, type, expected }) => {
    const { login, asked } = world(id)
    const { scope: wanted = 'openid records:read' } = asked
    const response = await login({ ...asked, response_type: type, scope: wanted, nonce: 'n' })
    const location = header(response, 'location')
    if (expected === 'page') {
      expect([response.status, location]).toEqual([400, undefined])
      return
    }
    const { search, hash } = new URL(location ?? 'none:')
    const values = Object.fromEntries(new URLSearchParams(type === 'code' ? search : hash.slice(1)))
    expect(values).toMatchObject({ state: 's', iss: ISSUER })
    if (expected === 'answered') {
      const given = [values.code && 'code', values.id_token && 'id_token', values.access_token && 'token']
      expect(given.filter(Boolean).join(' ')).toBe(type)
    } else expect(values.error).toBe(expected)
  },
)

describe('the built-in clients at http://localhost/callback', () => {
  const redirect_uri = 'http://localhost:9876/callback'

  it.each(['demo', 'demo-spa', 'demo-native', 'demo-public'])('%s: any port (RFC 9700 §4.1.3)', async id => {
    const { login, asked } = world(id)
    const response = await login({ ...asked, redirect_uri, response_type: 'code' })
    expect(header(response, 'location')).toMatch(/^http:\/\/localhost:9876\/callback\?code=/)
  })

  it('demo: a session answers without a page, as it does for a web application', async () => {
    const { authorize, asked, login } = { ...world('demo'), ...browser(lab({ clients, users, scopes })) }
    await login({ ...asked, redirect_uri, response_type: 'code' })
    const silent = await authorize({ ...asked, redirect_uri, response_type: 'code', prompt: 'none' })
    expect(landed(silent).code).toEqual(expect.any(String))
  })
})
