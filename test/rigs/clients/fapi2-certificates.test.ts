import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { join } from 'node:path'
import type { CryptoKey } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClientPair, makeClientPair } from '../../../src/lab/certificates/client-pair.js'
import type { ClientEntry } from '../../../src/lab/schema/lab-file-schema.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import type { Lab, SiteName } from '../../../src/session/api/lab.js'
import { startLab } from '../../../src/session/api/start-lab.js'
import { logIn } from '../../programs/clients/log-in.js'
import { temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { fetchWith } from './certificate-fetch.js'

/*
 * Clients of others under `profile: fapi2`, whose tokens are bound to a certificate: with the certificate as their proof of
 * identity too (shop), and with private_key_jwt (signer).
 */

const folder = temporaryFolder()
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const REDIRECT = 'http://127.0.0.1:7000/callback'
let shop: ClientPair
let other: ClientPair
let lab: Lab<SiteName>
let key: CryptoKey

beforeAll(async () => {
  const home = join(folder.path, 'home')
  const options = { folder: folder.path, options: { days: 10 } }
  shop = await makeClientPair(home, { name: 'shop', ...options })
  other = await makeClientPair(home, { name: 'other', ...options })
  const common = {
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    tls_client_certificate_bound_access_tokens: true,
  } as const
  const signer = {
    client_id: 'signer',
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256' }] },
    ...common,
  }
  const clients = [{ ...shop.client, ...common }, signer] as unknown as ClientEntry[]
  lab = await startLab<SiteName>({ home, config: { profile: 'fapi2', clients }, sites: ['resource', 'mtls'] })
  const jwk = privateKey.export({ format: 'jwk' }) as JsonWebKey
  key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
}, 60_000)
afterAll(async () => {
  await lab.stop()
  folder.remove()
})

const cnf = (token: string) => decodeJwt(token).claims.cnf
const browse = (url: URL) => logIn(url, lab.fetch as typeof fetch)

describeWith([rigs], 'clients of others under FAPI 2.0 with mutual TLS', () => {
  it.each(['shop', 'signer'])('openid-client 6 as %s: the code flow and a refresh', async id => {
    const client = await import('openid-client')
    const send = { [client.customFetch]: fetchWith(shop, lab.ca.pem) } as object
    const metadata = { use_mtls_endpoint_aliases: true, id_token_signed_response_alg: 'PS256' }
    const proof = id === 'shop' ? client.TlsClientAuth() : client.PrivateKeyJwt({ key, kid: 'k' })
    const config = await client.discovery(new URL(lab.issuer), id, metadata, proof, send)
    config[client.customFetch] = fetchWith(shop, lab.ca.pem) as never
    client.enableNonRepudiationChecks(config)
    const verifier = client.randomPKCECodeVerifier()
    const [expectedNonce, expectedState] = [client.randomNonce(), client.randomState()]
    const url = await client.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: REDIRECT,
      scope: 'openid records:read',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      nonce: expectedNonce,
      state: expectedState,
    })
    const checks = { pkceCodeVerifier: verifier, expectedNonce, expectedState, idTokenExpected: true }
    const tokens = await client.authorizationCodeGrant(config, await browse(url), checks)
    const bound = { 'x5t#S256': shop.thumbprint }
    expect([tokens.token_type, cnf(tokens.access_token)]).toEqual(['bearer', bound])
    const again = await client.refreshTokenGrant(config, String(tokens.refresh_token))
    expect([again.refresh_token, cnf(again.access_token)]).toEqual([tokens.refresh_token, bound])
    const { sub } = await client.fetchUserInfo(config, again.access_token, 'alice')
    expect(sub).toBe('alice')
    const resource = new URL(`${lab.urls.mtls}/resource`)
    expect((await client.fetchProtectedResource(config, again.access_token, resource, 'GET')).status).toBe(
      200,
    )

    // The same tokens and the same proof with the certificate of somebody else.
    config[client.customFetch] = fetchWith(other, lab.ca.pem) as never
    if (id === 'shop') {
      const stolen = client.refreshTokenGrant(config, String(tokens.refresh_token))
      await expect(stolen).rejects.toMatchObject({ error: 'invalid_client' })
    }
    await expect(client.fetchUserInfo(config, again.access_token, 'alice')).rejects.toMatchObject({
      status: 401,
    })
  })

  it('oauth4webapi as shop: the code flow', async () => {
    const oauth = await import('oauth4webapi')
    const issuer = new URL(lab.issuer)
    const send = { [oauth.customFetch]: fetchWith(shop, lab.ca.pem) } as object
    const found = await oauth.discoveryRequest(issuer, send)
    const server = await oauth.processDiscoveryResponse(issuer, found)
    const client = {
      client_id: 'shop',
      use_mtls_endpoint_aliases: true,
      id_token_signed_response_alg: 'PS256',
    }
    const proof = oauth.TlsClientAuth()
    const verifier = oauth.generateRandomCodeVerifier()
    const [expectedNonce, state] = [oauth.generateRandomNonce(), oauth.generateRandomState()]
    const request = new URLSearchParams({
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'openid records:read',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      nonce: expectedNonce,
      state,
    })
    const pushed = await oauth.processPushedAuthorizationResponse(
      server,
      client,
      await oauth.pushedAuthorizationRequest(server, client, proof, request, send),
    )
    const url = new URL(server.authorization_endpoint ?? '')
    url.search = new URLSearchParams({ client_id: 'shop', request_uri: pushed.request_uri }).toString()
    const parameters = oauth.validateAuthResponse(server, client, await browse(url), state)
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      proof,
      parameters,
      REDIRECT,
      verifier,
      send,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
      expectedNonce,
      requireIdToken: true,
    })
    await oauth.validateApplicationLevelSignature(server, answer, send)
    expect(cnf(tokens.access_token)).toEqual({ 'x5t#S256': shop.thumbprint })
    const claims = await oauth.userInfoRequest(server, client, tokens.access_token, send)
    expect(await oauth.processUserInfoResponse(server, client, 'alice', claims)).toMatchObject({
      sub: 'alice',
    })
  })
})
