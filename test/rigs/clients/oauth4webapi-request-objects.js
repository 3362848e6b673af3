// oauth4webapi with request objects: node oauth4webapi-request-objects.js ISSUER KEY. Prints results as JSON.
import { readFileSync } from 'node:fs'
import * as oauth from 'oauth4webapi'
import { logIn } from '../../programs/clients/log-in.js'

const [address = '', file = ''] = process.argv.slice(2)
const jwk = JSON.parse(readFileSync(file, 'utf8'))
const ec = { name: 'ECDSA', namedCurve: 'P-256' }
const signer = { key: await crypto.subtle.importKey('jwk', jwk, ec, false, ['sign']), kid: jwk.kid }
const issuer = new URL(address)
const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer))
const client = { client_id: 'signed-only' }
const authenticate = oauth.PrivateKeyJwt(signer)
const redirect = 'http://127.0.0.1:7000/callback'

async function loggedIn(send) {
  const verifier = oauth.generateRandomCodeVerifier()
  const parameters = new URLSearchParams({
    response_type: 'code',
    redirect_uri: redirect,
    scope: 'openid',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const request = await oauth.issueRequestObject(as, client, parameters, signer)
  const url = new URL(as.authorization_endpoint)
  url.searchParams.set('client_id', client.client_id)
  for (const [name, value] of Object.entries(await send(request))) url.searchParams.set(name, value)
  const answer = oauth.validateAuthResponse(as, client, await logIn(url), oauth.expectNoState)
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    authenticate,
    answer,
    redirect,
    verifier,
  )
  const { access_token: token } = await oauth.processAuthorizationCodeResponse(as, client, response)
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()).sub
}

const browser = await loggedIn(request => ({ request }))
const pushed = await loggedIn(async request => {
  const response = await oauth.pushedAuthorizationRequest(
    as,
    client,
    authenticate,
    new URLSearchParams({ request }),
  )
  const { request_uri } = await oauth.processPushedAuthorizationResponse(as, client, response)
  return { request_uri }
})
console.log(JSON.stringify({ browser, pushed }))
