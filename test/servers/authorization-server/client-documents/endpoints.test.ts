import { describe, expect, it } from 'vitest'
import { header, text } from '../../../../src/protocol/http/message.js'
import { fixedKeyring } from '../../../../src/protocol/tokens/keys.js'
import { FetchFailure } from '../../../../src/servers/authorization-server/client-documents/fetch-failure.js'
import type {
  AuthorizationServerSettings,
  FetchDocument,
} from '../../../../src/servers/authorization-server/settings.js'
import { ecKey, makeJwt } from '../../../protocol/tokens/jwt-maker.js'
import {
  basic,
  CALLBACK,
  CHALLENGE,
  claimsOf,
  client,
  expectError,
  ISSUER,
  json,
  lab,
  landed,
  type Parameters,
  signingKey,
  VERIFIER,
} from '../support.js'

const ID = 'https://client.example/client.json'
const WEB = 'https://client.example/cb'
const section = (number: string) => `draft-ietf-oauth-client-id-metadata-document-02 §${number}`
const key = ecKey('one')

const whole = {
  client_id: ID,
  client_name: 'Records <viewer>',
  redirect_uris: [WEB, 'http://127.0.0.1/callback', 'http://localhost:3000/callback'],
  grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:unheard-of'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}

/** A server that fetches documents. The test sets them by their address. */
function world(
  documents: Readonly<Record<string, unknown>> = { [ID]: whole },
  more: Partial<AuthorizationServerSettings> = {},
) {
  const served: Record<string, unknown> = { ...documents }
  const asked: string[] = []
  const fetchDocument: FetchDocument = async (url, _accept, kind) => {
    asked.push(`${kind} ${url}`)
    const document = served[url]
    if (document === undefined) throw new FetchFailure('status', 'it answered 404')
    if (document instanceof Error) throw document
    const body = typeof document === 'string' ? document : JSON.stringify(document)
    return { body, contentType: 'application/json', headers: [['cache-control', 'no-store']] }
  }
  const server = lab({ clientIdDocuments: true, ...more }, fixedKeyring(signingKey), { fetchDocument })
  return { ...server, served, asked }
}

const request = (more: Parameters = {}): Parameters => ({
  response_type: 'code',
  client_id: ID,
  redirect_uri: WEB,
  state: 'inside',
  scope: 'openid records:read',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  ...more,
})
const exchange = (code: string | undefined, more: Parameters = {}): Parameters => ({
  grant_type: 'authorization_code',
  code: code ?? '',
  redirect_uri: WEB,
  client_id: ID,
  code_verifier: VERIFIER,
  ...more,
})
const assertion = (server: ReturnType<typeof world>, jti: string, by = key): Parameters => {
  const exp = Math.floor(server.clock.now / 1000) + 60
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: makeJwt(by, { kid: 'one' }, { iss: ID, sub: ID, aud: ISSUER, jti, exp }),
  }
}
const signing = { ...whole, token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.publicJwk] } }
const codeOf = async (server: ReturnType<typeof world>, more: Parameters = {}) =>
  landed(await server.login(request(more))).code

describe('a client whose id is the address of its document', () => {
  it('logs a person in and gets tokens, which stay good', async () => {
    const server = world()
    const answer = await server.token(exchange(await codeOf(server)), [])
    expect(answer.status).toBe(200)
    const { access_token: token, id_token: idToken } = json(answer)
    expect(claimsOf(idToken)).toMatchObject({ aud: ID, iss: ISSUER })
    expect(claimsOf(token)).toMatchObject({ client_id: ID })
    const bearer = ['authorization', `Bearer ${token}`] as const
    expect((await server.get('/userinfo', [bearer])).status).toBe(200)
    // Its tokens count while its document is away.
    server.served[ID] = undefined
    expect((await server.authorize(request())).status).toBe(400)
    expect((await server.get('/userinfo', [bearer])).status).toBe(200)
    expect(server.types()).toContain('client_document.fetched')
  })

  it('uses refresh tokens, and pushes its requests', async () => {
    const server = world()
    const pushed = json(await server.post('/par', request()))
    const code = landed(await server.login({ client_id: ID, request_uri: String(pushed.request_uri) })).code
    const { refresh_token: refresh } = json(await server.token(exchange(code), []))
    const form = { grant_type: 'refresh_token', refresh_token: String(refresh), client_id: ID }
    expect((await server.token(form, [])).status).toBe(200)
  })

  it.each(['http://127.0.0.1:49152/callback', 'http://localhost:3000/callback'])(
    'may have the answer sent to %s',
    async redirect_uri => {
      const server = world()
      const code = await codeOf(server, { redirect_uri })
      expect((await server.token(exchange(code, { redirect_uri }), [])).status).toBe(200)
    },
  )

  it('authenticates with the key of its document, each time', async () => {
    const server = world({ [ID]: signing })
    const code = await codeOf(server)
    expectError(await server.token(exchange(code), []), 400, 'invalid_client')
    const foreign = exchange(code, assertion(server, 'a', ecKey('one')))
    expectError(await server.token(foreign, []), 400, 'invalid_client')
    expect((await server.token(exchange(code, assertion(server, 'b')), [])).status).toBe(200)
    const alone = exchange(await codeOf(server), { ...assertion(server, 'c'), client_id: undefined })
    expect((await server.token(alone, [])).status).toBe(200)
  })

  it('has its keys fetched like its document, as a stranger’s', async () => {
    const jwks_uri = 'https://client.example/jwks'
    const server = world({ [ID]: { ...signing, jwks: undefined, jwks_uri }, [jwks_uri]: signing.jwks })
    const form = exchange(await codeOf(server), assertion(server, 'a'))
    expect((await server.token(form, [])).status).toBe(200)
    expect(server.asked.at(-1)).toBe(`introduced ${jwks_uri}`)
  })

  it('gets no tokens of its own without a person, unless it authenticates', async () => {
    const server = world({ [ID]: { ...whole, grant_types: ['authorization_code', 'client_credentials'] } })
    const answer = await server.token({ grant_type: 'client_credentials', client_id: ID }, [])
    expectError(answer, 400, 'invalid_client')
    expect(json(answer).error_description).toContain('client_credentials is for confidential clients')
  })

  it('cannot make itself trusted', async () => {
    const claimed = { consent: 'granted', enabled: false, require_pkce: false, introduced: 'no' }
    const server = world({ [ID]: { ...whole, ...claimed } })
    const { page } = await server.openForm(request())
    expect(page.status).toBe(200)
    expect(text(page.body)).toContain('introduced itself')
    const without = { code_challenge: undefined, code_challenge_method: undefined }
    expect(landed(await server.authorize(request(without)))).toMatchObject({ error: 'invalid_request' })
  })
})

describe('the pages for such a client', () => {
  it('show the host of its id, and its name as text', async () => {
    const { page } = await world().openForm(request())
    expect(text(page.body)).toContain(
      'introduced itself from <strong id="client-host">client.example</strong>',
    )
    expect(text(page.body)).toContain('Records &lt;viewer&gt;')
    expect(text(page.body)).not.toContain('id="loopback"')
  })

  it('warn of an answer to this computer', async () => {
    const { page } = await world().openForm(request({ redirect_uri: 'http://localhost:3000/callback' }))
    expect(text(page.body)).toMatch(
      /id="loopback"[^<]*>The answer goes to a program on this computer \(<code>localhost:3000/,
    )
  })

  it('ask again when the document says something else', async () => {
    const web = { ...whole, redirect_uris: [WEB] }
    const server = world({ [ID]: web })
    const first = await server.login(request())
    const cookies = first.headers
      .filter(([name]) => name === 'set-cookie')
      .map(([, value]) => ['cookie', value.split(';')[0]!] as const)
    const target = `/authorization?${new URLSearchParams(request() as Record<string, string>)}`
    expect(landed(await server.get(target, cookies)).code).toBeDefined()
    server.served[ID] = { ...web, client_name: 'Bank' }
    const again = await server.get(target, cookies)
    expect([again.status, text(again.body).includes('Allow access?')]).toEqual([200, true])
    expect(server.events.findLast(({ type }) => type === 'client_document.fetched')).toMatchObject({
      changed: ['client_name'],
    })
  })

  it('come with an event that names all changes that a person may care about (§8.4 of the draft)', async () => {
    const web = { ...whole, redirect_uris: [WEB], scope: 'openid', 'client_name#de': 'Akten', tos_uri: WEB }
    const server = world({ [ID]: web })
    await server.openForm(request())
    const { 'client_name#de': _, ...rest } = web
    server.served[ID] = { ...rest, scope: 'openid email', logo_uri: WEB, 'logo_uri#fr': WEB, tos_uri: ID }
    await server.openForm(request())
    expect(server.events.findLast(({ type }) => type === 'client_document.fetched')).toMatchObject({
      changed: ['logo_uri', 'scope', 'logo_uri#fr', 'client_name#de'],
    })
  })

  it('show the host on the page of a device', async () => {
    const grant = 'urn:ietf:params:oauth:grant-type:device_code'
    const server = world({ [ID]: { ...whole, grant_types: [grant], response_types: [] } })
    const issued = json(await server.post('/device_authorization', { client_id: ID }))
    const page = await server.get(`/device?user_code=${issued.user_code}`)
    expect(text(page.body)).toContain('<strong id="client-host">client.example</strong>')
  })
})

describe('a document that is refused', () => {
  const cases: [string, unknown, string][] = [
    ['names another client', { ...whole, client_id: 'https://other.example/' }, section('4')],
    ['cannot be reached', new Error('no answer'), section('5.1')],
    ['has a secret', { ...whole, client_secret: 'x' }, section('4.1')],
    ['wants signatures by a secret', { ...whole, id_token_signed_response_alg: 'HS256' }, section('4.1')],
    ['wants them beside a key', { ...signing, id_token_signed_response_alg: 'HS256' }, section('4.1')],
    ['has no redirect_uris', { ...whole, redirect_uris: undefined }, 'RFC 7591 §2'],
    ['has a script for an address', { ...whole, redirect_uris: ['javascript:alert(1)'] }, 'RFC 9700 §4.1.3'],
    ['has addresses of a wrong type', { ...whole, redirect_uris: { length: 1 } }, 'RFC 7591 §2'],
    ['has http for another host', { ...whole, redirect_uris: ['http://client.example/'] }, 'RFC 9700 §2.6'],
  ]

  /** The causes that only the event names: the document is not that of a client. */
  const hidden = ['4', '5.1'].map(section)

  it.each(cases)('%s: a page says so, and nobody is sent anywhere', async (_name, document, rule) => {
    const shown = hidden.some(each => each === rule) ? section('5.1') : rule
    const server = world({ [ID]: document })
    const page = await server.authorize(request())
    expect([page.status, header(page, 'location')]).toEqual([400, undefined])
    expect(header(page, 'content-type')).toContain('text/html')
    expect(server.events.find(({ type }) => type === 'client_document.refused')).toMatchObject({ rule })
    const refused = { channel: 'page', error: 'unauthorized_client', rule: shown }
    expect(server.events.at(-1)).toMatchObject({ type: 'authorization.refused', ...refused })
    expect(text(page.body)).toContain(shown)
  })

  it.each(cases)('%s: clients get invalid_client', async (_name, document) => {
    const server = world({ [ID]: document })
    expectError(await server.token(exchange('x'), []), 400, 'invalid_client')
    expectError(await server.post('/par', request()), 400, 'invalid_client')
    expectError(await server.post('/revocation', { token: 'x', client_id: ID }), 400, 'invalid_client')
    const encoded = basic(encodeURIComponent(ID), 'x')
    expectError(await server.token(exchange('x', { client_id: undefined }), [encoded]), 401, 'invalid_client')
    expect(server.types().filter(type => type === 'token.refused')).toHaveLength(2)
  })

  it('refuses the person’s login when it changes between the page and its form', async () => {
    const server = world()
    const { cookies, csrf } = await server.openForm(request())
    server.served[ID] = { ...whole, redirect_uris: ['https://client.example/other'] }
    const target = `/authorization?${new URLSearchParams(request() as Record<string, string>)}`
    const answer = await server.post(target, { username: 'alice', password: 'wonderland', csrf }, cookies)
    expect([answer.status, header(answer, 'location')]).toEqual([400, undefined])
  })

  it('redeems no code when it became confidential meanwhile', async () => {
    const server = world()
    const code = await codeOf(server)
    server.served[ID] = signing
    expectError(await server.token(exchange(code), []), 400, 'invalid_client')
  })

  it('is not fetched for an address that breaks a rule', async () => {
    const server = world()
    const page = await server.authorize(request({ client_id: 'https://client.example/a/../client' }))
    expect(page.status).toBe(400)
    expect(text(page.body)).toContain('dot segment')
    expect(server.asked).toEqual([])
  })
})

describe('a server', () => {
  const metadata = async (server: ReturnType<typeof lab>) =>
    json(await server.get('/.well-known/oauth-authorization-server'))

  it('announces documents where it fetches them, and only there', async () => {
    expect(await metadata(world())).toMatchObject({ client_id_metadata_document_supported: true })
    expect(await metadata(lab())).not.toHaveProperty('client_id_metadata_document_supported')
  })

  it('without them knows no such client', async () => {
    const server = world({ [ID]: whole }, { clientIdDocuments: false })
    const page = await server.authorize(request())
    expect([page.status, text(page.body).includes('client_id is unknown')]).toEqual([400, true])
    expect(server.asked).toEqual([])
  })

  it.each([ID, 'https://client.example/a/../client'])(
    'asks for no document of a client in its list, whatever its id: %s',
    async id => {
      const server = world({}, { clients: [client(id)] })
      const asked = request({ client_id: id, redirect_uri: CALLBACK })
      expect((await server.authorize(asked)).status).toBe(200)
      expect(server.asked).toEqual([])
    },
  )

  it('of the profile FAPI 2.0 wants clients with keys', async () => {
    const server = world({ [ID]: whole }, { profile: 'fapi2' })
    expectError(await server.post('/par', request()), 400, 'invalid_client')
  })
})
