// oauth4webapi with JARM: node oauth4webapi-jarm.js ISSUER KEYS. Prints results as JSON.
import { readFileSync } from 'node:fs'
import * as oauth from 'oauth4webapi'
import { logIn } from '../../programs/clients/log-in.js'

const [address = '', file = ''] = process.argv.slice(2)
const { secret } = JSON.parse(readFileSync(file, 'utf8'))
const issuer = new URL(address)
const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer))
const redirect = 'http://127.0.0.1:7000/callback'

async function opened(client, mode, more = {}) {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(as.authorization_endpoint)
  url.search = new URLSearchParams({
    response_type: 'code',
    response_mode: mode,
    client_id: client.client_id,
    redirect_uri: redirect,
    scope: 'openid',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  })
  const landed = more.prompt
    ? new URL((await fetch(url, { redirect: 'manual' })).headers.get('location'))
    : await logIn(url)
  const parameters = new URLSearchParams(mode === 'fragment.jwt' ? landed.hash.slice(1) : landed.search)
  try {
    const answer = await oauth.validateJwtAuthResponse(as, client, parameters, state)
    const authenticate = oauth.ClientSecretBasic(secret)
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      authenticate,
      answer,
      redirect,
      verifier,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
      requireIdToken: true,
    })
    return oauth.getValidatedIdTokenClaims(tokens).sub
  } catch (error) {
    return error.error ?? error.message
  }
}

const signed = { client_id: 'signed' }
console.log(
  JSON.stringify({
    jwt: await opened(signed, 'jwt'),
    query: await opened(signed, 'query.jwt'),
    fragment: await opened(signed, 'fragment.jwt'),
    ps256: await opened({ client_id: 'ps256', authorization_signed_response_alg: 'PS256' }, 'jwt'),
    other: await opened({ client_id: 'ps256', authorization_signed_response_alg: 'RS256' }, 'jwt'),
    refused: await opened(signed, 'jwt', { prompt: 'none' }),
    audience: await opened({ client_id: 'signed' }, 'jwt', { client_id: 'es256' }),
  }),
)
