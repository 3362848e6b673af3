import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Finding } from '../../../../src/judge/doctor/finding.js'
import type { ServerUnderTest } from '../../../../src/judge/doctor/server-under-test.js'
import { header, jsonResponse, text } from '../../../../src/protocol/http/message.js'
import { loadClientKey } from '../../../../src/protocol/tokens/client-assertion.js'
import { generateDpopKey } from '../../../../src/protocol/tokens/dpop.js'
import { demo, ISSUER, NOW, REDIRECT_URI, type Tamper, world } from '../../../flows/support/world.js'
import { at, broken } from '../../../judge/doctor/lab.js'
import { names, report } from '../../../judge/doctor/support.js'
import { tamperPorts } from '../../../judge/tamper/support.js'

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = loadClientKey(String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })))
const dpop = await generateDpopKey()

const { client_secret: _, ...registered } = demo
const signer = {
  ...registered,
  client_id: 'signer',
  grant_types: [...demo.grant_types, 'client_credentials'],
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [{ ...pair.publicKey.export({ format: 'jwk' }), alg: 'ES256' }] },
  strict_assertion_audience: true,
  dpop_bound_access_tokens: true,
  require_pushed_authorization_requests: true,
  refresh_token_rotation: 'off',
} as const

/** The findings about the server of this project, as a client that signs, pushes, and binds its tokens to a key. */
async function examined(tamper?: Tamper, more: { readonly objects?: true } = {}): Promise<Finding[]> {
  let now = NOW
  const client = more.objects ? { ...signer, require_signed_request_object: true } : signer
  const here = await world({ client, now: () => now, ...(tamper && { tamper }) })
  const server: ServerUnderTest = {
    issuer: ISSUER,
    client: { clientId: 'signer', auth: 'none' },
    equip: async () => ({
      options: {
        auth: 'none',
        push: true,
        authorizationParameters: [['dpop_jkt', dpop.jkt]],
        ...(more.objects && { requestObject: { kind: 'signed', key } }),
      },
      extras: { clientId: 'signer', key, dpop },
    }),
    boundClient: true,
    redirectUri: REDIRECT_URI,
    credentials: { username: 'alice', password: 'wonderland' },
    secondUser: 'bob',
    responseTypes: ['code'],
    lifetimes: { code: 600_000, accessToken: 3_600_000, refreshToken: 86_400_000 },
    advance: ms => {
      now += ms
    },
  }
  // A counter would repeat the names of assertions, which the server then takes for replays.
  return report({ ...tamperPorts(here), now: () => now, random: randomBytes }, server)
}

it('examines this project’s own server as a client with keys, and finds nothing', async () => {
  const found = await examined()
  expect(broken(found)).toEqual([])
  expect(names(found, 'pass')).toEqual(
    expect.arrayContaining([
      ...['honest-flow', 'state-intact', 'reflected-parameters', 'essential-acr', 'max-age-honoured'],
      ...['altered-client-assertion', 'replayed-client-assertion', 'other-issuer-client-assertion'],
      ...[
        'endpoint-client-assertion',
        'listed-client-assertion',
        'other-kind-client-assertion',
        'no-credentials',
      ],
      // Its proofs are made after the clock was set, so that nothing else has expired.
      ...['expired-code', 'expired-refresh-token'],
      ...['par-pushed', 'par-reuse', 'par-no-credentials', 'par-wrong-secret', 'guessed-request-uri'],
      ...['altered-request-object', 'foreign-request-object', 'unsigned-request-object'],
      ...['dpop-bound', 'no-proof', 'no-proof-for-bound-client', 'bound-token-as-bearer'],
      ...['introspection-active', 'introspection-wrong-secret', 'revocation-works', 'userinfo-takes-token'],
    ]),
  )
  // No other client is known, and no issuer of assertions.
  expect(names(found, 'not_tried')).toEqual([
    ...['session-asks', 'no-challenge', 'other-client-code', 'other-client-refresh-token'],
    ...['expired-assertion', 'other-audience-assertion', 'unknown-issuer-assertion'],
    ...['other-client-assertion', 'other-kind-assertion', 'altered-assertion'],
    ...['unsigned-assertion', 'replayed-assertion'],
    ...['other-client-request-uri', 'refresh-with-other-key', 'introspection-public-client'],
    'revocation-other-client',
  ])
})

it('sends request objects in all its checks, where the client must', async () => {
  const found = await examined(undefined, { objects: true })
  expect(broken(found)).toEqual([])
  expect(names(found, 'pass')).toEqual(
    expect.arrayContaining([
      ...['honest-flow', 'state-intact', 'response-types-answered', 'form-post-no-store', 'essential-acr'],
      ...['par-pushed', 'par-lifetime', 'par-unguessable', 'par-reuse', 'par-unregistered-redirect-uri'],
      ...['unregistered-redirect-uri', 'unsigned-request-object', 'contradicted-request-object'],
    ]),
  )
})

const pairs = (request: Parameters<Tamper>[0]) => new URLSearchParams(text(request.body))

const weak: readonly (readonly [name: string, tamper: Tamper, faults: readonly string[]])[] = [
  [
    'that pushes for everybody',
    at('/par', (_request, answer) =>
      /invalid_client/.test(text(answer.body))
        ? jsonResponse(201, { request_uri: `urn:${'x'.repeat(43)}`, expires_in: 90 })
        : undefined,
    ),
    ['par-no-credentials', 'par-wrong-secret'],
  ],
  [
    'that issues bearer tokens to a client that is registered for bound ones',
    at('/token', (request, answer) =>
      answer.status === 400 && header(request, 'dpop') === undefined && pairs(request).has('code')
        ? jsonResponse(200, { access_token: 'x'.repeat(43), token_type: 'Bearer' })
        : undefined,
    ),
    ['no-proof', 'no-proof-for-bound-client'],
  ],
]

it.each(weak)('finds a server %s', async (_name, tamper, faults) => {
  const found = await examined(tamper)
  expect(broken(found)).toEqual(faults)
  expect(names(found, 'fault')).toEqual(faults)
})
