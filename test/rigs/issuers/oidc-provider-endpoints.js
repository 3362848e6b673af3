// oidc-provider with introspection (in JWTs too), revocation, registration and its management, and a nonce for every DPoP proof.
// node oidc-provider-endpoints.js CERTIFICATE_AND_KEY   prints its issuer; ends when stdin does
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import Provider from 'oidc-provider'

const pem = readFileSync(process.argv[2])
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const client = (client_id, more = {}) => ({
  client_id,
  client_secret: `${client_id}-secret-0123456789abcdef0123456789`,
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  ...more,
})

const server = createServer({ cert: pem, key: pem })
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const issuer = `https://localhost:${server.address().port}`
const provider = new Provider(issuer, {
  clients: [
    client('app'),
    client('shared', { token_endpoint_auth_method: 'client_secret_jwt' }),
    client('signed', { introspection_signed_response_alg: 'RS256', userinfo_signed_response_alg: 'RS256' }),
  ],
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, name: `${id} of the rig` }) }),
  cookies: { keys: ['a secret of the test'] },
  claims: { openid: ['sub'], profile: ['name'] },
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
  features: {
    introspection: { enabled: true },
    jwtIntrospection: { enabled: true },
    jwtUserinfo: { enabled: true },
    revocation: { enabled: true },
    registration: { enabled: true, initialAccessToken: 'initial-token-of-the-rig' },
    registrationManagement: { enabled: true, rotateRegistrationAccessToken: true },
    dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => true },
  },
})
server.on('request', provider.callback())
process.stdout.write(`${issuer}\n`)
process.stdin.resume().on('end', () => process.exit())
