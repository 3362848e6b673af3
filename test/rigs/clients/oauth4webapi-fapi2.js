// oauth4webapi under the FAPI 2.0 Security Profile: node oauth4webapi-fapi2.js ISSUER KEY_FILE. Prints results as JSON.
import { readFileSync } from 'node:fs'
import * as oauth from 'oauth4webapi'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = '', file = ''] = process.argv.slice(2)
const { kid, alg, ...jwk } = JSON.parse(readFileSync(file, 'utf8'))
const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
const server = await oauth.processDiscoveryResponse(
  new URL(issuer),
  await oauth.discoveryRequest(new URL(issuer)),
)
const client = { client_id: 'bank', id_token_signed_response_alg: 'PS256' }
const authentication = oauth.PrivateKeyJwt({ key, kid })
const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'))
const redirectUri = 'http://127.0.0.1:7000/callback'
const verifier = oauth.generateRandomCodeVerifier()
const expectedNonce = oauth.generateRandomNonce()
const state = oauth.generateRandomState()
const request = new URLSearchParams({
  redirect_uri: redirectUri,
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
  await oauth.pushedAuthorizationRequest(server, client, authentication, request, { DPoP }),
)
const url = new URL(server.authorization_endpoint)
url.search = new URLSearchParams({ client_id: 'bank', request_uri: pushed.request_uri }).toString()
const parameters = oauth.validateAuthResponse(server, client, await logIn(url), state)
const answer = await oauth.authorizationCodeGrantRequest(
  server,
  client,
  authentication,
  parameters,
  redirectUri,
  verifier,
  { DPoP },
)
const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
  expectedNonce,
  requireIdToken: true,
})
await oauth.validateApplicationLevelSignature(server, answer)
const { sub } = oauth.getValidatedIdTokenClaims(tokens)
const userinfo = await oauth.processUserInfoResponse(
  server,
  client,
  sub,
  await oauth.userInfoRequest(server, client, tokens.access_token, { DPoP }),
)
console.log(JSON.stringify({ sub, type: tokens.token_type, userinfo, expires: pushed.expires_in }))
