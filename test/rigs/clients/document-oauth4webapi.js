// oauth4webapi with the address of its document as client_id, and a key: node document-oauth4webapi.js ISSUER CLIENT_ID JWK
// Prints what it got as JSON.
import * as oauth from 'oauth4webapi'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = '', clientId = '', jwk = ''] = process.argv.slice(2)
const redirectUri = 'http://127.0.0.1:7000/callback'
const server = await oauth.processDiscoveryResponse(
  new URL(issuer),
  await oauth.discoveryRequest(new URL(issuer)),
)
const client = { client_id: clientId }
const { kid, ...privateJwk } = JSON.parse(jwk)
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
const key = await crypto.subtle.importKey('jwk', privateJwk, algorithm, false, ['sign'])
const authentication = oauth.PrivateKeyJwt({ key, kid })

const verifier = oauth.generateRandomCodeVerifier()
const state = oauth.generateRandomState()
const pushed = await oauth.processPushedAuthorizationResponse(
  server,
  client,
  await oauth.pushedAuthorizationRequest(server, client, authentication, {
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  }),
)
const url = new URL(server.authorization_endpoint)
url.search = new URLSearchParams({ client_id: clientId, request_uri: pushed.request_uri }).toString()
const parameters = oauth.validateAuthResponse(server, client, await logIn(url), state)
const redeem = proof =>
  oauth.authorizationCodeGrantRequest(server, client, proof, parameters, redirectUri, verifier)
const unproven = await oauth
  .processAuthorizationCodeResponse(server, client, await redeem(oauth.None()))
  .catch(error => error)
const tokens = await oauth.processAuthorizationCodeResponse(server, client, await redeem(authentication))
console.log(JSON.stringify({ unproven: unproven.error, type: tokens.token_type, scope: tokens.scope }))
