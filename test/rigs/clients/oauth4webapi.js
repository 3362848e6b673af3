// oauth4webapi through the code flow: node oauth4webapi.js ISSUER oidc|oauth2. Prints what it got as JSON.
import * as oauth from 'oauth4webapi'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = '', algorithm = ''] = process.argv.slice(2)
const redirectUri = 'http://127.0.0.1:7000/callback'
const server = await oauth.processDiscoveryResponse(
  new URL(issuer),
  await oauth.discoveryRequest(new URL(issuer), { algorithm }),
)
const client = { client_id: 'demo' }
const authentication = oauth.ClientSecretBasic('demo-secret-0123456789abcdef0123456789')

const verifier = oauth.generateRandomCodeVerifier()
const state = oauth.generateRandomState()
const expectedNonce = oauth.generateRandomNonce()
const url = new URL(server.authorization_endpoint)
url.search = new URLSearchParams({
  client_id: client.client_id,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid profile email',
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
  nonce: expectedNonce,
}).toString()

const parameters = oauth.validateAuthResponse(server, client, await logIn(url), state)
const redeem = () =>
  oauth.authorizationCodeGrantRequest(server, client, authentication, parameters, redirectUri, verifier)
const answer = await redeem()
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
  await oauth.userInfoRequest(server, client, tokens.access_token),
)
const again = await oauth
  .processAuthorizationCodeResponse(server, client, await redeem())
  .catch(error => error)
console.log(
  JSON.stringify({ sub, scope: tokens.scope, userinfo, again: { status: again.status, error: again.error } }),
)
