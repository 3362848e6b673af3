// oidc-provider with JWT access tokens (RFC 9068) for whatever resource is asked for, until stdin ends.
// node oidc-provider.js CERTIFICATE_AND_KEY   prints its issuer
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import Provider from 'oidc-provider'

const pem = readFileSync(process.argv[2])
const jwk = alg => {
  const kind = alg === 'ES256' ? ['ec', { namedCurve: 'P-256' }] : ['rsa', { modulusLength: 2048 }]
  return { ...generateKeyPairSync(...kind).privateKey.export({ format: 'jwk' }), use: 'sig', alg }
}

const server = createServer({ cert: pem, key: pem })
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const issuer = `https://localhost:${server.address().port}`
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'app',
      client_secret: 'app-secret-0123456789abcdef0123456789',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    },
  ],
  cookies: { keys: ['a secret of the test'] },
  jwks: { keys: [jwk('RS256'), jwk('ES256')] },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    dPoP: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context, resource) => ({
        scope: 'records:read records:write',
        audience: resource,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 600,
        jwt: { sign: { alg: resource.endsWith('/es256') ? 'ES256' : 'RS256' } },
      }),
    },
  },
})
server.on('request', provider.callback())
process.stdout.write(`${issuer}\n`)
process.stdin.resume().on('end', () => process.exit())
