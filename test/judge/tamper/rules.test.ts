import { describe, expect, it } from 'vitest'
import { type FlowName, flows } from '../../../src/flows/flows.js'
import type { FlowOptions } from '../../../src/flows/options.js'
import type { PlannedStep } from '../../../src/flows/step.js'
import {
  expectation,
  findMove,
  moves,
  whyNotHere,
  whyNotIn,
  whyNotWith,
} from '../../../src/judge/tamper/moves.js'
import { addedStep, stepBeforeShown, tamperedPlan, tokenStepOf } from '../../../src/judge/tamper/plan.js'
import { type FlowShape, grantNamed, shapeOf } from '../../../src/judge/tamper/shape.js'
import type { Situation } from '../../../src/judge/tamper/situation.js'
import { move } from './named-move.js'

describe('the shape of a flow', () => {
  it.each<[FlowName, Partial<FlowOptions> | undefined, FlowShape]>([
    ['code', undefined, { asks: 'code', brings: ['code'], grants: ['code'], login: true }],
    ['implicit', undefined, { asks: 'token', brings: ['access_token'], grants: [], login: true }],
    [
      'implicit',
      { scope: 'openid' },
      { asks: 'token', brings: ['access_token', 'id_token'], grants: [], login: true },
    ],
    ['hybrid', {}, { asks: 'code', brings: ['code', 'id_token'], grants: ['code'], login: true }],
    [
      'hybrid',
      { responseType: 'code token' },
      { asks: 'code', brings: ['code', 'access_token'], grants: ['code'], login: true },
    ],
    ['resource', {}, { asks: 'code', brings: ['code'], grants: ['code'], login: true }],
    ['resource', { accessToken: 'x' }, { grants: [] }],
    ['refresh', {}, { asks: 'code', brings: ['code'], grants: ['code', 'refresh'], login: true }],
    ['refresh', { first: 'password' }, { grants: ['password', 'refresh'] }],
    [
      'refresh',
      { first: 'code' },
      { asks: 'code', brings: ['code'], grants: ['code', 'refresh'], login: true },
    ],
    ['refresh', { first: 'password', accessToken: 'x' }, { grants: ['refresh'] }],
    ['token-exchange', {}, { asks: 'code', brings: ['code'], grants: ['code', 'token-exchange'] }],
    ['token-exchange', { accessToken: 'x' }, { grants: ['token-exchange'] }],
    ['device', {}, { grants: ['device'], login: true }],
    ['password', {}, { grants: ['password'] }],
    ['client-credentials', { accessToken: 'x' }, { grants: ['client-credentials'] }],
    ['assertion', { first: 'password' }, { grants: ['assertion'] }],
  ])('%s with %j', (name, options, shape) => expect(shapeOf(name, options)).toEqual(shape))

  it.each([
    ['authorization_code', 'code'],
    ['password', 'password'],
    ['client_credentials', 'client-credentials'],
    ['refresh_token', 'refresh'],
    ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'assertion'],
    ['urn:ietf:params:oauth:grant-type:saml2-bearer', 'assertion'],
    ['urn:ietf:params:oauth:grant-type:device_code', 'device'],
    ['urn:ietf:params:oauth:grant-type:token-exchange', 'token-exchange'],
    ['implicit', undefined],
    ['constructor', undefined],
    [undefined, undefined],
  ])('has for the grant_type %s the grant %s', (grantType, grant) => {
    expect(grantNamed(grantType)).toBe(grant)
  })
})

describe('what a flow leaves to change', () => {
  it.each<[name: string, FlowName, possible: boolean]>([
    ['unknown-client', 'code', true],
    ['unknown-client', 'implicit', true],
    ['unknown-client', 'password', false],
    ['no-csrf-cookie', 'implicit', true],
    ['no-csrf-cookie', 'device', false],
    ['drop-state', 'refresh', true],
    ['drop-state', 'client-credentials', false],
    ['downgrade-pkce', 'code', true],
    ['downgrade-pkce', 'implicit', false],
    ['altered-answer-token', 'implicit', true],
    ['altered-answer-token', 'code', false],
    ['id-token-as-access-token', 'code', true],
    ['id-token-as-access-token', 'device', true],
    ['id-token-as-access-token', 'token-exchange', false],
    ['id-token-as-access-token', 'password', false],
    ['no-token', 'password', true],
    ['reuse-code', 'resource', true],
    ['reuse-code', 'device', false],
    ['expired-assertion', 'assertion', true],
    ['expired-assertion', 'password', false],
  ])('%s in flow %s: %s', (name, flow, possible) => {
    const why = whyNotIn(move(name), shapeOf(flow))
    if (possible) expect(why).toBeUndefined()
    else expect(why).toMatch(/^(this|no) /)
  })

  it.each<[name: string, situation: Parameters<typeof whyNotWith>[1], possible: boolean]>([
    ['unknown-client', {}, true],
    ['unknown-client', { ownBrowser: true }, true],
    ['no-csrf-cookie', { ownBrowser: true }, false],
    ['no-csrf-cookie', {}, true],
    ['drop-state', { ownBrowser: true }, true],
    ['reuse-code', { ownBrowser: true, mac: true }, true],
    ['guessed-request-uri', {}, false],
    ['guessed-request-uri', { pushed: true }, true],
    ['unknown-client', { pushed: true }, true],
    ['replayed-mac', {}, false],
    ['replayed-mac', { bound: true }, false],
    ['replayed-mac', { mac: true }, true],
    ['no-token', {}, true],
    ['no-token', { mac: true }, false],
    ['no-token', { bound: true }, true],
    ['replayed-proof', {}, false],
    ['replayed-proof', { mac: true }, false],
    ['replayed-proof', { bound: true }, true],
  ])('%s with %j: %s', (name, situation, possible) => {
    const why = whyNotWith(move(name), situation)
    if (possible) expect(why).toBeUndefined()
    else expect(why).toMatch(/ /)
  })
})

const situation: Situation = {
  client: { clientId: 'demo', auth: 'client_secret_basic', clientSecret: 'x' },
  redirectUri: '',
  pkce: true,
  challengeMethods: ['S256'],
  issPromised: true,
  resourceServer: false,
}

describe('what a situation leaves to try', () => {
  const lifetimes = { code: 1, accessToken: 1 }
  const advance = () => {}
  it.each<[name: string, more: Partial<Situation>, possible: boolean]>([
    ['reuse-code', {}, true],
    ['reuse-code', { flow: shapeOf('password') }, false],
    ['unknown-client', { ownBrowser: true }, true],
    ['no-csrf-value', { ownBrowser: true }, false],
    ['no-token', {}, false],
    ['no-token', { presentAt: 'https://lab.test/u' }, true],
    ['expired-code', {}, false],
    ['expired-code', { advance }, false],
    ['expired-code', { lifetimes }, false],
    ['expired-code', { advance, lifetimes }, true],
    ['expired-token', { advance, lifetimes }, false],
    ['drop-iss', {}, true],
    ['drop-iss', { issPromised: false }, false],
  ])('%s with %j: %s', (name, more, possible) => {
    const why = whyNotHere(move(name), { ...situation, ...more })
    if (possible) expect(why).toBeUndefined()
    else expect(why).toMatch(/ /)
  })
})

describe('the expected refusal, for people', () => {
  it.each([
    ['reuse-code', ['invalid_grant']],
    ['altered-token', ['invalid_token']],
    ['no-token', ['401']],
    ['get-token-request', ['400 or 404 or 405 or 501']],
    ['drop-state', ['state_mismatch, by the client']],
    ['unknown-client', ['an error page, and no redirect']],
    ['no-challenge', ['invalid_request, by redirect', 'an error page, and no redirect']],
    ['downgrade-pkce', ['invalid_grant', 'invalid_request, by redirect', 'an error page, and no redirect']],
  ])('%s: %j', (name, expected) => expect(expectation(move(name))).toBe(expected.join('; or ')))

  it('says each way once', () => {
    const twice = {
      ...move('unknown-client'),
      expects: [
        { by: 'page', errors: ['a'] },
        { by: 'page', errors: [] },
      ],
    }
    expect(expectation(twice as never)).toBe('an error page, and no redirect')
    const bare = { ...move('reuse-code'), expects: [{ by: 'token', errors: [] }] }
    expect(expectation(bare as never)).toBe('')
  })
})

it('findMove finds every move by its name, and no other', () => {
  expect(moves.map(({ name }) => findMove(name))).toEqual(moves)
  expect(new Set(moves.map(({ name }) => name)).size).toBe(moves.length)
  expect(findMove('no-such-move')).toBeUndefined()
})

const metadata = {
  issuer: 'https://lab.test',
  token_endpoint: 'https://lab.test/t',
  jwks_uri: 'https://lab.test/k',
  userinfo_endpoint: 'https://lab.test/u',
}
const planOf = (name: FlowName, more: Partial<FlowOptions> = {}): PlannedStep[] =>
  flows[name].plan({ metadata, redirectUri: '', scope: 'openid', resource: 'https://api.test/r', ...more })
const names = (plan: readonly PlannedStep[]) => plan.map(({ name }) => name)

const code = ['authorization_request', 'login_form', 'login', 'authorization_response'] as const

describe('the plan of a flow with a wrong move', () => {
  it.each<[name: string, flow: FlowName, kept: readonly string[]]>([
    ['unknown-client', 'code', code],
    ['scope-escalation', 'code', [...code, 'token_request']],
    ['scope-escalation', 'implicit', code],
    ['no-csrf-cookie', 'code', code],
    ['drop-state', 'code', code],
    ['altered-answer-token', 'implicit', [...code, 'keys_request']],
    ['guessed-code', 'code', [...code, 'token_request']],
    ['reuse-code', 'code', [...code, 'token_request', 'token_request']],
    ['reuse-code', 'refresh', [...code, 'token_request', 'token_request']],
    ['guessed-refresh-token', 'refresh', [...code, 'token_request', 'refresh_request']],
    ['reuse-refresh-token', 'refresh', [...code, 'token_request', 'refresh_request', 'refresh_request']],
    ['altered-subject-token', 'token-exchange', [...code, 'token_request', 'exchange_request']],
    ['expired-assertion', 'assertion', ['assertion', 'token_request']],
    ['guessed-device-code', 'device', ['device_authorization_request', 'poll_request']],
    [
      'reuse-device-code',
      'device',
      [
        ...['device_authorization_request', 'poll_request', 'early_poll_request', 'device_verification'],
        ...['device_approval', 'token_request', 'token_request'],
      ],
    ],
    ['no-token', 'code', [...code, 'token_request', 'keys_request', 'userinfo_request']],
    ['no-token', 'password', ['token_request', 'keys_request', 'userinfo_request']],
    ['wrong-secret', 'refresh', [...code, 'token_request', 'refresh_request']],
    ['widened-scope', 'token-exchange', [...code, 'token_request', 'exchange_request']],
  ])('%s in flow %s ends with the step that is to be refused', (name, flow, kept) => {
    const here = { ...situation, flow: shapeOf(flow), presentAt: metadata.userinfo_endpoint }
    expect(names(tamperedPlan(planOf(flow), move(name), here))).toEqual(kept)
  })

  it('of a token that is there already ends after the metadata of the resource server', () => {
    const plan = planOf('resource', { accessToken: 'x' })
    const here = { ...situation, flow: shapeOf('resource', { accessToken: 'x' }), resourceServer: true }
    expect(stepBeforeShown(plan)).toBe('resource_metadata_request')
    expect(names(tamperedPlan(plan, move('no-token'), here))).toEqual([
      'unauthenticated_request',
      'resource_metadata_request',
      'resource_request',
    ])
    expect(stepBeforeShown(planOf('code'))).toBe('keys_request')
  })

  it('is the plan of the code flow where the situation names no flow', () => {
    expect(names(tamperedPlan(planOf('code'), move('scope-escalation'), situation))).toEqual([
      ...code,
      'token_request',
    ])
    expect(tokenStepOf(move('reuse-code'), situation)).toBe('token_request')
  })

  it('repeats the step of the token request, with the rule and the reason of the move', () => {
    const plan = planOf('refresh')
    const here = { ...situation, flow: shapeOf('refresh') }
    const added = addedStep(move('reuse-refresh-token'), here, plan)
    expect(added).toEqual({
      name: 'refresh_request',
      from: 'client',
      to: 'authorization_server',
      title: 'POST /t',
      rfc: '9700 §4.14.2',
      why: expect.stringMatching(/uses a refresh token a second time.*invalid_grant/),
    })
    expect(addedStep(move('reuse-refresh-token'), here, [])).toBeUndefined()
    expect(addedStep(move('guessed-refresh-token'), here, plan)).toBeUndefined()
    expect(addedStep(move('unknown-client'), here, plan)).toBeUndefined()
  })

  it.each<[more: Partial<Situation>, shown: Partial<PlannedStep>]>([
    [
      { resourceServer: true, presentAt: 'https://api.test/r?x=1' },
      { name: 'resource_request', to: 'resource_server', title: 'GET /r' },
    ],
    [
      { presentAt: 'https://lab.test/u' },
      { name: 'userinfo_request', to: 'authorization_server', title: 'GET /u' },
    ],
    [{}, { name: 'userinfo_request', to: 'authorization_server', title: 'GET /userinfo' }],
  ])('adds a step that shows the token: %j', (more, shown) => {
    expect(addedStep(move('no-token'), { ...situation, ...more }, planOf('code'))).toEqual({
      from: 'client',
      rfc: '6750 §3',
      why: expect.stringMatching(/asks without any access token.*401/),
      ...shown,
    })
  })
})
