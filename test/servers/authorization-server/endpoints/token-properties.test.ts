import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MAX_EVENT_TEXT } from '../../../../src/protocol/events.js'
import { type Header, header } from '../../../../src/protocol/http/message.js'
import { byPassword } from '../../../../src/servers/authorization-server/logins/authentication.js'
import { createIssuedTokens } from '../../../../src/servers/authorization-server/stores/issued-tokens.js'
import { createRefreshTokens } from '../../../../src/servers/authorization-server/stores/refresh-tokens.js'
import { ecKey } from '../../../protocol/tokens/jwt-maker.js'
import { forAll } from '../../../support/for-all.js'
import { identityProvider } from '../assertions/saml-maker.js'
import { basic, client, countedRandom, entitlement, FORM, json, lab, SECRET } from '../support.js'

// For any input, the client endpoints answer JSON, never fail, and reveal nothing.

const urn = (name: string) => `urn:ietf:params:oauth:grant-type:${name}`
const grantTypes = [
  ...['authorization_code', 'refresh_token', 'password', 'client_credentials'],
  ...['jwt-bearer', 'saml2-bearer', 'token-exchange', 'device_code'].map(urn),
]
const idp = identityProvider('https://idp.example')
const issuer = {
  issuer: 'https://idp.example',
  jwks: { keys: [ecKey().publicJwk] },
  certificatePem: idp.certificatePem,
}
const world = () =>
  lab({
    clients: [
      client('demo', { client_secret: SECRET, grant_types: grantTypes }),
      client('public', { grant_types: grantTypes }),
    ],
    assertionIssuers: async () => [issuer],
    dpopNonceRequired: true,
  })

const names = [
  ...['grant_type', 'client_id', 'client_secret', 'client_password', 'client_assertion'],
  ...['client_assertion_type', 'resource', 'audience', 'device_code', 'token', 'token_type_hint'],
  ...['__proto__', 'constructor', 'toString'],
  ...['code', 'redirect_uri', 'code_verifier', 'refresh_token', 'username', 'password', 'assertion', 'scope'],
  ...['subject_token', 'subject_token_type', 'actor_token', 'actor_token_type', 'requested_token_type'],
]
const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwtLike = fc
  .tuple(fc.jsonValue(), fc.jsonValue(), fc.string({ maxLength: 20 }))
  .map(([head, claims, signature]) => `${b64(head)}.${b64(claims)}.${signature}`)
const value = fc.oneof(
  fc.constantFrom(
    ...['', 'demo', 'public', 'alice', 'nobody', '__proto__', 'records:read', '\0', '%', '\ud800', 'a"b'],
    'urn:ietf:params:oauth:token-type:access_token',
    'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    ...['https://api.example/', '/relative', 'A'.repeat(72), 'x'.repeat(9000)],
  ),
  jwtLike,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.base64String({ maxLength: 400 }),
)
const escaped = (part: string) => encodeURIComponent(part.toWellFormed())
const pair = fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), value)
const written = fc
  .array(pair, { maxLength: 10 })
  .map(pairs => pairs.map(each => each.map(escaped).join('=')).join('&'))
const raw = fc.uint8Array({ maxLength: 200 })
const proof = fc.oneof(
  fc.constant<Header[]>([]),
  jwtLike.map((each): Header[] => [['dpop', each]]),
)
const auth = fc.oneof(
  fc.constantFrom<Header[]>([], [basic('demo', SECRET)], [basic('demo', '')], [basic('public', '')]),
  fc.string({ maxLength: 40 }).map((each): Header[] => [['authorization', `Basic ${each}`]]),
  fc.string({ maxLength: 40 }).map((each): Header[] => [['authorization', each]]),
)
const type = fc.constantFrom<Header[]>([FORM], [FORM], [FORM], [], [['content-type', 'application/json']])

it('/token refuses every grant of noise in JSON', async () => {
  const { send, events } = world()
  const started = fc
    .tuple(fc.constantFrom(...grantTypes), written)
    .map(([grant, rest]) => `grant_type=${escaped(grant)}&${rest}`)
  await fc.assert(
    fc.asyncProperty(auth, type, proof, fc.oneof(started, started, raw), async (own, typed, proofs, body) => {
      const response = await send('POST', '/token', [...typed, ...own, ...proofs], body)
      // client_credentials succeeds with the secret alone.
      if (response.status === 200) {
        expect(events.at(-1)).toMatchObject({ type: 'token.issued', grant_type: 'client_credentials' })
        return
      }
      expect([400, 401, 413]).toContain(response.status)
      expect(header(response, 'content-type')).toBe('application/json;charset=UTF-8')
      expect(header(response, 'cache-control')).toBe('no-store')
      expect(json(response).error).toMatch(
        /^(invalid|unsupported|unauthorized|use_dpop|authorization_pending|expired)_?/,
      )
      expect(json(response).error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
    }),
    { numRuns: 1500 },
  )
  expect(
    events.every(event => Object.values(event).every(each => String(each).length <= MAX_EVENT_TEXT)),
  ).toBe(true)
})

it.each(['/revocation', '/introspection'])('%s answers JSON, and treats no noise as a token', async path => {
  const { send } = world()
  const started = written.map(rest => `token=x&${rest}`)
  await fc.assert(
    fc.asyncProperty(auth, type, fc.oneof(written, started, raw), async (own, typed, body) => {
      const response = await send('POST', path, [...typed, ...own], body)
      expect([200, 400, 401, 413]).toContain(response.status)
      expect(header(response, 'cache-control')).toBe('no-store')
      if (response.status !== 200) expect(json(response).error).toMatch(/^invalid_/)
      else if (path === '/introspection') expect(json(response)).toEqual({ active: false })
      else expect(json(response)).toEqual({})
    }),
    { numRuns: 700 },
  )
})

it('/userinfo never fails for any proof', async () => {
  const { get, accessToken } = lab()
  const token = await accessToken({ scope: 'openid' })
  await forAll(fc.oneof(jwtLike, fc.string()), fc.boolean(), async (each, good) => {
    const presented = good ? token : each
    const response = await get('/userinfo', [
      ['authorization', `DPoP ${presented}`],
      ['dpop', each],
    ])
    expect([400, 401]).toContain(response.status)
  })
})

it('only the latest refresh token of a line is valid, in any order of uses', () =>
  forAll(fc.array(fc.nat({ max: 20 }), { maxLength: 30 }), uses => {
    const issued = createIssuedTokens({ lifetime: 1000, now: () => 0, random: countedRandom() })
    const store = createRefreshTokens({ lifetime: 1000, now: () => 0, random: countedRandom() })
    const family = issued.family('demo')
    const entitled = entitlement(family)
    const line = [store.issueFor(entitled, byPassword(0)) ?? '']
    for (const use of uses) {
      const at = use % line.length
      const latest = at === line.length - 1
      expect(store.find(line[at]!)?.state).toBe(latest ? 'valid' : 'rotated')
      if (latest) line.push(store.rotate(line[at]!, entitled))
    }
    expect(new Set(line).size).toBe(line.length)
    issued.revokeFamily(family)
    expect(line.map(each => store.find(each)?.state)).toEqual(line.map(() => 'revoked'))
  }))
