import { describe, expect, it } from 'vitest'
import { codePlan } from '../../../src/flows/code.js'
import { expectation, moves, whyNotHere, whyNotIn } from '../../../src/judge/tamper/moves.js'
import { tamperedPlan } from '../../../src/judge/tamper/plan.js'
import { codeShape } from '../../../src/judge/tamper/shape.js'
import type { Situation } from '../../../src/judge/tamper/situation.js'
import { jsonResponse } from '../../../src/protocol/http/message.js'
import { expectNumbers } from '../../flows/support/step-numbers.js'
import { demo, NOW, outcomeIn, RESOURCE, stepsOf, type Tamper, world } from '../../flows/support/world.js'
import { move } from './named-move.js'
import { runTampered, situationOf } from './support.js'

const SCOPE = 'openid records:read'
const { client_secret: _, ...spa } = { ...demo, client_id: 'spa', require_pkce: true }

/** What was answered to every move: the error of the outcome, and the status of the step that shows it. */
const answers: Readonly<Record<string, readonly [error: string, status: number | undefined]>> = {
  'unknown-client': ['unauthorized_client', 400],
  'repeated-parameter': ['invalid_request', 400],
  'unknown-response-type': ['unsupported_response_type', 400],
  'unregistered-response-type': ['unauthorized_client', undefined],
  'scope-escalation': ['invalid_scope', undefined],
  'plain-challenge': ['invalid_request', undefined],
  'downgrade-pkce': ['invalid_grant', 400],
  'unregistered-redirect-uri': ['invalid_request', 400],
  'redirect-uri-user-info': ['invalid_request', 400],
  'redirect-uri-look-alike': ['invalid_request', 400],
  'redirect-uri-path': ['invalid_request', 400],
  'redirect-uri-query': ['invalid_request', 400],
  'redirect-uri-fragment': ['invalid_request', 400],
  'redirect-uri-script': ['invalid_request', 400],
  'other-user-hint': ['login_required', undefined],
  'no-csrf-value': ['error_page', 403],
  'no-csrf-cookie': ['error_page', 403],
  'drop-state': ['state_mismatch', undefined],
  'change-state': ['state_mismatch', undefined],
  'wrong-iss': ['issuer_mismatch', undefined],
  'drop-iss': ['issuer_mismatch', undefined],
  'reuse-code': ['invalid_grant', 400],
  'guessed-code': ['invalid_grant', 400],
  'other-client-code': ['invalid_grant', 400],
  'wrong-redirect-uri': ['invalid_grant', 400],
  'missing-redirect-uri': ['invalid_grant', 400],
  'wrong-verifier': ['invalid_grant', 400],
  'missing-verifier': ['invalid_grant', 400],
  'both-credentials': ['invalid_request', 400],
  'no-credentials': ['invalid_client', 400],
  'wrong-secret': ['invalid_client', 401],
  'credentials-in-query': ['invalid_request', 400],
  'get-token-request': ['invalid_request', 405],
  'unknown-grant-type': ['unsupported_grant_type', 400],
  'repeated-code': ['invalid_request', 400],
  'no-token': ['http_401', 401],
  'altered-token': ['invalid_token', 401],
  'alg-none': ['invalid_token', 401],
  'hmac-with-public-key': ['invalid_token', 401],
  'foreign-key': ['invalid_token', 401],
  'embedded-key': ['invalid_token', 401],
  'id-token-as-access-token': ['invalid_token', 401],
  'token-in-query': ['http_401', 401],
}

/** A situation of the code flow in which nothing is missing but keys, pushed requests and a user's own browser. */
const clocked: Situation = {
  client: { clientId: 'demo', auth: 'client_secret_basic', clientSecret: 'x' },
  redirectUri: '',
  pkce: true,
  challengeMethods: ['S256'],
  issPromised: true,
  responseTypes: ['code'],
  other: { clientId: 'spa', auth: 'none' },
  credentials: { username: 'a', password: 'b' },
  secondUser: 'bob',
  presentAt: 'https://lab.test/userinfo',
  resourceServer: true,
  advance: () => {},
  lifetimes: { code: 1, accessToken: 1 },
}

describe('every wrong move', () => {
  it.each(Object.entries(answers))('%s is refused as expected', async (name, [error, status]) => {
    const here = await world({ scope: SCOPE, otherClients: [spa] })
    const records = await runTampered(here, name, { other: { clientId: 'spa', auth: 'none' } })
    const { rule } = move(name)
    const outcome = outcomeIn(records)
    expect(outcome).toMatchObject({ outcome: 'refused', expected: true, tamper: { move: name } })
    expect(outcome.error).toMatchObject({ error, rule })
    expect(outcome.tokens).toBeUndefined()
    const steps = stepsOf(records)
    const checks = steps.flatMap(step => (step.checks ?? []).filter(check => check.name === 'tamper'))
    expect(checks).toMatchObject([{ ok: true, rule }])
    const last = steps.at(-1)
    expect(last?.checks?.at(-1)).toBe(checks[0])
    if (status !== undefined) expect(last?.exchange?.response?.status).toBe(status)
  })

  it('is in this table, or tested below', () => {
    const below = ['expired-code', 'expired-token', 'other-audience']
    const inCode = moves.filter(each => whyNotHere(each, clocked) === undefined).map(({ name }) => name)
    expect([...Object.keys(answers), ...below].sort()).toEqual(inCode.sort())
  })

  it.each(moves)('$name says in words what it does, expects and rests on', each => {
    expect(each.name).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(each.rule).toMatch(
      /^(RFC \d+|JARM|MCP 2026-07-28 [A-Z]\w+|MCP Enterprise-Managed Authorization|OpenID Connect (Core|CIBA Core|RP-Initiated Logout|Back-Channel Logout)|draft-[a-z0-9-]+) §[\d.]+$/,
    )
    expect(expectation(each).length).toBeGreaterThan(2)
    expect([each.does, each.risk].filter(text => /\.$|^[A-Z]/.test(text))).toEqual([])
  })

  it('keeps to its plan', async () => {
    for (const { name } of moves.filter(each => whyNotIn(each, codeShape) === undefined)) {
      const here = await world({ scope: SCOPE })
      const plan = tamperedPlan(codePlan(here.wanted), move(name), situationOf(here.wanted))
      expectNumbers(await runTampered(here, name), plan, name)
    }
  })
})

describe('authorization details', () => {
  const detailTypes = ['payment_initiation']

  it.each(['unknown-details-type', 'unauthorized-details'])(
    '%s is refused, where types are announced',
    async name => {
      const here = await world({ detailTypes: { payment_initiation: {} } })
      const outcome = outcomeIn(await runTampered(here, name, { detailTypes }))
      expect(outcome).toMatchObject({ expected: true, error: { error: 'invalid_authorization_details' } })
      expect(whyNotHere(move(name), clocked)).toContain('RFC 9396 §10')
    },
  )

  it('of an unknown type are a fault where a code is issued for them', async () => {
    const here = await world({ detailTypes: { 'oauth-lab-no-such-type': {} } })
    const outcome = outcomeIn(await runTampered(here, 'unknown-details-type', { detailTypes }))
    expect(outcome).toMatchObject({ outcome: 'granted', expected: false })
  })
})

describe('a resource that nobody registered', () => {
  const knownResources = [RESOURCE]

  it('is refused with invalid_target, and is tried only where the server announces resources', async () => {
    const here = await world({ resources: [] })
    const outcome = outcomeIn(await runTampered(here, 'unknown-resource', { knownResources }))
    expect(outcome).toMatchObject({ expected: true, error: { error: 'invalid_target', rule: 'RFC 8707 §2' } })
    expect(whyNotHere(move('unknown-resource'), clocked)).toContain('RFC 9728 §4')
  })

  it('is a fault where a code is issued for it', async () => {
    const outcome = outcomeIn(await runTampered(await world(), 'unknown-resource', { knownResources }))
    expect(outcome).toMatchObject({ outcome: 'granted', expected: false })
  })
})

describe('a resource that the authorization request did not name', () => {
  const knownResources = [RESOURCE]
  const named = { authorizationParameters: [['resource', RESOURCE]] as const }

  it.each([
    ['no resource was named', {}],
    ['the client itself names it', named],
  ])('is refused with invalid_target: %s', async (_when, wanted) => {
    const here = await world({ resources: [], wanted })
    const outcome = outcomeIn(await runTampered(here, 'unauthorized-resource', { knownResources }))
    const error = { error: 'invalid_target', rule: 'RFC 8707 §2.2' }
    expect(outcome).toMatchObject({ outcome: 'refused', expected: true, error })
    expect(whyNotHere(move('unauthorized-resource'), clocked)).toContain('RFC 9728 §4')
  })

  it('is a remark where a token is issued for it, because RFC 8707 leaves that to the server', async () => {
    const tamper: Tamper = ({ url }, { status }) =>
      url.endsWith('/token') && status === 400
        ? jsonResponse(200, { access_token: 'any', token_type: 'Bearer' })
        : undefined
    const here = await world({ resources: [], tamper })
    const outcome = outcomeIn(await runTampered(here, 'unauthorized-resource', { knownResources }))
    expect(outcome).toMatchObject({ outcome: 'granted', expected: false })
    expect(outcome.tamper?.harmless).toContain('RFC 8707 §2.2')
  })
})

describe('a public client', () => {
  it('is not let through without a code_challenge', async () => {
    const wanted = { clientId: 'spa', auth: 'none' as const }
    const here = await world({ otherClients: [spa], wanted })
    const outcome = outcomeIn(await runTampered(here, 'no-challenge'))
    expect(outcome).toMatchObject({ expected: true, error: { error: 'invalid_request' } })
  })

  it('is not asked for a secret it has not', async () => {
    const { wanted } = await world({ wanted: { clientId: 'spa', auth: 'none' } })
    const situation = situationOf(wanted)
    for (const name of ['both-credentials', 'no-credentials', 'wrong-secret', 'credentials-in-query']) {
      expect(whyNotHere(move(name), situation)).toBe('the client is public: it has no secret')
    }
  })
})

it.each([
  ['expired-code', 'invalid_grant'],
  ['expired-token', 'invalid_token'],
])('the clock: %s is refused when it is set forward', async (name, error) => {
  let now = NOW
  const here = await world({ scope: SCOPE, now: () => now })
  const clock = {
    lifetimes: { code: 600_000, accessToken: 3_600_000 },
    advance: (ms: number) => {
      now += ms
    },
  }
  expect(whyNotHere(move(name), situationOf(here.wanted))).toMatch(/clock/)
  expect(whyNotHere(move(name), situationOf(here.wanted, clock))).toBeUndefined()
  const outcome = outcomeIn(await runTampered(here, name, clock))
  expect(outcome).toMatchObject({ outcome: 'refused', expected: true, error: { error } })
})
