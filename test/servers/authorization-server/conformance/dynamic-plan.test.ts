import { compactVerify, createLocalJWKSet, type JSONWebKeySet, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openAlgorithmKeyring } from '../../../../src/lab/keys/algorithm-keyring.js'
import { rotateSigningKeys } from '../../../../src/lab/keys/signing-keys.js'
import { header, text } from '../../../../src/protocol/http/message.js'
import type { AuthorizationServerPorts } from '../../../../src/servers/authorization-server/settings.js'
import { temporaryFolder } from '../../../support/program.js'
import { rsaPair } from '../../../support/rsa-keys.js'
import { type Members, registrationLab } from '../registration/support.js'
import { claimsOf, codeRequest, expectError, ISSUER, json, landed, type Parameters } from '../support.js'

/*
 * The modules of oidcc-dynamic-certification-test-plan of the OpenID Foundation's suite, by their names. Like the suite, each
 * registers a client of its own that authenticates with private_key_jwt. docs/maintainers/conformance.md names the plan.
 */

const REDIRECT = 'https://suite.example/test/a/oauth-lab/callback'
const jwk = (key: 1 | 2 | 3, kid: string): JWK => ({
  ...rsaPair(key).publicKey.export({ format: 'jwk' }),
  kid,
  use: 'sig',
  alg: 'RS256',
})
const METADATA: Members = {
  client_name: 'oauth-lab suite',
  redirect_uris: [REDIRECT],
  response_types: ['code'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [jwk(2, 'first')] },
}

/** A server that fetches the documents of the suite, which may change. */
function made(documents: Record<string, unknown> = {}, ports: Partial<AuthorizationServerPorts> = {}) {
  const fetchDocument = async (url: string) => {
    const found = documents[url]
    if (found === undefined) throw new Error('it answered 404')
    if (typeof found !== 'string') return { body: JSON.stringify(found), contentType: 'application/json' }
    return { body: found, contentType: 'application/oauth-authz-req+jwt' }
  }
  const server = registrationLab({}, { requestUriHosts: ['suite.example'] }, { fetchDocument, ...ports })
  const request = (client: Members, more: Parameters = {}) =>
    codeRequest({
      client_id: String(client.client_id),
      redirect_uri: REDIRECT,
      scope: 'openid profile email',
      nonce: 'n-0S6',
      state: 'af0ifjsldkj',
      ...more,
    })
  let assertions = 0
  const assertion = ({ client_id: id }: Members, key: 1 | 2 | 3, kid: string, aud = ISSUER) =>
    new SignJWT({ iss: String(id), sub: String(id), aud, jti: `a${assertions++}` })
      .setExpirationTime(server.clock.now / 1000 + 60)
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(rsaPair(key).privateKey)
  const authenticated = async (client: Members, key: 1 | 2 | 3 = 2, kid = 'first', aud?: string) => ({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await assertion(client, key, kid, aud),
  })
  const redeem = async (client: Members, code?: string, key?: 1 | 2 | 3, kid?: string, aud?: string) => {
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT }
    return server.token({ ...form, ...(await authenticated(client, key, kid, aud)) }, [])
  }
  /** Registers a client and logs alice in. */
  async function loggedIn(more: Members = {}, asked: Parameters = {}) {
    const client = await server.registered({ ...METADATA, ...more })
    const { code } = landed(await server.login(request(client, asked)))
    return { client, code }
  }
  const userinfo = (token: unknown) => server.get('/userinfo', [['authorization', `Bearer ${String(token)}`]])
  return { ...server, documents, request, authenticated, redeem, loggedIn, userinfo }
}

const headerOf = (token: unknown) =>
  JSON.parse(Buffer.from(String(token).split('.')[0]!, 'base64url').toString())

describe('oidcc-dynamic-certification-test-plan', () => {
  it('oidcc-server, with oidcc-idtoken-rs256: a registered client logs in and gets RS256', async () => {
    const { loggedIn, redeem, userinfo } = made()
    const { client, code } = await loggedIn({ id_token_signed_response_alg: 'RS256' })
    const tokens = json(await redeem(client, code))
    expect(headerOf(tokens.id_token).alg).toBe('RS256')
    expect(claimsOf(tokens.id_token)).toMatchObject({ aud: client.client_id, nonce: 'n-0S6', iss: ISSUER })
    expect(json(await userinfo(tokens.access_token))).toMatchObject({ sub: 'alice', name: 'Alice' })
  })

  it('oidcc-idtoken-unsigned: none is announced nowhere, and refused by name', async () => {
    const { get, register } = made()
    const metadata = json(await get('/.well-known/openid-configuration'))
    expect(metadata.id_token_signing_alg_values_supported).not.toContain('none')
    const refused = await register({ ...METADATA, id_token_signed_response_alg: 'none' })
    expectError(refused, 400, 'invalid_client_metadata')
  })

  it('oidcc-userinfo-rs256: userinfo is a signed JWT for the client', async () => {
    const { loggedIn, redeem, userinfo } = made()
    const { client, code } = await loggedIn({ userinfo_signed_response_alg: 'RS256' })
    const response = await userinfo(json(await redeem(client, code)).access_token)
    expect(header(response, 'content-type')).toBe('application/jwt')
    expect(claimsOf(text(response.body))).toMatchObject({ sub: 'alice', iss: ISSUER, aud: client.client_id })
  })

  it('oidcc-ensure-redirect-uri-in-authorization-request: a missing address is refused by a page', async () => {
    const { registered, authorize, request } = made()
    const client = await registered({ ...METADATA, redirect_uris: [REDIRECT, `${REDIRECT}2`] })
    const response = await authorize(request(client, { redirect_uri: undefined }))
    expect([response.status, header(response, 'location')]).toEqual([400, undefined])
  })

  it.each([
    ['oidcc-redirect-uri-query-ok', '?foo=bar', '?foo=bar', true],
    ['oidcc-redirect-uri-query-mismatch', '?foo=bar', '?foo=baz', false],
    ['oidcc-redirect-uri-query-added', '', '?foo=bar', false],
  ])('%s', async (_, registeredQuery, sent, isRight) => {
    const { registered, login, authorize, request } = made()
    const client = await registered({ ...METADATA, redirect_uris: [`${REDIRECT}${registeredQuery}`] })
    const asked = request(client, { redirect_uri: `${REDIRECT}${sent}` })
    if (isRight) {
      const landing = landed(await login(asked))
      expect(landing).toMatchObject({ foo: 'bar', code: expect.any(String) })
    } else expect((await authorize(asked)).status).toBe(400)
  })

  it('oidcc-redirect-uri-regfrag: an address with a fragment is not registered', async () => {
    const { register } = made()
    const response = await register({ ...METADATA, redirect_uris: [`${REDIRECT}#foobar`] })
    expectError(response, 400, 'invalid_redirect_uri')
  })

  it('oidcc-discovery-endpoint-verification: the endpoint is announced', async () => {
    const metadata = json(await made().get('/.well-known/openid-configuration'))
    expect(metadata).toMatchObject({
      registration_endpoint: `${ISSUER}/register`,
      subject_types_supported: ['public', 'pairwise'],
      request_uri_parameter_supported: true,
    })
  })

  it.each([
    ['oidcc-registration-logo-uri', 'logo_uri', 'https://suite.example/logo.png?a=1&b=2'],
    ['oidcc-registration-policy-uri', 'policy_uri', 'https://suite.example/policy'],
    ['oidcc-registration-tos-uri', 'tos_uri', 'https://suite.example/tos'],
  ])('%s: the login page shows it', async (_, member, address) => {
    const { registered, openForm, request } = made()
    const client = await registered({ ...METADATA, [member]: address })
    const { page } = await openForm(request(client))
    expect(text(page.body)).toContain(`="${address.replace('&', '&amp;')}"`)
    const policy = header(page, 'content-security-policy')
    const images = member === 'logo_uri' ? 'img-src data: https://suite.example;' : 'img-src data:;'
    expect(policy).toContain(images)
  })

  it('oidcc-registration-jwks-uri: the keys of the address verify the client', async () => {
    const address = 'https://suite.example/client1_jwks'
    const { loggedIn, redeem } = made({ [address]: { keys: [jwk(2, 'first')] } })
    const { client, code } = await loggedIn({ jwks: undefined, jwks_uri: address })
    expect((await redeem(client, code)).status).toBe(200)
  })

  it('oidcc-registration-sector-bad and oidcc-registration-sector-uri, one after the other at one address', async () => {
    const address = 'https://suite.example/redirect_uris.json'
    const { register, documents } = made()
    const registered = async (document: string[]) => {
      documents[address] = document
      return register({ ...METADATA, subject_type: 'pairwise', sector_identifier_uri: address })
    }
    for (const _ of ['first', 'again']) {
      expectError(await registered(['https://wrong.example/']), 400, 'invalid_client_metadata')
      expect((await registered([REDIRECT])).status).toBe(201)
    }
  })

  it('oidcc-refresh-token-rp-key-rotation: a client changes its keys at their address', async () => {
    const address = 'https://suite.example/client1_jwks'
    const { loggedIn, redeem, token, authenticated, documents, clock } = made({
      [address]: { keys: [jwk(2, 'first')] },
    })
    const { client, code } = await loggedIn(
      { jwks: undefined, jwks_uri: address },
      { scope: 'openid offline_access' },
    )
    const tokens = json(await redeem(client, code))
    documents[address] = { keys: [jwk(3, 'second')] }
    clock.now += 11_000
    const form = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) }
    const response = await token({ ...form, ...(await authenticated(client, 3, 'second')) }, [])
    expect(response.status).toBe(200)
  })

  it.each([
    ['oidcc-request-uri-unsigned', 'none'],
    ['oidcc-request-uri-signed-rs256', 'RS256'],
  ])('%s: the object at the address counts', async (_, alg) => {
    const address = `https://suite.example/requests/${alg}`
    const { registered, documents, login, authorize, request, redeem } = made()
    const client = await registered({ ...METADATA, request_uris: [address], request_object_signing_alg: alg })
    const issued = { iss: String(client.client_id), aud: ISSUER }
    const claims = { ...request(client, { state: 'of the object' }), ...issued }
    documents[address] =
      alg === 'none'
        ? new UnsecuredJWT(claims).encode()
        : await new SignJWT(claims).setProtectedHeader({ alg, kid: 'first' }).sign(rsaPair(2).privateKey)
    // The suite adds a hash that is not that of the content.
    const asked = { ...request(client, { state: undefined }), request_uri: `${address}#${'h'.repeat(43)}` }
    const shown = await authorize(asked)
    expect([shown.status, header(shown, 'location')]).toEqual([200, undefined])
    const { code, state } = landed(await login(asked))
    expect(state).toBe('of the object')
    expect((await redeem(client, code)).status).toBe(200)
  })

  it('oidcc-ensure-request-object-with-redirect-uri: the address of the object is the one that counts', async () => {
    const { registered, login, authorize, request } = made()
    const client = await registered({ ...METADATA, request_object_signing_alg: 'none' })
    const object = new UnsecuredJWT({ ...request(client), redirect_uri: REDIRECT }).encode()
    const sent = { ...request(client, { redirect_uri: undefined }), request: object }
    expect(header(await login(sent), 'location')).toContain(REDIRECT)
    const wrong = new UnsecuredJWT({ ...request(client), redirect_uri: 'https://evil.example/' }).encode()
    expect((await authorize({ ...sent, request: wrong })).status).toBe(400)
  })

  it('oidcc-server-rotate-keys: a new key is published and signs, and the old one still verifies', async () => {
    const home = temporaryFolder()
    onTestFinished(home.remove)
    const options = { home: home.path, stage: 'published-keys', tokenLifetime: 3_600_000 } as const
    const keyring = await openAlgorithmKeyring({ ...options, rotated() {}, made() {} })
    const { get, loggedIn, redeem, userinfo } = made({}, { keyring })
    const published = async () => {
      const metadata = json(await get('/.well-known/openid-configuration'))
      return json(await get(new URL(String(metadata.jwks_uri)).pathname)) as unknown as JSONWebKeySet
    }
    const tokensOf = async ({ client, code }: Awaited<ReturnType<typeof loggedIn>>) =>
      json(await redeem(client, code))

    const before = await published()
    const first = await tokensOf(await loggedIn())
    await rotateSigningKeys(home.path, options)
    await vi.waitFor(async () => {
      await keyring.refresh()
      expect(await published()).not.toEqual(before)
    })
    const after = await published()
    expect(after.keys.map(({ kid }) => kid)).toEqual([expect.any(String), before.keys[0]!.kid])
    const second = await tokensOf(await loggedIn())
    expect(headerOf(second.id_token).kid).toBe(after.keys[0]!.kid)
    for (const { id_token: token, access_token: access } of [first, second]) {
      await compactVerify(String(token), createLocalJWKSet(after))
      expect((await userinfo(access)).status).toBe(200)
    }
  })

  it('oidcc-refresh-token: a registered client refreshes', async () => {
    const { loggedIn, redeem, token, authenticated } = made()
    const { client, code } = await loggedIn({}, { scope: 'openid offline_access' })
    const tokens = json(await redeem(client, code))
    const form = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) }
    const response = await token({ ...form, ...(await authenticated(client)) }, [])
    expect(claimsOf(json(response).id_token)).toMatchObject({ sub: 'alice', aud: client.client_id })
  })

  it.each([ISSUER, `${ISSUER}/token`])(
    'oidcc-ensure-client-assertion-with-iss-aud-succeeds: aud %s',
    async aud => {
      const { loggedIn, redeem } = made()
      const { client, code } = await loggedIn()
      expect((await redeem(client, code, 2, 'first', aud)).status).toBe(200)
    },
  )

  it('unregisters its clients at the end of each module', async () => {
    const { registered, manage, authorize, request } = made()
    const client = await registered(METADATA)
    expect((await manage(client, 'DELETE')).status).toBe(204)
    expect((await authorize(request(client))).status).toBe(400)
  })
})
