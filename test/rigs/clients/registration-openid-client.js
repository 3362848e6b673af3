// openid-client 6 registers itself, logs alice in and manages its registration: node registration-openid-client.js ISSUER METHOD
// Prints what it got as JSON.
import * as client from 'openid-client'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = '', method = ''] = process.argv.slice(2)
const redirect_uri = 'http://127.0.0.1:7000/callback'
const metadata = {
  client_name: 'Registered by openid-client',
  application_type: 'native',
  redirect_uris: [redirect_uri],
  ...(method && { token_endpoint_auth_method: method }),
  scope: 'openid profile email',
}
// Without a named method, the library sends the secret in the body.
const authentication = { client_secret_basic: client.ClientSecretBasic(), none: client.None() }[method]
const config = await client.dynamicClientRegistration(new URL(issuer), metadata, authentication)
client.enableNonRepudiationChecks(config)
const registered = config.clientMetadata()

const pkceCodeVerifier = client.randomPKCECodeVerifier()
const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
const url = client.buildAuthorizationUrl(config, {
  redirect_uri,
  scope: 'openid profile email',
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: expectedState,
  nonce: expectedNonce,
})
const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
const tokens = await client.authorizationCodeGrant(config, await logIn(url), checks)
const userinfo = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)

const manage = (verb, body) =>
  fetch(registered.registration_client_uri, {
    method: verb,
    headers: {
      authorization: `Bearer ${registered.registration_access_token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
const read = await (await manage('GET')).json()
const { client_id } = registered
const updated = await (await manage('PUT', { ...metadata, client_id, client_name: 'New name' })).json()
const deleted = await manage('DELETE')
const gone = await client.fetchUserInfo(config, tokens.access_token, 'alice').catch(error => error)
const refused = await client
  .dynamicClientRegistration(new URL(issuer), { redirect_uris: ['javascript:alert(1)'] })
  .catch(error => error)
console.log(
  JSON.stringify({
    aud: tokens.claims().aud === client_id,
    hasSecret: registered.client_secret !== undefined,
    userinfo,
    read: read.client_name,
    updated: updated.client_name,
    deleted: deleted.status,
    gone: gone.status,
    refused: { status: refused.status, error: refused.error },
  }),
)
