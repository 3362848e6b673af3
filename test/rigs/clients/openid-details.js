// openid-client 6 with authorization details (RFC 9396): pushed, narrowed by a refresh, refused beyond, and with client
// credentials. node openid-details.js ISSUER. Prints what it got as JSON.
import * as client from 'openid-client'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = ''] = process.argv.slice(2)
const accounts = { type: 'account_information', actions: ['list_accounts', 'read_balances'] }
const payment = {
  type: 'payment_initiation',
  instructedAmount: { currency: 'EUR', amount: '123.50' },
  creditorName: 'Merchant A',
  creditorAccount: { iban: 'DE02100100109307118603' },
}

const config = await client.discovery(
  new URL(issuer),
  'demo',
  'demo-secret-0123456789abcdef0123456789',
  client.ClientSecretBasic('demo-secret-0123456789abcdef0123456789'),
)
const pkceCodeVerifier = client.randomPKCECodeVerifier()
const expectedState = client.randomState()
const url = await client.buildAuthorizationUrlWithPAR(config, {
  redirect_uri: 'http://127.0.0.1:7000/callback',
  scope: 'openid offline_access',
  authorization_details: JSON.stringify([accounts, payment]),
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: expectedState,
})
const tokens = await client.authorizationCodeGrant(config, await logIn(url), {
  pkceCodeVerifier,
  expectedState,
})
const narrow = { authorization_details: JSON.stringify([{ ...accounts, actions: ['list_accounts'] }]) }
const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token, narrow)
const wide = { authorization_details: JSON.stringify([{ ...payment, creditorName: 'Mallory' }]) }
const beyond = await client.refreshTokenGrant(config, refreshed.refresh_token, wide).then(
  () => 'granted',
  error => error.error,
)
const introspected = await client.tokenIntrospection(config, refreshed.access_token)
const own = await client.clientCredentialsGrant(config, { authorization_details: JSON.stringify([accounts]) })

process.stdout.write(
  JSON.stringify({
    announced: config.serverMetadata().authorization_details_types_supported,
    granted: tokens.authorization_details.map(each => each.type),
    narrowed: refreshed.authorization_details,
    introspected: introspected.authorization_details,
    beyond,
    own: own.authorization_details,
  }),
)
