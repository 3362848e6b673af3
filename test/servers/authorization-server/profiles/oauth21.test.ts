import { describe, expect, it } from 'vitest'
import { type HttpResponse, header } from '../../../../src/protocol/http/message.js'
import type { Client } from '../../../../src/protocol/oauth/client.js'
import { CHALLENGE, client, json, lab, landed, type Parameters, SECRET, settings } from '../support.js'

const clause = (number: string) => `draft-ietf-oauth-v2-1 §${number}`
const REDIRECT = 'http://127.0.0.1/callback'
const HYBRID = ['code id_token', 'code token', 'code id_token token']
const all = ['token', 'id_token', 'id_token token', 'code', ...HYBRID, 'none']

const old = (more: Partial<Client> = {}) =>
  client('old', {
    client_secret: SECRET,
    response_types: all,
    grant_types: ['authorization_code', 'implicit', 'password', 'refresh_token'],
    redirect_uris: [REDIRECT, 'http://localhost/callback'],
    ...more,
  })

/** Two servers: one has the profile, in the other one its client does. */
const worlds = (more: Partial<Client> = {}) => [
  lab({ profile: 'oauth21', clients: [old(more)] }),
  lab({ clients: [old({ profile: 'oauth21', ...more }), ...settings.clients] }),
]
type World = ReturnType<typeof lab>

const asked = (more: Parameters = {}): Parameters => ({
  client_id: 'old',
  redirect_uri: REDIRECT,
  scope: 'openid records:read',
  state: 's',
  nonce: 'n',
  response_type: 'code',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  ...more,
})

const errorOf = (response: HttpResponse) => {
  const { search, hash } = new URL(header(response, 'location')!)
  return new URLSearchParams(search === '' ? hash.slice(1) : search).get('error')
}

/** A request, its error where the whole server has the profile, and the clause. */
type Row = [clause: string, name: string, ask: (made: World) => Promise<string | null>, error: string]
const refused: readonly Row[] = [
  [
    '1.8',
    'the password grant',
    async made => {
      const form = { grant_type: 'password', username: 'alice', password: 'wonderland' }
      const auth = { client_id: 'old', client_secret: SECRET }
      return String(json(await made.token({ ...form, ...auth }, [])).error)
    },
    'unsupported_grant_type',
  ],
  ...all
    .filter(type => type.split(' ').includes('token'))
    .map(
      (type): Row => [
        '10.1',
        `response_type ${type}`,
        async made => errorOf(await made.authorize(asked({ response_type: type }))),
        'unsupported_response_type',
      ],
    ),
  [
    '4.1.1',
    'a confidential client without PKCE',
    async made =>
      errorOf(await made.authorize(asked({ code_challenge: undefined, code_challenge_method: undefined }))),
    'invalid_request',
  ],
]

describe('OAuth 2.1 refuses', () => {
  it.each(refused)('§%s: %s', async (number, _name, ask, error) => {
    for (const [i, made] of worlds().entries()) {
      // RFC 6749 §4.1.2.1, §5.2: the server supports what other clients may use.
      const isForAll = i === 0 || !error.startsWith('unsupported_')
      expect(await ask(made)).toBe(isForAll ? error : 'unauthorized_client')
      expect(made.events.at(-1)).toMatchObject({ rule: clause(number) })
    }
  })

  it('§2.3.1: localhost with another port, also for a native application', async () => {
    const redirect = asked({ redirect_uri: 'http://localhost:5555/callback' })
    for (const made of worlds({ application_type: 'native' })) {
      const response = await made.authorize(redirect)
      expect([response.status, header(response, 'location')]).toEqual([400, undefined])
    }
    const usual = lab({ clients: [old({ application_type: 'native' })] })
    expect((await usual.authorize(redirect)).status).toBe(200)
  })
})

describe('OAuth 2.1 allows', () => {
  it('the code flow, loopback literals on any port, and 302', async () => {
    for (const made of worlds()) {
      const response = await made.login(asked({ redirect_uri: 'http://127.0.0.1:5555/callback' }))
      expect([response.status, landed(response).code]).toEqual([302, expect.any(String)])
    }
  })

  it.each(['id_token', 'code id_token', 'none'])(
    'response_type %s, which has no access token',
    async type => {
      for (const made of worlds()) {
        expect((await made.authorize(asked({ response_type: type }))).status).toBe(200)
      }
    },
  )

  it('what its metadata list', async () => {
    const metadata = json(await worlds()[0]!.get('/.well-known/oauth-authorization-server'))
    expect(metadata.response_types_supported).toEqual(['code', 'id_token', 'code id_token', 'none'])
    for (const name of ['password', 'implicit']) expect(metadata.grant_types_supported).not.toContain(name)
    expect(metadata.require_pushed_authorization_requests).toBe(false)
  })
})
