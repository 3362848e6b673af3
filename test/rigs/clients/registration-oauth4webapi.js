// oauth4webapi registers itself with a key, logs alice in: node registration-oauth4webapi.js ISSUER TOKEN
// TOKEN is the initial access token, or empty. Prints what it got as JSON.
import * as oauth from 'oauth4webapi'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = '', initialAccessToken = ''] = process.argv.slice(2)
const redirectUri = 'http://127.0.0.1:7000/callback'
const discovered = await oauth.discoveryRequest(new URL(issuer))
const server = await oauth.processDiscoveryResponse(new URL(issuer), discovered)
const { privateKey, publicKey } = await oauth.generateKeyPair('ES256')
const jwk = await crypto.subtle.exportKey('jwk', publicKey)
const { key_ops: _, ext: __, ...published } = jwk
const options = initialAccessToken === '' ? {} : { initialAccessToken }
const register = metadata => oauth.dynamicClientRegistrationRequest(server, metadata, options)

const client = await oauth.processDynamicClientRegistrationResponse(
  await register({
    application_type: 'native',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    jwks: { keys: [{ ...published, kid: 'mine', alg: 'ES256', use: 'sig' }] },
    subject_type: 'pairwise',
    userinfo_signed_response_alg: 'RS256',
  }),
)
const authentication = oauth.PrivateKeyJwt({ key: privateKey, kid: 'mine' })
const verifier = oauth.generateRandomCodeVerifier()
const [state, expectedNonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
const url = new URL(server.authorization_endpoint)
url.search = new URLSearchParams({
  client_id: client.client_id,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid email',
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
  nonce: expectedNonce,
}).toString()
const parameters = oauth.validateAuthResponse(server, client, await logIn(url), state)
const answer = await oauth.authorizationCodeGrantRequest(
  ...[server, client, authentication, parameters, redirectUri, verifier],
)
const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
  expectedNonce,
  requireIdToken: true,
})
const { sub } = oauth.getValidatedIdTokenClaims(tokens)
const shown = await oauth.userInfoRequest(server, client, tokens.access_token)
const userinfo = await oauth.processUserInfoResponse(server, client, sub, shown)
await oauth.validateApplicationLevelSignature(server, shown)
const refused = await oauth
  .processDynamicClientRegistrationResponse(await register({ redirect_uris: [`${redirectUri}#fragment`] }))
  .catch(error => error)
console.log(
  JSON.stringify({
    isPseudonym: sub !== 'alice',
    sameSub: userinfo.sub === sub,
    email: userinfo.email,
    hasSecret: client.client_secret !== undefined,
    refused: { status: refused.status, error: refused.error },
  }),
)
