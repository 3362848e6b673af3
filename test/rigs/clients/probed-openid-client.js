// openid-client 6 as the learn command runs a client: prints an address, reads the answer from stdin.
import { createInterface } from 'node:readline'
import * as client from 'openid-client'

const { ISSUER = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env
const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET)
const pkceCodeVerifier = client.randomPKCECodeVerifier()
const expectedState = client.randomState()
const expectedNonce = client.randomNonce()
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: 'http://127.0.0.1/callback',
  scope: 'openid',
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: expectedState,
  nonce: expectedNonce,
})
console.log(url.href)
const [line] = await new Promise(resolve => {
  createInterface({ input: process.stdin }).once('line', (...given) => resolve(given))
})
const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
const tokens = await client.authorizationCodeGrant(config, new URL(line), checks)
await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
process.exit(0)
