// oidc-provider with its FAPI 2.0 profile, DPoP, mutual TLS on a listener of its own, JAR, PAR, encryption and signed
// userinfo, until stdin ends.
// node oidc-provider-fapi2.js CERTIFICATE_AND_KEY CLIENT_CA CLIENTS_JSON   prints its issuer
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
const ALGORITHMS = ['PS256', 'ES256', 'EdDSA']
const jwk = (alg, ...kind) => ({
  ...generateKeyPairSync(...kind).privateKey.export({ format: 'jwk' }),
  alg,
  use: alg === 'ECDH-ES' ? 'enc' : 'sig',
})

const provider = new Provider(plain.url, {
  clients: JSON.parse(clients).map(client => ({
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    id_token_signed_response_alg: 'PS256',
    ...client,
  })),
  clientAuthMethods: ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'],
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
  cookies: { keys: ['a secret of the test'] },
  jwks: {
    keys: [
      jwk('PS256', 'rsa', { modulusLength: 2048 }),
      jwk('ES256', 'ec', { namedCurve: 'P-256' }),
      jwk('ECDH-ES', 'ec', { namedCurve: 'P-256' }),
    ],
  },
  enabledJWA: {
    clientAuthSigningAlgValues: ALGORITHMS,
    idTokenSigningAlgValues: ['PS256', 'ES256'],
    userinfoSigningAlgValues: ['PS256', 'ES256'],
    requestObjectSigningAlgValues: ALGORITHMS,
    dPoPSigningAlgValues: ALGORITHMS,
  },
  discovery: {
    mtls_endpoint_aliases: {
      token_endpoint: `${mtls.url}/token`,
      userinfo_endpoint: `${mtls.url}/me`,
      pushed_authorization_request_endpoint: `${mtls.url}/request`,
    },
  },
  features: {
    fapi: { enabled: true, profile: '2.0' },
    clientCredentials: { enabled: true },
    dPoP: { enabled: true },
    encryption: { enabled: true },
    jwtUserinfo: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    requestObjects: { enabled: true },
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
  },
})
plain.server.on('request', provider.callback())
mtls.server.on('request', provider.callback())
process.stdout.write(`${plain.url}\n`)
process.stdin.resume().on('end', () => process.exit())
