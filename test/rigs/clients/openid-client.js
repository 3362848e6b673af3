// openid-client 6 through the code flow: node openid-client.js ISSUER post|basic. Prints what it got as JSON.
import * as client from 'openid-client'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = '', method = ''] = process.argv.slice(2)
const secret = 'demo-secret-0123456789abcdef0123456789'
const authentication = method === 'basic' ? client.ClientSecretBasic(secret) : undefined
const config = await client.discovery(new URL(issuer), 'demo', secret, authentication)
client.enableNonRepudiationChecks(config)

const pkceCodeVerifier = client.randomPKCECodeVerifier()
const expectedState = client.randomState()
const expectedNonce = client.randomNonce()
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: 'http://127.0.0.1:7000/callback',
  scope: 'openid profile email',
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: expectedState,
  nonce: expectedNonce,
})
const landed = await logIn(url)
const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
const tokens = await client.authorizationCodeGrant(config, landed, checks)
const userinfo = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
const again = await client.authorizationCodeGrant(config, landed, checks).catch(error => error)
const revoked = await client.fetchUserInfo(config, tokens.access_token, 'alice').catch(error => error)
const end = client.buildEndSessionUrl(config, {
  id_token_hint: tokens.id_token,
  post_logout_redirect_uri: 'http://127.0.0.1:7000/logged-out',
  state: 'a&b',
})
const bye = await fetch(end, { redirect: 'manual' })
console.log(
  JSON.stringify({
    sub: tokens.claims().sub,
    scope: tokens.scope,
    expiresIn: tokens.expires_in,
    userinfo,
    again: { status: again.status, error: again.error },
    revoked: { status: revoked.status },
    bye: bye.headers.get('location') ?? (await bye.text()),
  }),
)
