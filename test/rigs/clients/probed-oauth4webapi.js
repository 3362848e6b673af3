// oauth4webapi as the learn command runs a client: prints an address, reads the answer from stdin.
import { createInterface } from 'node:readline'
import * as oauth from 'oauth4webapi'

const { ISSUER = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env
const issuer = new URL(ISSUER)
const redirectUri = 'http://127.0.0.1/callback'
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer))
const client = { client_id: CLIENT_ID }
const verifier = oauth.generateRandomCodeVerifier()
const state = oauth.generateRandomState()
const expectedNonce = oauth.generateRandomNonce()
const url = new URL(server.authorization_endpoint)
url.search = new URLSearchParams({
  client_id: CLIENT_ID,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid',
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
  nonce: expectedNonce,
}).toString()
console.log(url.href)
const [line] = await new Promise(resolve => {
  createInterface({ input: process.stdin }).once('line', (...given) => resolve(given))
})
const parameters = oauth.validateAuthResponse(server, client, new URL(line), state)
const answer = await oauth.authorizationCodeGrantRequest(
  server,
  client,
  oauth.ClientSecretBasic(CLIENT_SECRET),
  parameters,
  redirectUri,
  verifier,
)
const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
  expectedNonce,
  requireIdToken: true,
})
const { sub } = oauth.getValidatedIdTokenClaims(tokens)
const userinfo = await oauth.userInfoRequest(server, client, tokens.access_token)
await oauth.processUserInfoResponse(server, client, sub, userinfo)
process.exit(0)
