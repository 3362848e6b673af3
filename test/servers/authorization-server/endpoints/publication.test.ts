import { describe, expect, it } from 'vitest'
import { header, text } from '../../../../src/protocol/http/message.js'
import {
  ASYMMETRIC_ALGORITHMS,
  CLIENT_ASSERTION_ALGORITHMS,
} from '../../../../src/protocol/oauth/algorithms.js'
import type { Client } from '../../../../src/protocol/oauth/client.js'
import { parseMetadata } from '../../../../src/protocol/oauth/metadata.js'
import { fixedKeyring, type JwkSet } from '../../../../src/protocol/tokens/keys.js'
import { createRegisteredClients } from '../../../../src/servers/authorization-server/stores/registry.js'
import { client, ISSUER, json, lab, settings, signingKey } from '../support.js'

const documents = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']

const authenticated = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt']

/** The members about one kind of response. */
const algorithmsOf = (kind: string) => ({
  [`${kind}_signing_alg_values_supported`]: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519', 'HS256'],
  [`${kind}_encryption_alg_values_supported`]: [
    ...['RSA-OAEP-256', 'RSA-OAEP', 'ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A256KW', 'dir'],
  ],
  [`${kind}_encryption_enc_values_supported`]: ['A128CBC-HS256', 'A256CBC-HS512', 'A128GCM', 'A256GCM'],
})

describe('discovery', () => {
  it.each(documents)('%s lists what the server supports', async path => {
    const { get } = lab({ clients: [client('demo')] })
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(header(response, 'content-type')).toMatch(/^application\/json/)
    expect(header(response, 'access-control-allow-origin')).toBe('*')
    expect(parseMetadata(json(response), ISSUER)).toEqual({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorization`,
      token_endpoint: `${ISSUER}/token`,
      jwks_uri: `${ISSUER}/.well-known/jwks.json`,
      userinfo_endpoint: `${ISSUER}/userinfo`,
      revocation_endpoint: `${ISSUER}/revocation`,
      introspection_endpoint: `${ISSUER}/introspection`,
      pushed_authorization_request_endpoint: `${ISSUER}/par`,
      require_pushed_authorization_requests: false,
      device_authorization_endpoint: `${ISSUER}/device_authorization`,
      backchannel_authentication_endpoint: `${ISSUER}/bc-authorize`,
      backchannel_token_delivery_modes_supported: ['poll'],
      backchannel_authentication_request_signing_alg_values_supported: ASYMMETRIC_ALGORITHMS,
      backchannel_user_code_parameter_supported: false,
      end_session_endpoint: `${ISSUER}/end-session`,
      check_session_iframe: `${ISSUER}/check-session`,
      backchannel_logout_supported: false,
      backchannel_logout_session_supported: false,
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
      scopes_supported: ['openid', 'profile', 'email', 'offline_access', 'records:read', 'records:write'],
      response_types_supported: [
        ...['code', 'token', 'id_token', 'id_token token', 'code id_token', 'code token'],
        ...['code id_token token', 'none'],
      ],
      response_modes_supported: [
        ...['query', 'fragment', 'form_post', 'query.jwt', 'fragment.jwt', 'form_post.jwt', 'jwt'],
      ],
      grant_types_supported: [
        ...['authorization_code', 'refresh_token', 'password', 'client_credentials'],
        ...['jwt-bearer', 'saml2-bearer', 'token-exchange', 'device_code'].map(
          each => `urn:ietf:params:oauth:grant-type:${each}`,
        ),
        'urn:openid:params:grant-type:ciba',
        'implicit',
      ],
      token_endpoint_auth_methods_supported: [...authenticated, 'none'],
      token_endpoint_auth_signing_alg_values_supported: CLIENT_ASSERTION_ALGORITHMS,
      revocation_endpoint_auth_methods_supported: [...authenticated, 'none'],
      revocation_endpoint_auth_signing_alg_values_supported: CLIENT_ASSERTION_ALGORITHMS,
      introspection_endpoint_auth_methods_supported: authenticated,
      introspection_endpoint_auth_signing_alg_values_supported: CLIENT_ASSERTION_ALGORITHMS,
      dpop_signing_alg_values_supported: ASYMMETRIC_ALGORITHMS,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      acr_values_supported: ['urn:oauth-lab:acr:pwd'],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      subject_types_supported: ['public', 'pairwise'],
      ...algorithmsOf('id_token'),
      ...algorithmsOf('userinfo'),
      ...algorithmsOf('introspection'),
      ...algorithmsOf('authorization'),
      claims_supported: [
        ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'acr', 'amr', 'nonce', 'at_hash', 'c_hash'],
        ...['sid', 'name', 'email'],
      ],
      claims_parameter_supported: true,
      request_parameter_supported: true,
      request_uri_parameter_supported: false,
      require_signed_request_object: false,
      request_object_signing_alg_values_supported: [
        ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'],
        ...['EdDSA', 'Ed25519', 'HS256', 'none'],
      ],
      request_object_encryption_alg_values_supported: ['dir'],
      request_object_encryption_enc_values_supported: [
        ...['A128CBC-HS256', 'A256CBC-HS512', 'A128GCM', 'A256GCM'],
      ],
    })
  })

  it('lists plain only when a client is registered for plain', async () => {
    const members = json(await lab().get(documents[0]!))
    expect(members.code_challenge_methods_supported).toEqual(['S256', 'plain'])
  })

  it('publishes the public half of the key only', async () => {
    const response = await lab().get('/.well-known/jwks.json')
    expect(json(response)).toEqual({
      keys: [{ kty: 'RSA', n: expect.any(String), e: 'AQAB', kid: signingKey.kid, use: 'sig', alg: 'RS256' }],
    })
    expect(header(response, 'access-control-allow-origin')).toBe('*')
  })
})

describe('a published document', () => {
  const plain = client('plain', { code_challenge_methods: ['S256', 'plain'] })

  /** A lab that a test can change. */
  function changingLab() {
    const users = [...settings.users]
    const clients = [client('demo')]
    const changed: { mtlsUrl?: string; keys?: JwkSet; demo?: Client } = {}
    const resources: string[] = []
    const registeredClients = createRegisteredClients()
    registeredClients.add({ client: client('own'), at: 0 }, 'token', 'here')
    const keyring = fixedKeyring(signingKey)
    const { get } = lab(
      {
        users,
        clients,
        mtlsUrl: () => changed.mtlsUrl,
        protectedResources: () => resources,
        ownClient: { id: 'demo', client: listed => changed.demo ?? listed },
      },
      { ...keyring, published: () => changed.keys ?? keyring.published() },
      { registeredClients },
    )
    return { users, clients, changed, resources, registeredClients, get }
  }
  type Change = (lab: ReturnType<typeof changingLab>) => void

  it.each<[string, Change]>([
    ['a client', ({ clients }) => clients.push(plain)],
    [
      'a registration',
      ({ registeredClients }) => registeredClients.add({ client: plain, at: 0 }, 'token', 'here'),
    ],
    [
      'a changed registration',
      ({ registeredClients }) => registeredClients.replace({ client: { ...plain, client_id: 'own' } }),
    ],
    ['a changed client of the lab', ({ changed }) => Object.assign(changed, { demo: plain })],
    ['a user', ({ users }) => users.push({ ...users[0]!, totp_secret: 'JBSWY3DPEHPK3PXP' })],
    ['mutual TLS', ({ changed }) => Object.assign(changed, { mtlsUrl: 'https://mtls.example' })],
    ['a resource', ({ resources }) => resources.push('https://api.example')],
  ])('metadata follow %s', async (_name, change) => {
    const changing = changingLab()
    const before = json(await changing.get(documents[0]!))
    change(changing)
    expect(json(await changing.get(documents[0]!))).not.toEqual(before)
  })

  it.each<[string, Change]>([
    ['a rotation', ({ changed }) => Object.assign(changed, { keys: { keys: [] } })],
    [
      'a client of another algorithm',
      ({ clients }) => clients.push(client('es', { access_token_signing_alg: 'ES256' })),
    ],
    [
      'a client that encrypts',
      ({ clients }) => clients.push(client('jwe', { request_object_encryption_alg: 'ECDH-ES' })),
    ],
  ])('keys follow %s', async (_name, change) => {
    const changing = changingLab()
    const before = json(await changing.get('/.well-known/jwks.json'))
    change(changing)
    expect(json(await changing.get('/.well-known/jwks.json'))).not.toEqual(before)
  })

  it.each([...documents, '/.well-known/jwks.json'])('%s is made once while nothing changes', async path => {
    const { get } = changingLab()
    expect((await get(path)).body).toBe((await get(path)).body)
  })
})

it.each([...documents, '/.well-known/jwks.json', '/token', '/userinfo', '/revocation', '/par'])(
  'scripts of other origins may read %s',
  async path => {
    const { send } = lab()
    const response = await send('OPTIONS', path, [
      ['origin', 'https://app.example'],
      ['access-control-request-method', 'POST'],
      ['access-control-request-headers', 'authorization'],
    ])
    expect(response.status).toBe(204)
    expect(header(response, 'access-control-allow-origin')).toBe('*')
    expect(header(response, 'access-control-allow-methods')).toBe('GET, POST')
    expect(header(response, 'access-control-allow-headers')).toMatch(/^Authorization, Content-Type/)
    const error = await send('DELETE', path, [['origin', 'https://app.example']])
    expect(error.status).toBe(405)
    expect(header(error, 'access-control-allow-origin')).toBe('*')
  },
)

describe('other paths', () => {
  it('greets at the root', async () => {
    const response = await lab().get('/')
    expect(response.status).toBe(200)
    expect(header(response, 'content-type')).toMatch(/^text\/plain/)
    expect(text(response.body).length).toBeGreaterThan(0)
  })

  it.each(['/nowhere', '/Token', '/token/', '//token', '/.well-known', '/favicon.ico'])(
    '%s is 404',
    async path => {
      const response = await lab().get(path)
      expect(response.status).toBe(404)
      expect(header(response, 'content-type')).toMatch(/^text\/plain/)
    },
  )
})
