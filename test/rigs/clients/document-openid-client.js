// openid-client 6 with the address of its document as client_id: node document-openid-client.js ISSUER CLIENT_ID RESOURCE
// Prints what it got as JSON.
import * as client from 'openid-client'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = '', clientId = '', resource = ''] = process.argv.slice(2)
const config = await client.discovery(new URL(issuer), clientId, undefined, client.None())
client.enableNonRepudiationChecks(config)

const pkceCodeVerifier = client.randomPKCECodeVerifier()
const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: 'http://127.0.0.1:7000/callback',
  scope: 'openid profile email offline_access',
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: expectedState,
  nonce: expectedNonce,
})
const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
const tokens = await client.authorizationCodeGrant(config, await logIn(url), checks)
const userinfo = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token)
const used = await client.fetchProtectedResource(config, refreshed.access_token, new URL(resource), 'GET')
console.log(
  JSON.stringify({
    announced: config.serverMetadata().client_id_metadata_document_supported,
    aud: tokens.claims().aud === clientId,
    email: userinfo.email,
    resource: used.status,
  }),
)
