// openid-client and oauth4webapi with client_secret_jwt: node client-secret-jwt.js ISSUER SECRET. Prints results as JSON.
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'

const [address = '', secret = ''] = process.argv.slice(2)
const issuer = new URL(address)

const config = await client.discovery(issuer, 'shared', undefined, client.ClientSecretJwt(secret))
const tokens = await client.clientCredentialsGrant(config)
const { active } = await client.tokenIntrospection(config, tokens.access_token)

const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer))
const own = { client_id: 'shared' }
const response = await oauth.clientCredentialsGrantRequest(as, own, oauth.ClientSecretJwt(secret), {})
const { token_type } = await oauth.processClientCredentialsResponse(as, own, response)

const wrong = await oauth.clientCredentialsGrantRequest(as, own, oauth.ClientSecretJwt(`${secret}!`), {})
console.log(JSON.stringify({ active, token_type, wrong: wrong.status }))
