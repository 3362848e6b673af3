import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '../../../src/commands/flow/flow-output.js'
import { type Flow, type FlowName, flows } from '../../../src/flows/flows.js'
import { type ClientExtras, clientMiddleware } from '../../../src/flows/middleware/client-middleware.js'
import type { FlowOptions } from '../../../src/flows/options.js'
import type { FlowRecord } from '../../../src/flows/step.js'
import { whyNotHere } from '../../../src/judge/tamper/moves.js'
import { tamperedPlan } from '../../../src/judge/tamper/plan.js'
import { shapeOf } from '../../../src/judge/tamper/shape.js'
import type { Situation } from '../../../src/judge/tamper/situation.js'
import { tamperedFlow } from '../../../src/judge/tamper/tampered-flow.js'
import { jsonResponse, redirectResponse } from '../../../src/protocol/http/message.js'
import { isJwtMode } from '../../../src/protocol/oauth/authorization-request.js'
import { isBreach } from '../../../src/protocol/oauth/check.js'
import type { Client } from '../../../src/protocol/oauth/client.js'
import { loadClientKey } from '../../../src/protocol/tokens/client-assertion.js'
import { generateDpopKey } from '../../../src/protocol/tokens/dpop.js'
import { assertionIssuers, everything, sources } from '../../flows/support/everything.js'
import { expectNumbers } from '../../flows/support/step-numbers.js'
import {
  collect,
  NOW,
  outcomeIn,
  REDIRECT_URI,
  RESOURCE,
  stepsOf,
  type Tamper,
  world,
} from '../../flows/support/world.js'
import { move } from './named-move.js'
import { situationOf, tamperPorts } from './support.js'

const { client_secret: _, ...bare } = everything
const spa: Client = { ...bare, client_id: 'spa' }
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = loadClientKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
const signer: Client = { ...bare, jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }) }] } }
const dpop = await generateDpopKey()

interface Run {
  readonly client?: Client
  readonly scope?: string
  readonly tamper?: Tamper
  readonly wanted?: Partial<FlowOptions>
  readonly extras?: Omit<ClientExtras, 'clientId'>
  readonly situation?: { readonly [Name in keyof Situation]?: Situation[Name] | undefined }
  readonly dpopNonceRequired?: true
}

/** Runs a flow with a wrong move in it, and holds its steps against its plan. */
async function run(name: FlowName, wrong: string, options: Run = {}): Promise<FlowRecord[]> {
  const { extras = {}, client = everything, scope, tamper } = options
  let now = NOW
  const here = await world({
    client,
    otherClients: [spa],
    assertionIssuers,
    now: () => now,
    dpopNonceRequired: options.dpopNonceRequired === true,
    ...(scope !== undefined && { scope }),
    ...(tamper && { tamper }),
    wanted: { resource: `${RESOURCE}/resource`, assertion: sources.jwt, ...options.wanted },
  })
  const { wanted, ports } = here
  const flow: Flow = flows[name]
  const spaIdentity = { clientId: 'spa', auth: 'none' } as const
  const situation = situationOf(wanted, {
    flow: shapeOf(name, wanted),
    other: spaIdentity,
    publicClient: spaIdentity,
    ...(extras.key && { client: { clientId: wanted.clientId, auth: 'none', proof: 'key' }, key: extras.key }),
    issuer: wanted.metadata.issuer,
    bound: extras.dpop !== undefined,
    ...(extras.dpop && { dpop: extras.dpop }),
    boundClient: client.dpop_bound_access_tokens === true,
    now: () => now,
    pushed: wanted.push === true,
    mac: wanted.tokenType === 'mac',
    responseJwt: isJwtMode(wanted.responseMode),
    knownScopes: ['openid', 'profile', 'records:read'],
    presentAt: wanted.resource ?? '',
    resourceServer: true,
    lifetimes: { code: 600_000, accessToken: 3_600_000, refreshToken: 86_400_000 },
    advance: ms => {
      now += ms
    },
    ...options.situation,
  } as Partial<Situation>)
  expect(whyNotHere(move(wrong), situation)).toBeUndefined()
  const { layers } = clientMiddleware(wanted.metadata, { clientId: wanted.clientId, ...extras }, ports)
  const records = await collect(
    tamperedFlow({ ...tamperPorts(here), layers: { client: layers } }, wanted, move(wrong), situation, {
      plan: flow.plan,
      run: (tampered, changed) => flow.run({ ...ports, ...tampered }, changed),
    }),
  )
  const plan = tamperedPlan(flow.plan(wanted), move(wrong), situation)
  expectNumbers(records, plan)
  return records
}

const mac: Run = { wanted: { tokenType: 'mac' } }
const par: Run = { wanted: { push: true } }
const parOnly: Run = {
  ...par,
  client: { ...everything, require_pushed_authorization_requests: true },
  situation: { pushRequired: true },
}
const bound: Run = { extras: { dpop }, wanted: { authorizationParameters: [['dpop_jkt', dpop.jkt]] } }
const boundClient: Run = { ...bound, client: { ...everything, dpop_bound_access_tokens: true } }
const nonced: Run = { ...bound, dpopNonceRequired: true }
const boundSpa: Run = { ...bound, wanted: { ...bound.wanted, clientId: 'spa', auth: 'none' } }
const signed: Run = { client: signer, extras: { key }, wanted: { auth: 'none' } }
const strict: Run = { ...signed, client: { ...signer, strict_assertion_audience: true } }
const openid: Run = { scope: 'openid' }
const hybridClient: Client = { ...everything, response_types: ['code id_token', 'code id_token token'] }
const hybrid: Run = { ...openid, client: hybridClient }
const parOnlyHybrid: Run = {
  ...parOnly,
  ...openid,
  client: { ...hybridClient, require_pushed_authorization_requests: true },
}
const hybridToken: Run = { ...hybrid, wanted: { responseType: 'code id_token token' } }
const essential = { id_token: { acr: { essential: true, value: 'urn:oauth-lab:acr:mfa' } } }
const strong: Run = { wanted: { claims: essential }, situation: { essentialAcr: true } }
const jwt: Run = { wanted: { responseMode: 'jwt' } }
const jwtPost: Run = { wanted: { responseMode: 'form_post.jwt' } }
const jwtHybrid: Run = { ...hybrid, wanted: { responseMode: 'jwt' } }
const posted: Run = { ...hybrid, wanted: { responseMode: 'form_post' } }

it.each<[FlowName, wrong: string, error: string, last: string, how?: Run]>([
  ['implicit', 'unknown-client', 'unauthorized_client', 'login_form'],
  ['implicit', 'change-state', 'state_mismatch', 'authorization_response'],
  ['implicit', 'altered-answer-token', 'invalid_token', 'keys_request'],
  ['implicit', 'scope-escalation', 'invalid_scope', 'authorization_response'],
  ['implicit', 'alg-none', 'invalid_token', 'resource_request'],
  ['implicit', 'unsigned-id-token', 'invalid_token', 'keys_request', openid],
  ['implicit', 'hmac-id-token', 'invalid_token', 'keys_request', openid],
  ['implicit', 'unannounced-id-token', 'invalid_token', 'keys_request', openid],
  ['implicit', 'other-login-id-token', 'invalid_token', 'keys_request', openid],
  ['implicit', 'no-nonce', 'invalid_request', 'authorization_response', openid],
  ['hybrid', 'injected-code', 'invalid_token', 'id_token_verification', hybrid],
  ['code', 'dropped-login-demand', 'invalid_token', 'keys_request', { ...openid, ...strong }],
  ['resource', 'dropped-login-demand', 'invalid_token', 'keys_request', { ...openid, ...strong }],
  ['hybrid', 'dropped-login-demand', 'invalid_token', 'id_token_verification', { ...hybrid, ...strong }],
  ['hybrid', 'injected-code', 'invalid_token', 'id_token_verification', posted],
  ['hybrid', 'altered-answer-token', 'invalid_token', 'id_token_verification', hybridToken],
  ['hybrid', 'unsigned-id-token', 'invalid_token', 'id_token_verification', hybrid],
  ['hybrid', 'hmac-id-token', 'invalid_token', 'id_token_verification', hybrid],
  ['hybrid', 'hmac-id-token', 'invalid_token', 'id_token_verification', posted],
  ['hybrid', 'unannounced-id-token', 'invalid_token', 'id_token_verification', hybrid],
  ['hybrid', 'other-login-id-token', 'invalid_token', 'id_token_verification', hybrid],
  ['hybrid', 'no-nonce', 'invalid_request', 'authorization_response', hybrid],
  ['hybrid', 'change-state', 'state_mismatch', 'authorization_response', posted],
  ['hybrid', 'reuse-code', 'invalid_grant', 'token_request', hybrid],
  ['code', 'other-issuer-response', 'issuer_mismatch', 'response_verification', jwt],
  ['code', 'other-audience-response', 'invalid_response', 'response_verification', jwt],
  ['code', 'expired-response', 'invalid_response', 'response_verification', jwt],
  ['code', 'unsigned-response', 'invalid_response', 'response_verification', jwt],
  ['code', 'hmac-response', 'invalid_response', 'response_verification', jwt],
  ['code', 'foreign-key-response', 'invalid_response', 'response_verification', jwt],
  ['code', 'altered-response', 'invalid_response', 'response_verification', jwt],
  ['code', 'plain-response', 'invalid_response', 'authorization_response', jwt],
  ['code', 'altered-response', 'invalid_response', 'response_verification', jwtPost],
  ['code', 'plain-response', 'invalid_response', 'authorization_response', jwtPost],
  ['hybrid', 'foreign-key-response', 'invalid_response', 'response_verification', jwtHybrid],
  ['hybrid', 'plain-response', 'invalid_response', 'authorization_response', jwtHybrid],
  ['implicit', 'unsigned-response', 'invalid_response', 'response_verification', jwt],
  ['code', 'scope-escalation', 'invalid_scope', 'authorization_response', jwt],
  ['code', 'reuse-code', 'invalid_grant', 'token_request', jwt],
  ['resource', 'reuse-code', 'invalid_grant', 'token_request'],
  ['resource', 'no-token', 'http_401', 'resource_request'],
  ['resource', 'hmac-with-public-key', 'invalid_token', 'resource_request'],
  ['resource', 'expired-token', 'invalid_token', 'resource_request'],
  ['resource', 'replayed-mac', 'nonce: it was used before', 'resource_request', mac],
  ['resource', 'altered-mac', 'mac: another value', 'resource_request', mac],
  ['resource', 'mac-of-another-path', 'mac: another value', 'resource_request', mac],
  ['resource', 'mac-without-body', 'bodyhash: the body is not covered', 'resource_request', mac],
  ['password', 'wrong-password', 'invalid_grant', 'token_request'],
  ['password', 'missing-password', 'invalid_request', 'token_request'],
  ['password', 'unknown-scope', 'invalid_scope', 'token_request'],
  ['password', 'expired-token', 'invalid_token', 'resource_request'],
  ['client-credentials', 'public-client', 'unauthorized_client', 'token_request'],
  ['client-credentials', 'unknown-scope', 'invalid_scope', 'token_request'],
  ['client-credentials', 'no-credentials', 'invalid_client', 'token_request'],
  ['refresh', 'reuse-code', 'invalid_grant', 'token_request'],
  ['refresh', 'reuse-refresh-token', 'invalid_grant', 'refresh_request'],
  ['refresh', 'guessed-refresh-token', 'invalid_grant', 'refresh_request'],
  ['refresh', 'other-client-refresh-token', 'invalid_grant', 'refresh_request'],
  ['refresh', 'widened-scope', 'invalid_scope', 'refresh_request', { scope: 'records:read' }],
  ['refresh', 'expired-refresh-token', 'invalid_grant', 'refresh_request'],
  ['refresh', 'unknown-grant-type', 'unsupported_grant_type', 'refresh_request'],
  ['assertion', 'expired-assertion', 'invalid_grant', 'token_request'],
  ['assertion', 'other-audience-assertion', 'invalid_grant', 'token_request'],
  ['assertion', 'unknown-issuer-assertion', 'invalid_grant', 'token_request'],
  ['assertion', 'other-client-assertion', 'invalid_grant', 'token_request'],
  ['assertion', 'other-kind-assertion', 'invalid_grant', 'token_request'],
  ['assertion', 'altered-assertion', 'invalid_grant', 'token_request'],
  ['assertion', 'unsigned-assertion', 'invalid_grant', 'token_request'],
  ['assertion', 'replayed-assertion', 'invalid_grant', 'token_request'],
  ['device', 'guessed-device-code', 'invalid_grant', 'poll_request'],
  ['device', 'other-client-device-code', 'invalid_grant', 'poll_request'],
  ['device', 'reuse-device-code', 'invalid_grant', 'token_request'],
  ['device', 'expired-device-code', 'expired_token', 'poll_request'],
  ['token-exchange', 'altered-subject-token', 'invalid_request', 'exchange_request'],
  ['token-exchange', 'unsigned-subject-token', 'invalid_request', 'exchange_request'],
  ['token-exchange', 'foreign-subject-token', 'invalid_request', 'exchange_request'],
  ['token-exchange', 'expired-subject-token', 'invalid_request', 'exchange_request'],
  ['token-exchange', 'widened-scope', 'invalid_scope', 'exchange_request', { scope: 'records:read' }],
  ['code', 'unregistered-redirect-uri', 'invalid_request', 'pushed_authorization_request', par],
  ['code', 'scope-escalation', 'invalid_scope', 'pushed_authorization_request', par],
  ['code', 'guessed-request-uri', 'invalid_request_uri', 'login_form', par],
  ['code', 'other-client-request-uri', 'invalid_request_uri', 'login_form', par],
  ['code', 'reused-request-uri', 'invalid_request_uri', 'login_form', par],
  ['code', 'expired-request-uri', 'invalid_request_uri', 'login_form', par],
  ['code', 'unpushed-request', 'invalid_request', 'authorization_response', parOnly],
  ['hybrid', 'unpushed-request', 'invalid_request', 'authorization_response', parOnlyHybrid],
  ['code', 'change-state', 'state_mismatch', 'authorization_response', par],
  ['code', 'reuse-code', 'invalid_grant', 'token_request', par],
  ['code', 'no-proof', 'invalid_grant', 'token_request', bound],
  ['code', 'reuse-code', 'invalid_grant', 'token_request', bound],
  ['refresh', 'refresh-with-other-key', 'invalid_grant', 'refresh_request', boundSpa],
  ['code', 'misdirected-proof', 'invalid_dpop_proof', 'token_request', bound],
  ['code', 'no-proof-for-bound-client', 'invalid_dpop_proof', 'token_request', boundClient],
  ['client-credentials', 'no-proof-for-bound-client', 'invalid_dpop_proof', 'token_request', boundClient],
  ['code', 'other-method-proof', 'invalid_dpop_proof', 'token_request', bound],
  ['refresh', 'other-method-proof', 'invalid_dpop_proof', 'refresh_request', bound],
  ['code', 'stale-proof', 'invalid_dpop_proof', 'token_request', bound],
  ['code', 'other-key-proof', 'invalid_grant', 'token_request', bound],
  ['code', 'no-nonce-proof', 'use_dpop_nonce', 'token_request', nonced],
  ['code', 'foreign-nonce-proof', 'use_dpop_nonce', 'token_request', nonced],
  ['code', 'other-method-proof', 'invalid_dpop_proof', 'token_request', nonced],
  ['client-credentials', 'replayed-token-proof', 'invalid_dpop_proof', 'token_request', bound],
  ['password', 'replayed-token-proof', 'invalid_dpop_proof', 'token_request', bound],
  ['code', 'proof-for-another-token', 'invalid_dpop_proof', 'resource_request', bound],
  ['code', 'bound-token-as-bearer', 'invalid_token', 'resource_request', bound],
  ['code', 'replayed-proof', 'invalid_dpop_proof', 'resource_request', bound],
  ['code', 'altered-client-assertion', 'invalid_client', 'token_request', signed],
  ['code', 'replayed-client-assertion', 'invalid_client', 'token_request', signed],
  ['code', 'other-issuer-client-assertion', 'invalid_client', 'token_request', signed],
  ['code', 'other-kind-client-assertion', 'invalid_client', 'token_request', signed],
  ['code', 'endpoint-client-assertion', 'invalid_client', 'token_request', strict],
  ['code', 'listed-client-assertion', 'invalid_client', 'token_request', strict],
  ['code', 'id-token-as-access-token', 'invalid_token', 'resource_request', openid],
])(
  'every wrong move of other flows is refused as expected: flow %s, %s: %s',
  async (name, wrong, error, last, how) => {
    const records = await run(name, wrong, how)
    expect(outcomeIn(records)).toMatchObject({
      outcome: 'refused',
      expected: true,
      error: { error, rule: move(wrong).rule },
      tamper: { move: wrong },
    })
    const [refused] = stepsOf(records).slice(-1)
    expect(refused?.name).toBe(last)
    expect(refused?.checks?.at(-1)).toMatchObject({ name: 'tamper', ok: true })
  },
)

it.each(['reused-request-uri', 'expired-request-uri'])(
  'a request_uri that is good for ever is a fault: %s',
  async wrong => {
    const tamper: Tamper = ({ url }, { status }) =>
      status === 400 && url.includes('request_uri=') ? redirectResponse(`${REDIRECT_URI}?code=x`) : undefined
    const outcome = outcomeIn(await run('code', wrong, { ...par, tamper }))
    expect(outcome).toMatchObject({ outcome: 'granted', expected: false, tamper: { found: 'a code' } })
  },
)

it.each<[wrong: string, why: string, how: Run]>([
  ['no-nonce-proof', 'the server asks for no nonce', bound],
  ['foreign-nonce-proof', 'the server asks for no nonce', bound],
  ['stale-proof', 'says how old a proof is', nonced],
  ['other-method-proof', 'the key of the client is not known', { ...bound, situation: { dpop: undefined } }],
])('a proof that cannot be wrong in this point: %s is not made: %s', async (wrong, why, how) => {
  const outcome = outcomeIn(await run('code', wrong, how))
  expect(outcome).toMatchObject({ outcome: 'failed', expected: false, error: { error: 'not_here' } })
  expect(outcome.error?.error_description).toContain(why)
})

it.each(['endpoint-client-assertion', 'listed-client-assertion'])(
  'an assertion for the token endpoint: %s harms nobody where the server is not strict',
  async wrong => {
    const outcome = outcomeIn(await run('code', wrong, signed))
    expect(outcome).toMatchObject({ outcome: 'granted', expected: false })
    expect(outcome.tamper?.harmless).toContain('FAPI 2.0')
  },
)

it.each([
  ['profile', true],
  ['openid', false],
])(
  'an answer without iss is a wrong move where no id_token names the issuer: scope %s',
  async (scope, made) => {
    if (made) {
      const outcome = outcomeIn(await run('implicit', 'drop-iss', { scope }))
      expect(outcome).toMatchObject({ expected: true, error: { error: 'issuer_mismatch' } })
    }
    const situation = { flow: shapeOf('implicit', { scope }), issPromised: true }
    const { wanted } = await world({ client: everything })
    const why = whyNotHere(move('drop-iss'), situationOf(wanted, situation))
    expect(why).toEqual(made ? undefined : expect.stringContaining('RFC 9207 §4'))
  },
)

describe('a refresh token that is used a second time', () => {
  /** Answers every refresh with the first refresh token. */
  const unrotated = (): Tamper => {
    let first: Record<string, unknown> | undefined
    return (request, answer) => {
      if (!request.url.endsWith('/token')) return undefined
      const members = JSON.parse(Buffer.from(answer.body).toString()) as Record<string, unknown>
      if (first === undefined) {
        first = members
        return undefined
      }
      return jsonResponse(200, first)
    }
  }

  /** Takes refresh tokens that were used before. */
  const reused: Tamper = (request, answer) =>
    request.url.endsWith('/token') && answer.status === 400
      ? jsonResponse(200, { access_token: 'again', token_type: 'Bearer' })
      : undefined

  it.each([
    ['a public client', { clientId: 'spa', auth: 'none' as const }, false],
    ['a confidential client', {}, true],
  ])('is judged where the old one is taken beside the new one: %s', async (_who, wanted, ok) => {
    const records = await run('refresh', 'reuse-refresh-token', { tamper: reused, wanted })
    const outcome = outcomeIn(records)
    expect(outcome).toMatchObject({ outcome: 'granted', expected: false })
    expect(outcome.tamper?.harmless).toEqual(ok ? expect.stringContaining('a thief is stopped') : undefined)
    expect(exitCodeOf(outcome, { exitCode: () => undefined })).toBe(ok ? 0 : 1)
    const check = stepsOf(records).at(-1)?.checks?.at(-1)
    expect(check).toMatchObject({ name: 'tamper', ok: false })
    expect(check && isBreach(check)).toBe(!ok)
  })

  it.each([
    ['a public client', spa, {}, { outcome: 'granted', error: { error: 'not_refused' } }],
    ['a public client with a bound token', spa, { dpop }, { error: { error: 'not_here' } }],
    ['a confidential client', everything, {}, { error: { error: 'not_here' } }],
  ])('is judged where nothing rotates: %s', async (_who, client, extras, expected) => {
    const wanted = client === spa ? { clientId: 'spa', auth: 'none' as const } : {}
    const records = await run('refresh', 'reuse-refresh-token', {
      client: everything,
      tamper: unrotated(),
      wanted,
      extras,
    })
    expect(outcomeIn(records)).toMatchObject({ expected: false, ...expected })
  })
})
