// openid-client 6 under the FAPI 2.0 Security Profile: node openid-client-fapi2.js ISSUER KEY_FILE. Prints results as JSON.
import { readFileSync } from 'node:fs'
import * as client from 'openid-client'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = '', file = ''] = process.argv.slice(2)
const { kid, alg, ...jwk } = JSON.parse(readFileSync(file, 'utf8'))
const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
// The audience of assertions is the issuer, as a string, by default.
const config = await client.discovery(
  new URL(issuer),
  'bank',
  { id_token_signed_response_alg: 'PS256', use_mtls_endpoint_aliases: false },
  client.PrivateKeyJwt({ key, kid }),
)
client.enableNonRepudiationChecks(config)
const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))

const pkceCodeVerifier = client.randomPKCECodeVerifier()
const expectedNonce = client.randomNonce()
const expectedState = client.randomState()
const parameters = {
  redirect_uri: 'http://127.0.0.1:7000/callback',
  scope: 'openid records:read',
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  nonce: expectedNonce,
  state: expectedState,
}
const url = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP })
const returned = await logIn(url)
const tokens = await client.authorizationCodeGrant(
  config,
  returned,
  { pkceCodeVerifier, expectedNonce, expectedState, idTokenExpected: true },
  undefined,
  { DPoP },
)
const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token, undefined, { DPoP })
const { sub } = await client.fetchUserInfo(config, refreshed.access_token, tokens.claims().sub, { DPoP })
const service = await client.clientCredentialsGrant(config, { scope: 'records:read' }, { DPoP })

const refusedBy = async request => {
  const error = await request().catch(error => error)
  return error.error ?? error.code
}
console.log(
  JSON.stringify({
    sub,
    types: [tokens.token_type, refreshed.token_type, service.token_type],
    same: refreshed.refresh_token === tokens.refresh_token,
    sent: [...url.searchParams.keys()].sort(),
    withoutProof: await refusedBy(() => client.clientCredentialsGrant(config, {})),
    withoutPkce: await refusedBy(() =>
      client.buildAuthorizationUrlWithPAR(config, { ...parameters, code_challenge: '' }, { DPoP }),
    ),
  }),
)
