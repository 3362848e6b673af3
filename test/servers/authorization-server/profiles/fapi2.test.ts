import { describe, expect, it } from 'vitest'
import { type HttpResponse, header } from '../../../../src/protocol/http/message.js'
import type { Client } from '../../../../src/protocol/oauth/client.js'
import {
  ecKey,
  edKey,
  knownRsaKey,
  makeHmacJwt,
  makeJwt,
  part,
  type TestKey,
} from '../../../protocol/tokens/jwt-maker.js'
import {
  basic,
  claimsOf,
  codeRequest,
  ISSUER,
  json,
  landed,
  type Parameters,
  SECRET,
  VERIFIER,
} from '../support.js'
import { assertionKey, bankLab, key, otherKey, RETURN } from '../switches/signing-client.js'

type World = ReturnType<typeof bankLab>
const clause = (number: string) => `FAPI 2.0 Security Profile §${number}`
const world = (more: Partial<Client> = {}) => bankLab(more, { profile: 'fapi2' })

/** A server where one client alone has the profile. */
const mixed = (more: Partial<Client> = {}) => bankLab({ profile: 'fapi2', ...more })

type Request = (made: World) => Promise<HttpResponse>
/** A request that the profile refuses, its error, and what its client is registered for. */
type Row = readonly [name: string, request: Request, error: string, more?: Partial<Client>]

const credentials = { grant_type: 'client_credentials' }
const service: Partial<Client> = { grant_types: ['client_credentials', 'password', 'authorization_code'] }
const signed = (by: TestKey) => ({ jwks: { keys: [by.publicJwk] }, ...service })
const [rsa, pss, ed] = [knownRsaKey(1, 'bank'), knownRsaKey(1, 'bank', 'PS256'), edKey('bank')]

const proofBy = (made: World, by: TestKey, path = '/token') => {
  const iat = Math.floor(made.clock.now / 1000)
  const { kid: _, ...jwk } = by.publicJwk
  const claims = { jti: `p${Math.random()}`, htm: 'POST', htu: ISSUER + path, iat }
  return ['dpop', makeJwt(by, { typ: 'dpop+jwt', jwk }, claims)] as const
}

const open = { token_endpoint_auth_method: 'none' } as const
const bySecret = (method: 'client_secret_basic' | 'client_secret_post', request: Request): Row => [
  `authentication by ${method}`,
  request,
  'invalid_client',
  { ...service, client_secret: SECRET, token_endpoint_auth_method: method },
]
const byObject = (by?: TestKey): Row => [
  `a request object by ${by?.alg ?? 'none'}`,
  made => {
    const claims = { ...made.request(), iss: 'bank', aud: ISSUER, client_id: 'bank' }
    const request = by ? makeJwt(by, { kid: 'bank' }, claims) : `${part({ alg: 'none' })}.${part(claims)}.`
    return made.post('/par', { request, ...made.assertion() })
  },
  'invalid_request_object',
  { jwks: { keys: [assertionKey.publicJwk, { ...rsa.publicJwk, kid: 'rsa' }] } },
]
/** A pushed request with a change. */
const push =
  (changes: Parameters): Request =>
  made =>
    made.push(changes)
const PASSWORD = { grant_type: 'password', username: 'alice', password: 'wonderland' }
const bothMethods: Partial<Client> = { code_challenge_methods: ['plain', 'S256'] }
const NO_PKCE = { code_challenge: undefined, code_challenge_method: undefined }

/** By the clause that the event names. */
const refused: Readonly<Record<string, readonly Row[]>> = {
  '5.3.2.1-2': [
    [
      'the password grant',
      async made => made.ask(PASSWORD, [await made.proof()]),
      'unsupported_grant_type',
      service,
    ],
  ],
  '5.3.2.1-3': [
    [
      'a public client at the token endpoint',
      async made => made.token({ ...credentials, client_id: 'bank' }, [await made.proof()]),
      'invalid_client',
      open,
    ],
    [
      'a pushed request of a public client',
      made => made.post('/par', { ...made.request(), client_id: 'bank' }),
      'invalid_client',
      open,
    ],
  ],
  '5.3.2.1-6': [
    bySecret('client_secret_basic', async made =>
      made.token(credentials, [basic('bank', SECRET), await made.proof()]),
    ),
    bySecret('client_secret_post', async made =>
      made.token({ ...credentials, client_id: 'bank', client_secret: SECRET }, [await made.proof()]),
    ),
  ],
  '5.3.2.1-4': [
    ['a token request without a key', made => made.ask(credentials), 'invalid_dpop_proof', service],
    ['a code without a key', async made => made.redeem(await made.code()), 'invalid_dpop_proof'],
  ],
  '5.3.2.1-8': [[ISSUER], `${ISSUER}/token`, `${ISSUER}/par`, [ISSUER, `${ISSUER}/token`]].map(aud => [
    `an assertion for ${JSON.stringify(aud)}`,
    made => made.push({}, [], { claims: { aud } }),
    'invalid_client',
  ]),
  '5.4.1-1': [
    [
      'an assertion by RS256',
      async made => made.ask(credentials, [await made.proof()], { by: rsa }),
      'invalid_client',
      signed(rsa),
    ],
    [
      'a DPoP proof by RS256 at the token endpoint',
      async made => made.ask(credentials, [proofBy(made, rsa)]),
      'invalid_dpop_proof',
      service,
    ],
    [
      'a DPoP proof by RS256 beside a pushed request',
      async made => made.push({}, [proofBy(made, rsa, '/par')]),
      'invalid_dpop_proof',
    ],
    byObject(rsa),
    byObject(),
    [
      'a client whose id_tokens are RS256',
      push({}),
      'invalid_client',
      { id_token_signed_response_alg: 'RS256' },
    ],
  ],
  '5.3.2.2-5': [
    ['a request without PKCE', push(NO_PKCE), 'invalid_request'],
    [
      'PKCE with plain',
      push({ code_challenge: VERIFIER, code_challenge_method: 'plain' }),
      'invalid_request',
      bothMethods,
    ],
    ['PKCE without a method', push({ code_challenge_method: undefined }), 'invalid_request', bothMethods],
  ],
  '5.3.2.2-6': [['a request without redirect_uri', push({ redirect_uri: undefined }), 'invalid_request']],
  '5.3.2.2-8': [
    [
      'plain http on this computer',
      push({ redirect_uri: 'http://127.0.0.1/cb' }),
      'invalid_request',
      { redirect_uris: [RETURN, 'http://127.0.0.1/cb'] },
    ],
    [
      'localhost of a native application',
      push({ redirect_uri: 'http://localhost/cb' }),
      'invalid_request',
      { redirect_uris: [RETURN, 'http://localhost/cb'], application_type: 'native' },
    ],
  ],
  '5.3.2.2-1': (['token', 'id_token', 'id_token token', 'code id_token', 'code token', 'none'] as const).map(
    type => [
      `response_type ${type}`,
      push({ response_type: type }),
      'unsupported_response_type',
      { response_types: ['code', type], grant_types: ['authorization_code', 'implicit'] },
    ],
  ),
}

describe('FAPI 2.0 refuses', () => {
  const rows = Object.entries(refused).flatMap(([number, each]) =>
    each.map(([name, ...asked]) => [number, name, asked] as const),
  )
  it.each(rows)('§%s: %s', async (number, _name, [request, error, more]) => {
    for (const make of [world, mixed]) {
      const made = make(more)
      const response = await request(made)
      // RFC 6749 §4.1.2.1, §5.2: the server supports what other clients may use.
      const wanted = make === mixed && error.startsWith('unsupported_') ? 'unauthorized_client' : error
      expect([json(response).error, made.events.at(-1)]).toMatchObject([wanted, { rule: clause(number) }])
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(String(json(response).error_description)).not.toBe('')
    }
  })

  it('§5.3.2.2-1: a response type that the weaker profile of the server has', async () => {
    const grant_types = ['authorization_code', 'implicit']
    const types = { response_types: ['code', 'none', 'token'], grant_types }
    const made = bankLab({ profile: 'fapi2', ...types }, { profile: 'oauth21' })
    expect(json(await made.push({ response_type: 'none' })).error).toBe('unauthorized_client')
    expect(json(await made.push({ response_type: 'token' })).error).toBe('unsupported_response_type')
  })

  it('§5.3.2.2-3: an authorization request that was not pushed', async () => {
    for (const made of [world(), mixed()]) {
      const response = await made.authorize({ ...made.request(), client_id: 'bank' })
      expect(header(response, 'location')).toMatch(`${RETURN}?`)
      expect(landed(response)).toMatchObject({ error: 'invalid_request', state: 's', iss: ISSUER })
      expect(made.events.at(-1)).toMatchObject({ rule: clause('5.3.2.2-3') })
    }
  })

  it('§5.3.2.1-3: an assertion without a client, which nobody authenticated', async () => {
    const issuer = ecKey('sts')
    const assertionIssuers = async () => [
      { issuer: 'https://sts.example', clientless: true, jwks: { keys: [issuer.publicJwk] } },
    ]
    const made = bankLab({}, { profile: 'fapi2', assertionIssuers: assertionIssuers as never })
    const iat = Math.floor(made.clock.now / 1000)
    const claims = { iss: 'https://sts.example', sub: 'alice', aud: ISSUER, iat, exp: iat + 60 }
    const form = {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: makeJwt(issuer, { kid: 'sts' }, claims),
    }
    expect(json(await made.token(form, [])).error).toBe('invalid_client')
  })

  it('§5.3.2.1-11: a code after 60 seconds', async () => {
    for (const [age, status] of [
      [59_999, 200],
      [60_000, 400],
    ] as const) {
      const made = world()
      const code = await made.code()
      expect(made.events.find(({ type }) => type === 'code.issued')).toMatchObject({ expires_in: 60 })
      made.clock.now += age
      expect((await made.redeem(code, [await made.proof()])).status).toBe(status)
    }
  })

  it.each([
    ['iat', 10, 201],
    ['nbf', 10, 201],
    ['iat', 60, 400],
    ['iat', 61, 400],
    ['nbf', 61, 400],
  ] as const)('§5.3.2.1-13: an assertion whose %s is %i s ahead: %i', async (name, ahead, status) => {
    const made = world()
    const at = Math.floor(made.clock.now / 1000) + ahead
    const claims = { [name]: at, exp: at + 60 }
    expect((await made.push({}, [], { claims })).status).toBe(status)
  })

  it.each([
    [10_000, 201],
    [61_000, 400],
  ])('§5.3.2.1-13: a proof that is %i ms ahead: %i', async (ahead, status) => {
    const made = world()
    expect((await made.push({}, [await made.proof('/par', key, -ahead)])).status).toBe(status)
  })

  it('§5.4.1-1: an assertion that a shared secret signs, or nothing', async () => {
    const made = world({ client_secret: SECRET })
    const iat = Math.floor(made.clock.now / 1000)
    const claims = { iss: 'bank', sub: 'bank', aud: ISSUER, iat, exp: iat + 60 }
    for (const assertion of [
      makeHmacJwt(SECRET, { kid: 'bank' }, claims),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`,
    ]) {
      const form = { ...made.request(), ...made.assertion(), client_assertion: assertion }
      expect(json(await made.post('/par', form)).error).toBe('invalid_client')
    }
  })
})

describe('FAPI 2.0 allows', () => {
  it('the code flow: pushed, bound, answered by 303 with iss, no rotation', async () => {
    const server = world()
    const pushed = await server.push({}, [await server.proof('/par')])
    expect([pushed.status, json(pushed).expires_in]).toEqual([201, 90])
    const back = await server.login({ client_id: 'bank', request_uri: String(json(pushed).request_uri) })
    expect([back.status, landed(back)]).toMatchObject([303, { state: 's', iss: ISSUER }])
    const { code = '' } = landed(back)
    const foreign = await server.redeem(code, [await server.proof('/token', otherKey)])
    expect(json(foreign).error).toBe('invalid_grant')
    const first = json(await server.redeem(code, [await server.proof()]))
    expect(first).toMatchObject({ token_type: 'DPoP', refresh_token: expect.any(String) })
    expect(claimsOf(first.access_token).cnf).toEqual({ jkt: key.jkt })
    for (const token of [first.access_token, first.id_token]) expect(algOf(token)).toBe('PS256')
    const next = json(await server.refresh(first.refresh_token, [await server.proof()]))
    expect(next).toMatchObject({ token_type: 'DPoP', refresh_token: first.refresh_token })
    const used = await server.redeem(code, [await server.proof()])
    expect(json(used).error).toBe('invalid_grant')
  })

  it.each([
    ['PS256', pss],
    ['EdDSA', ed],
  ])('an assertion by %s', async (_alg, by) => {
    const made = world(signed(by))
    expect((await made.ask(credentials, [await made.proof()], { by })).status).toBe(200)
  })

  it('a loopback address of a native application, on any port', async () => {
    const made = world({ redirect_uris: ['http://127.0.0.1/cb'], application_type: 'native' })
    expect((await made.push({ redirect_uri: 'http://127.0.0.1:5555/cb' })).status).toBe(201)
  })

  it('other clients of a server where one client has the profile', async () => {
    const made = mixed()
    expect((await made.login(codeRequest())).status).toBe(302)
  })

  it('nothing less for a client with a milder profile', async () => {
    const made = bankLab({ profile: 'oauth21' }, { profile: 'fapi2' })
    expect(json(await made.push(NO_PKCE)).error).toBe('invalid_request')
    expect(made.events.at(-1)).toMatchObject({ rule: clause('5.3.2.2-5') })
  })
})

const algOf = (token: unknown) =>
  JSON.parse(Buffer.from(String(token).split('.')[0]!, 'base64url').toString()).alg

describe('the metadata of FAPI 2.0', () => {
  it('list what the server accepts, and nothing else', async () => {
    const made = bankLab({}, { profile: 'fapi2', mtlsUrl: () => 'https://localhost:8449' })
    const metadata = json(await made.get('/.well-known/openid-configuration'))
    const algorithms = ['PS256', 'ES256', 'EdDSA', 'Ed25519']
    const methods = ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth']
    expect(metadata).toMatchObject({
      response_types_supported: ['code'],
      require_pushed_authorization_requests: true,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
      introspection_endpoint_auth_methods_supported: methods,
      tls_client_certificate_bound_access_tokens: true,
    })
    for (const [name, value] of Object.entries(metadata)) {
      if (name.endsWith('_signing_alg_values_supported')) {
        expect([...(value as string[])].sort()).toEqual([...algorithms].sort())
      }
    }
    const grants = metadata.grant_types_supported as string[]
    expect(grants).toContain('authorization_code')
    for (const name of ['password', 'implicit']) expect(grants).not.toContain(name)
  })

  it('stay as they are where one client has the profile', async () => {
    const metadata = json(await mixed().get('/.well-known/openid-configuration'))
    expect(metadata).toMatchObject({ require_pushed_authorization_requests: false })
    expect(metadata.response_types_supported).toContain('code id_token')
  })
})
