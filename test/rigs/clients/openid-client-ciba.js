// openid-client 6 with backchannel authentication: node openid-client-ciba.js ISSUER. alice decides on the page of the
// server. Prints results as JSON.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as client from 'openid-client'
import { signIn } from './ciba-person.js'

const [address = ''] = process.argv.slice(2)
const issuer = new URL(address)
const decide = await signIn(address)
const hint = { scope: 'openid profile', login_hint: 'alice' }

const failure = promise =>
  promise.then(
    () => 'granted',
    error => `${error.status} ${error.error}`,
  )

/** Waits for the result, and returns the subject of its ID token. */
async function subject(config, started) {
  const tokens = await client.pollBackchannelAuthenticationGrant(config, started)
  const { sub } = tokens.claims()
  await client.fetchUserInfo(config, tokens.access_token, sub)
  return sub
}

const poller = await client.discovery(issuer, 'poller', process.env.CIBA_SECRET)
const allowed = await client.initiateBackchannelAuthentication(poller, { ...hint, binding_message: 'ALLOW' })
const denied = await client.initiateBackchannelAuthentication(poller, { ...hint, binding_message: 'DENY' })
const ended = await client.initiateBackchannelAuthentication(poller, { ...hint, requested_expiry: '3' })
await decide('ALLOW', 'allow')
await decide('DENY', 'deny')

// A client that registers itself, signs its requests, and is pinged.
const calls = []
const server = createServer((request, response) => {
  let body = ''
  request.on('data', chunk => {
    body += chunk
  })
  request.on('end', () => {
    calls.push({ authorization: request.headers.authorization, type: request.headers['content-type'], body })
    response.writeHead(204).end()
    server.emit('called')
  })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
const metadata = {
  client_name: 'Pinged',
  grant_types: ['urn:openid:params:grant-type:ciba'],
  response_types: [],
  backchannel_token_delivery_mode: 'ping',
  backchannel_client_notification_endpoint: `http://127.0.0.1:${server.address().port}/ping`,
  backchannel_authentication_request_signing_alg: 'ES256',
  jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'one' }] },
}
const pinged = await client.dynamicClientRegistration(issuer, metadata)
const { client_id, backchannel_token_delivery_mode: mode } = pinged.clientMetadata()
const token = client.randomState()
const signed = claims =>
  new SignJWT({ ...hint, client_notification_token: token, ...claims, jti: client.randomState() })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(client_id)
    .setAudience(address)
    .setIssuedAt()
    .setNotBefore('0 s')
    .setExpirationTime('1m')
    .sign(privateKey)
const request = await signed({ binding_message: 'PING' })
const started = await client.initiateBackchannelAuthentication(pinged, { request })
const [replayed, unsigned, push] = [
  await failure(client.initiateBackchannelAuthentication(pinged, { request })),
  await failure(client.initiateBackchannelAuthentication(pinged, hint)),
  await failure(
    client.dynamicClientRegistration(issuer, { ...metadata, backchannel_token_delivery_mode: 'push' }),
  ),
]
const called = once(server, 'called')
await decide('PING', 'allow')
await called
server.close()

const [poll, refused, ping] = await Promise.all([
  subject(poller, allowed),
  failure(client.pollBackchannelAuthenticationGrant(poller, denied)),
  subject(pinged, started),
])
// The library itself stops at the end of a request, so the late poll is a plain token request.
const late = await failure(
  client.genericGrantRequest(poller, 'urn:openid:params:grant-type:ciba', {
    auth_req_id: ended.auth_req_id,
  }),
)
const [{ authorization, type, body }, ...others] = calls
console.log(
  JSON.stringify({
    poll,
    refused,
    late,
    ping,
    mode,
    called: {
      bearer: authorization === `Bearer ${token}`,
      type,
      id: JSON.parse(body).auth_req_id === started.auth_req_id,
      members: Object.keys(JSON.parse(body)),
      others: others.length,
    },
    replayed,
    unsigned,
    push,
    unknown: await failure(
      client.initiateBackchannelAuthentication(poller, { scope: 'openid', login_hint: 'nobody' }),
    ),
  }),
)
