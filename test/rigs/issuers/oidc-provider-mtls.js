// oidc-provider with mutual TLS (RFC 8705) on a listener of its own, until stdin ends.
// node oidc-provider-mtls.js CERTIFICATE_AND_KEY CLIENT_CA CLIENTS_JSON   prints its issuer
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import Provider from 'oidc-provider'

const [, , pemFile, clientCa, clients] = process.argv
const pem = readFileSync(pemFile)
const listen = async options => {
  const server = createServer({ cert: pem, key: pem, ...options })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `https://localhost:${server.address().port}` }
}
const plain = await listen({})
const mtls = await listen({ requestCert: true, rejectUnauthorized: false, ca: readFileSync(clientCa) })

const provider = new Provider(plain.url, {
  clients: JSON.parse(clients).map(client => ({ redirect_uris: [], response_types: [], ...client })),
  clientAuthMethods: ['tls_client_auth', 'self_signed_tls_client_auth', 'client_secret_basic'],
  cookies: { keys: ['a secret of the test'] },
  jwks: {
    keys: [
      {
        ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
        alg: 'RS256',
      },
    ],
  },
  discovery: { mtls_endpoint_aliases: { token_endpoint: `${mtls.url}/token` } },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    mTLS: {
      enabled: true,
      certificateBoundAccessTokens: true,
      tlsClientAuth: true,
      selfSignedTlsClientAuth: true,
      getCertificate: context => context.req.socket.getPeerX509Certificate?.(),
      certificateAuthorized: context => context.req.socket.authorized,
      certificateSubjectMatches: (context, property, expected) =>
        property === 'tls_client_auth_subject_dn' &&
        new X509Certificate(context.req.socket.getPeerX509Certificate().raw).subject
          .split('\n')
          .reverse()
          .join(',') === expected,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'https://api.example',
      getResourceServerInfo: () => ({
        scope: 'records:read',
        audience: 'https://api.example',
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
})
plain.server.on('request', provider.callback())
mtls.server.on('request', provider.callback())
process.stdout.write(`${plain.url}\n`)
process.stdin.resume().on('end', () => process.exit())
