// oidc-provider with responses in a JWT (JARM), signed and encrypted.
// node oidc-provider-jarm.js CERTIFICATE_AND_KEY PUBLIC_JWK   prints its issuer; ends when stdin does
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import Provider from 'oidc-provider'

const pem = readFileSync(process.argv[2])
const jwk = JSON.parse(readFileSync(process.argv[3], 'utf8'))
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const client = (client_id, more = {}) => ({
  client_id,
  client_secret: `${client_id}-secret-0123456789abcdef0123456789`,
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'implicit'],
  response_types: ['code', 'code id_token'],
  ...more,
})
const sealed = { authorization_encrypted_response_alg: 'ECDH-ES', jwks: { keys: [{ ...jwk, use: 'enc' }] } }

const server = createServer({ cert: pem, key: pem })
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const issuer = `https://localhost:${server.address().port}`
const provider = new Provider(issuer, {
  clients: [
    client('app'),
    client('es256', { authorization_signed_response_alg: 'ES256' }),
    client('sealed', { ...sealed, authorization_encrypted_response_enc: 'A256GCM' }),
  ],
  responseTypes: ['code', 'code id_token', 'none'],
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  cookies: { keys: ['a secret of the test'] },
  jwks: {
    keys: [
      { ...rsa.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' },
      { ...ec.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' },
    ],
  },
  features: { jwtResponseModes: { enabled: true }, encryption: { enabled: true } },
})
server.on('request', provider.callback())
process.stdout.write(`${issuer}\n`)
process.stdin.resume().on('end', () => process.exit())
