// oidc-provider with its own pages for people, opaque access tokens and a nonce for every DPoP proof, until stdin ends.
// node oidc-provider-people.js CERTIFICATE_AND_KEY PUBLIC_JWK [REDIRECT_URI [PORT]]   prints its issuer
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import Provider, { errors } from 'oidc-provider'

const [pemFile = '', publicKey = '', notesUri, leaverPort] = process.argv.slice(2)
const pem = readFileSync(pemFile)
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pss = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const forRequests = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const secret = id => `${id}-secret-0123456789abcdef0123456789`
const client = (client_id, more = {}) => ({
  client_id,
  client_secret: secret(client_id),
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  ...more,
})
const { client_secret: _none, ...signer } = client('signer')
const { client_secret: _absent, ...open } = client('open')

const server = createServer({ cert: pem, key: pem })
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const issuer = `https://localhost:${server.address().port}`
const provider = new Provider(issuer, {
  clients: [
    client('app', { authorization_details_types: ['account_information'] }),
    client('web', { redirect_uris: ['http://127.0.0.1/callback', 'https://web.example/cb'] }),
    client('pusher', { require_pushed_authorization_requests: true }),
    client('poster', { token_endpoint_auth_method: 'client_secret_post' }),
    {
      ...signer,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks: { keys: [JSON.parse(publicKey)] },
    },
    client('sealed', {
      id_token_signed_response_alg: 'PS256',
      id_token_encrypted_response_alg: 'ECDH-ES',
      id_token_encrypted_response_enc: 'A256GCM',
      userinfo_signed_response_alg: 'ES256',
      userinfo_encrypted_response_alg: 'ECDH-ES',
      jwks: { keys: [{ ...JSON.parse(publicKey), use: 'enc', kid: 'sealed' }] },
    }),
    client('pair', { subject_type: 'pairwise', grant_types: ['authorization_code'] }),
    client('told', { id_token_signed_response_alg: 'ES256', userinfo_signed_response_alg: 'PS256' }),
    {
      ...open,
      redirect_uris: ['http://127.0.0.1/callback', 'https://web.example/cb'],
      token_endpoint_auth_method: 'none',
    },
    {
      ...open,
      client_id: 'page',
      token_endpoint_auth_method: 'none',
      grant_types: ['implicit'],
      response_types: ['id_token token', 'id_token'],
    },
    ...(notesUri
      ? [
          client('notes', {
            application_type: 'web',
            redirect_uris: [notesUri],
            backchannel_logout_uri: new URL('/backchannel-logout', notesUri).href,
            backchannel_logout_session_required: true,
            grant_types: ['authorization_code'],
          }),
        ]
      : []),
    ...(leaverPort
      ? [
          client('leaver', {
            application_type: 'web',
            redirect_uris: [`http://127.0.0.1:${leaverPort}/callback`],
            post_logout_redirect_uris: [`http://127.0.0.1:${leaverPort}/bye`],
          }),
        ]
      : []),
    client('hybrid', {
      grant_types: ['authorization_code', 'implicit'],
      response_types: ['code id_token', 'code token', 'code id_token token'],
    }),
    client('service', { grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }),
  ],
  // Its own dispatcher reaches no loopback address, where the client of the test is.
  fetch: (url, { dispatcher: _, ...options }) => fetch(url, options),
  acrValues: ['urn:example:gold'],
  subjectTypes: ['public', 'pairwise'],
  pairwiseIdentifier: (_context, account, { sectorIdentifier }) => `${sectorIdentifier}:${account}`,
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  responseTypes: ['code', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token'],
  cookies: { keys: ['a secret of the test'], ...(leaverPort && { long: { sameSite: 'none' } }) },
  // A logout by POST, and the cookies that a browser needs for it.
  ...(leaverPort && { enableHttpPostMethods: true }),
  jwks: {
    keys: [
      { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' },
      { ...pss.privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'PS256' },
      { ...ec.privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' },
      { ...forRequests.privateKey.export({ format: 'jwk' }), use: 'enc', alg: 'ECDH-ES' },
    ],
  },
  enabledJWA: {
    idTokenSigningAlgValues: ['RS256', 'PS256', 'ES256'],
    userinfoSigningAlgValues: ['RS256', 'PS256', 'ES256'],
  },
  features: {
    backchannelLogout: { enabled: true },
    claimsParameter: { enabled: true },
    encryption: { enabled: true },
    jwtUserinfo: { enabled: true },
    requestObjects: { enabled: true },
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: true },
    // Details are for a resource there.
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context, audience) => ({ scope: '', audience, accessTokenTTL: 600 }),
      useGrantedResource: () => true,
    },
    richAuthorizationRequests: {
      enabled: true,
      types: {
        account_information: {
          validate(_context, { actions }) {
            if (!Array.isArray(actions)) throw new errors.InvalidAuthorizationDetails('actions is missing')
          },
        },
      },
      authorizationDetailsForGrantSource: context => context.oidc.entities.Grant.rar,
      // A server may add members (RFC 9396 §7.1).
      authorizationDetailsForAccessToken: (_context, _token, source) =>
        source?.rar?.map(each => ({ ...each, identifier: 'account-1' })),
      authorizationDetailsForIntrospection: (_context, token) => token.rar,
    },
    dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => true },
  },
})
const answer = provider.callback()
server.on('request', (request, response) => {
  // UNPUBLISHED: a server without discovery.
  const hidden = process.env.UNPUBLISHED === '1' && request.url.startsWith('/.well-known/')
  if (hidden) response.writeHead(404).end()
  else answer(request, response)
})
process.stdout.write(`${issuer}\n`)
process.stdin.resume().on('end', () => process.exit())
