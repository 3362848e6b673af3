import { describe, expect, it } from 'vitest'
import type { FlowOptions } from '../../../src/flows/options.js'
import type { FlowPorts, NetworkPorts } from '../../../src/flows/ports.js'
import type { FlowRecord, Outcome, PlannedStep, Step, StepName } from '../../../src/flows/step.js'
import { expectation } from '../../../src/judge/tamper/moves.js'
import { shapeOf } from '../../../src/judge/tamper/shape.js'
import type { Situation } from '../../../src/judge/tamper/situation.js'
import { tamperedFlow } from '../../../src/judge/tamper/tampered-flow.js'
import { TimeoutError, TransportError } from '../../../src/protocol/errors.js'
import { type HttpResponse, header, jsonResponse } from '../../../src/protocol/http/message.js'
import { advice, check } from '../../../src/protocol/oauth/check.js'
import { OAuthError } from '../../../src/protocol/oauth/oauth-error.js'
import { answered } from '../../flows/support/answered.js'
import { countedRandom, NOW } from '../../flows/support/network.js'
import { collect, outcomeIn, stepsOf } from '../../flows/support/records.js'
import {
  issued,
  jwks,
  refused,
  type Script,
  scripted,
  scriptedOptions,
  token,
} from '../../flows/support/scripted.js'
import { move } from './named-move.js'

const planned = (name: StepName): PlannedStep => ({
  ...{
    name,
    from: 'client',
    to: 'authorization_server',
    title: `GET /${name}`,
    rfc: '6749 §4.1',
    why: 'why',
  },
})
const NAMES = [
  'authorization_request',
  'login_form',
  'login',
  'authorization_response',
  'token_request',
  'keys_request',
  'userinfo_request',
] as const
const step = (name: StepName, more: Partial<Step> = {}): Step => ({
  ...planned(name),
  type: 'step',
  n: NAMES.indexOf(name as (typeof NAMES)[number]) + 1,
  of: NAMES.length,
  ...more,
})
const ACCESS = token()
const shown = (more: Partial<Step> = {}) =>
  step('token_request', {
    exchange: answered(issued()),
    token: { kind: 'access_token', value: ACCESS, checks: [] },
    ...more,
  })
const keys = (response: HttpResponse = jsonResponse(200, jwks)) =>
  step('keys_request', { exchange: answered(response) })
const ended = (outcome: Outcome['outcome'], error?: string): Outcome => ({
  type: 'outcome',
  outcome,
  ...(error !== undefined && { error: { error, error_description: `the ${error}` } }),
})
const situation: Situation = {
  client: { clientId: 'demo', auth: 'client_secret_post', clientSecret: 'secret' },
  redirectUri: scriptedOptions.redirectUri,
  pkce: true,
  challengeMethods: ['S256'],
  issPromised: true,
  resourceServer: false,
  presentAt: 'https://as.test/u',
}

interface Walk {
  /** The names of the planned steps. */
  readonly names?: readonly StepName[]
  /** The records of the flow. */
  readonly flow: readonly FlowRecord[] | ((ports: FlowPorts) => AsyncGenerator<FlowRecord, void, void>)
  readonly script?: Script
  readonly more?: Partial<Situation>
  readonly wanted?: Partial<FlowOptions>
  readonly ports?: Partial<NetworkPorts>
}

/** Makes a move in a flow that yields these records. */
async function walk(
  name: string,
  { flow, names = NAMES, script = {}, more = {}, wanted = {}, ports = {} }: Walk,
) {
  const { send, sent } = scripted({ 'GET /u': refused('invalid_token', 401), ...script })
  let closed = false
  const network: NetworkPorts = {
    send,
    now: () => NOW,
    random: countedRandom(),
    signal: new AbortController().signal,
    agentWith: () => ({
      async *authorize({ request: { redirectUri } }) {
        yield { name: 'authorization_response', landed: `${redirectUri}?error=access_denied&state=s` }
      },
    }),
    ...ports,
  }
  const target = {
    plan: () => names.map(planned),
    async *run(given: FlowPorts): AsyncGenerator<FlowRecord, void, void> {
      try {
        if (typeof flow === 'function') yield* flow(given)
        else yield* flow
      } finally {
        closed = true
      }
    },
  }
  const asked = { ...scriptedOptions, ...wanted }
  const records = await collect(tamperedFlow(network, asked, move(name), { ...situation, ...more }, target))
  expect(closed).toBe(true)
  return { records, sent, steps: stepsOf(records), outcome: outcomeIn(records) }
}

/** The members of an outcome in which the move was not judged. */
const unjudged = (name: string) => ({
  expected: false,
  tamper: { move: name, wanted: expectation(move(name)) },
})

describe('a token that is shown wrongly', () => {
  const before = [shown(), keys(), step('userinfo_request'), ended('granted')]

  it('is shown after the keys, in a step of its own that ends the flow', async () => {
    const { steps, outcome, sent } = await walk('altered-token', { flow: before })
    expect(steps.map(each => [each.name, each.n, each.of])).toEqual([
      ['token_request', 5, 7],
      ['keys_request', 6, 7],
      ['userinfo_request', 7, 7],
    ])
    expect(steps[2]).toMatchObject({
      type: 'step',
      title: 'GET /u',
      exchange: { response: { status: 401 } },
      checks: [{ name: 'tamper', ok: true, rule: 'RFC 7519 §7.2' }],
      note: expect.stringMatching(/^as expected: /),
    })
    expect(outcome).toMatchObject({ outcome: 'refused', expected: true, error: { error: 'invalid_token' } })
    expect(header(sent[0]!, 'authorization')).not.toBe(`Bearer ${ACCESS}`)
  })

  it.each<[string, HttpResponse, Partial<Outcome>, RegExp]>([
    [
      'another refusal',
      refused('invalid_request', 400),
      { outcome: 'refused', expected: false },
      /^refused in another way: /,
    ],
    [
      'an answer',
      jsonResponse(200, {}),
      { outcome: 'granted', expected: false },
      /^not refused as expected: /,
    ],
  ])('is judged by %s', async (_name, response, expected, note) => {
    const { steps, outcome } = await walk('altered-token', { flow: before, script: { 'GET /u': response } })
    expect(outcome).toMatchObject(expected)
    expect(steps.at(-1)?.note).toMatch(note)
  })

  it('is the one that the flow began with, after the metadata of the resource server', async () => {
    const names = ['unauthenticated_request', 'resource_metadata_request', 'resource_request'] as const
    const { steps, sent, outcome } = await walk('token-in-query', {
      flow: [...names.map(name => step(name)), ended('granted')],
      names,
      wanted: { accessToken: ACCESS },
      more: { flow: shapeOf('resource', { accessToken: ACCESS }) },
      script: { 'GET /u': refused('invalid_request', 400) },
    })
    expect(steps.map(({ name }) => name)).toEqual([...names.slice(0, 2), 'userinfo_request'])
    expect(sent.map(request => request.url)).toEqual([`https://as.test/u?access_token=${ACCESS}`])
    expect(outcome).toMatchObject({ expected: true, error: { error: 'invalid_request' } })
  })

  it('is the id_token, where the flow showed one', async () => {
    const tokens = [{ kind: 'id_token' as const, value: 'the-id-token', checks: [] }]
    const flow = [shown({ tokens }), keys(), ended('granted')]
    const { sent, outcome } = await walk('id-token-as-access-token', { flow })
    expect(header(sent[0]!, 'authorization')).toBe('Bearer the-id-token')
    expect(outcome.expected).toBe(true)
  })

  it.each<[name: string, why: string, flow: readonly Step[]]>([
    ['id-token-as-access-token', 'no id_token was issued', [shown(), keys()]],
    [
      'id-token-as-access-token',
      'no id_token was issued',
      [shown({ tokens: [{ kind: 'refresh_token', value: 'r', checks: [] }] }), keys()],
    ],
    ['hmac-with-public-key', '', [shown(), keys(jsonResponse(500, {}))]],
    ['hmac-with-public-key', '', [shown(), keys(jsonResponse(200, { keys: 7 }))]],
    ['replayed-mac', '', [shown(), keys()]],
    ['replayed-mac', '', [shown({ exchange: answered(issued({ mac_algorithm: 'hmac-sha-256' })) }), keys()]],
    [
      'replayed-mac',
      '',
      [shown({ exchange: answered(issued({ mac_key: 'k', mac_algorithm: 'md5' })) }), keys()],
    ],
    [
      'replayed-mac',
      '',
      [
        shown({ exchange: answered(jsonResponse(200, { mac_key: 'k', mac_algorithm: 'hmac-sha-256' })) }),
        keys(),
      ],
    ],
  ])('%s cannot be made: %s', async (name, why, flow) => {
    const { outcome, sent, steps } = await walk(name, { flow: [...flow, ended('granted')] })
    expect(outcome).toMatchObject({ outcome: 'failed', error: { error: 'not_here', rule: move(name).rule } })
    expect(outcome).toMatchObject(unjudged(name))
    expect(outcome.error?.error_description).toContain(why)
    expect([sent.length, steps.length]).toEqual([0, 2])
  })

  it('may be a MAC, by the key of the token response', async () => {
    const exchange = answered(issued({ mac_key: 'k', mac_algorithm: 'hmac-sha-256' }))
    const { sent } = await walk('replayed-mac', { flow: [shown({ exchange }), keys(), ended('granted')] })
    const headers = sent.map(request => header(request, 'authorization'))
    expect(headers[0]).toMatch(/^MAC /)
    expect(headers).toEqual([headers[0], headers[0]])
  })

  it('is not shown where the flow has none, and the flow ends as it does', async () => {
    const flow = [
      shown({ token: { kind: 'refresh_token', value: 'r', checks: [] } }),
      keys(),
      ended('granted'),
    ]
    const { outcome, sent } = await walk('altered-token', { flow })
    expect(outcome).toEqual({ ...ended('granted'), ...unjudged('altered-token') })
    expect(sent).toEqual([])
  })
})

describe('a token request that is sent again', () => {
  const request = {
    method: 'POST',
    url: 'https://as.test/t',
    headers: [],
    body: Buffer.from('grant_type=authorization_code&code=c'),
  }
  const flow = (more: Partial<Step>) =>
    async function* ({ send, signal }: FlowPorts): AsyncGenerator<FlowRecord, void, void> {
      const exchange = await send(request, { signal })
      yield shown({ exchange, ...more })
      yield ended('granted')
    }

  it('is a step of its own, judged by its answer', async () => {
    const script = { 'POST /t': [issued(), refused('invalid_grant')] }
    const { steps, outcome, sent } = await walk('reuse-code', { flow: flow({}), script })
    expect(sent).toHaveLength(2)
    expect(steps.map(each => [each.name, each.n, each.of])).toEqual([
      ['token_request', 5, 6],
      ['token_request', 6, 6],
    ])
    expect(steps[0]?.checks).toBeUndefined()
    expect(steps[1]?.checks).toMatchObject([{ name: 'tamper', ok: true }])
    expect(outcome).toMatchObject({ expected: true, error: { error: 'invalid_grant' } })
  })

  it('is not sent after an answer without a token', async () => {
    const bare = async function* (ports: FlowPorts): AsyncGenerator<FlowRecord, void, void> {
      for await (const record of flow({})(ports)) {
        if (record.type === 'outcome') yield record
        else {
          const { token: _, ...without } = record
          yield without
        }
      }
    }
    const { outcome, sent } = await walk('reuse-code', { flow: bare, script: { 'POST /t': issued() } })
    expect(sent).toHaveLength(1)
    expect(outcome).toEqual({ ...ended('granted'), ...unjudged('reuse-code') })
  })
})

describe('a flow that ends for another reason', () => {
  const broken = check('nonce', false, 'RFC 6749 §4.1', 'wrong')
  const bad = { kind: 'id_token' as const, value: 'x', checks: [broken] }

  it.each<[where: string, last: Step]>([
    ['a check of the step', step('token_request', { checks: [broken] })],
    ['a check of its token', shown({ token: { ...bad, kind: 'access_token' } })],
    ['a check of another token', shown({ tokens: [bad] })],
    ['the page of the login', step('login_form', { exchange: answered(jsonResponse(400, {})) })],
  ])('keeps its outcome, with the move that was not judged: %s', async (_where, last) => {
    const { records } = await walk('reuse-code', { flow: [last, ended('refused', 'nonce_mismatch')] })
    expect(records).toEqual([
      { ...last, of: 6 },
      { ...ended('refused', 'nonce_mismatch'), ...unjudged('reuse-code') },
    ])
  })

  it('goes on after advice, and after pages and answers that are no end', async () => {
    const flow = [
      step('login_form', { exchange: answered(jsonResponse(399, {})) }),
      step('login', { exchange: answered(jsonResponse(400, {})) }),
      step('token_request', {
        checks: [advice('typ', false, 'RFC 9068 §2.1', 'odd'), check('iss', true, 'RFC 9068 §4')],
      }),
      ended('granted'),
    ]
    const { records } = await walk('reuse-code', { flow })
    expect(records).toHaveLength(4)
  })

  it.each<[string, unknown, Partial<Outcome>]>([
    [
      'a broken rule',
      new OAuthError('state_mismatch', { description: 'other', rule: 'RFC 6749 §10.12' }),
      {
        outcome: 'refused',
        error: { error: 'state_mismatch', error_description: 'other', rule: 'RFC 6749 §10.12' },
      },
    ],
    [
      'no answer',
      new TransportError('nobody listens', 'ECONNREFUSED', ['start it']),
      {
        outcome: 'failed',
        error: { error: 'ECONNREFUSED', error_description: 'nobody listens', hints: ['start it'] },
      },
    ],
    [
      'a wait that is too long',
      new TimeoutError('too long'),
      { outcome: 'failed', error: { error: 'timeout', error_description: 'too long' } },
    ],
  ])('ends with it: %s', async (_name, error, expected) => {
    // biome-ignore lint/correctness/useYield: it fails before its first record
    const flow = async function* (): AsyncGenerator<FlowRecord, void, void> {
      throw error
    }
    const { records } = await walk('reuse-code', { flow })
    expect(records).toEqual([{ type: 'outcome', ...expected, ...unjudged('reuse-code') }])
  })

  it('ends as interrupted when its signal is aborted, and hides no mistake of this program', async () => {
    // biome-ignore lint/correctness/useYield: it fails before its first record
    const flow = async function* (): AsyncGenerator<FlowRecord, void, void> {
      throw new Error('a mistake')
    }
    const { outcome } = await walk('reuse-code', { flow, ports: { signal: AbortSignal.abort() } })
    expect(outcome).toMatchObject({
      outcome: 'failed',
      error: { error: 'interrupted' },
      ...unjudged('reuse-code'),
    })
    await expect(walk('reuse-code', { flow })).rejects.toThrow('a mistake')
  })

  it('says that a page cannot be read', async () => {
    const flow = [step('login_form'), ended('refused', 'unknown_page')]
    const { outcome } = await walk('unknown-client', { flow })
    expect(outcome).toMatchObject({
      outcome: 'failed',
      error: { error: 'unreadable_page', error_description: 'the unknown_page' },
      ...unjudged('unknown-client'),
    })
  })
})

describe('a wrong authorization request', () => {
  const url = 'https://as.test/a?client_id=demo&state=s'

  it('is shown with the address that was really sent, and the move', async () => {
    const flow = [step('authorization_request', { url }), step('authorization_request'), ended('granted')]
    const { steps } = await walk('unknown-client', { flow })
    expect(steps[0]?.url).toContain('state=s')
    expect(steps[0]?.url).not.toContain('client_id=demo&')
    expect(steps[0]?.note).toBe(`tamper unknown-client: ${move('unknown-client').does}`)
    expect(steps[1]).toEqual(step('authorization_request', { of: 4 }))
  })

  it.each([
    [400, 'invalid_request', true],
    [404, 'unauthorized_client', true],
    [500, 'server_error', false],
  ])('is refused by a page with the status %i: expected is %s', async (status, error, expected) => {
    const form = step('login_form', { exchange: answered(jsonResponse(status, {})) })
    const { steps, outcome } = await walk('unknown-client', { flow: [form, ended('refused', error)] })
    expect(outcome).toMatchObject({ outcome: 'refused', expected, error: { error } })
    expect(steps).toHaveLength(1)
    expect(steps[0]?.checks?.at(-1)).toMatchObject({ name: 'tamper', ok: expected })
  })

  it.each([
    ['after its page', [step('login_form')], true],
    ['before any page', [], false],
  ])('counts as refused when the flow was refused %s: %s', async (_when, steps, judged) => {
    const flow = [...steps, ended('refused', 'invalid_request')]
    const { outcome } = await walk('unknown-client', { flow })
    if (judged) expect(outcome.tamper?.found).toMatch(/^an error page/)
    else expect(outcome).toEqual({ ...ended('refused', 'invalid_request'), ...unjudged('unknown-client') })
  })

  it.each([
    ['unknown-client', true, 400, true],
    ['unknown-client', true, 401, true],
    ['unknown-client', true, 500, false],
    ['unknown-client', false, 400, false],
    ['guessed-request-uri', true, 400, false],
  ])('%s, pushed %s, may be refused at once with %i: %s', async (name, pushed, status, expected) => {
    const push = step('pushed_authorization_request', { exchange: answered(refused('any_error', status)) })
    const { outcome } = await walk(name, { flow: [push, ended('refused', 'any_error')], more: { pushed } })
    expect(outcome.expected).toBe(expected)
  })

  it('comes after the checks that the step has', async () => {
    const own = check('iss', true, 'RFC 9207 §2.4')
    const flow = async function* ({ userAgent, signal }: FlowPorts): AsyncGenerator<FlowRecord, void, void> {
      const request = { url, redirectUri: scriptedOptions.redirectUri } as never
      for await (const visit of userAgent.authorize({ request, signal })) {
        yield step(visit.name, { url: 'before', checks: [own] })
      }
      yield ended('refused', 'access_denied')
    }
    const { steps } = await walk('unknown-client', { flow })
    expect(steps[0]?.url).toBe(`${scriptedOptions.redirectUri}?error=access_denied&state=s`)
    expect(steps[0]?.checks).toMatchObject([own, { name: 'tamper' }])
  })
})

describe('a wrong login', () => {
  const landing = async function* ({ userAgent, signal }: FlowPorts): AsyncGenerator<FlowRecord, void, void> {
    const request = { url: 'https://as.test/a', redirectUri: scriptedOptions.redirectUri } as never
    for await (const { name } of userAgent.authorize({ request, signal })) yield step(name)
    yield ended('refused', 'access_denied')
  }

  it.each<[string, readonly Step[], boolean]>([
    ['a form', [step('login_form'), step('login')], true],
    ['no form', [step('login_form')], false],
  ])('needs a form: %s', async (_name, first, judged) => {
    const flow = async function* (ports: FlowPorts): AsyncGenerator<FlowRecord, void, void> {
      yield* first
      yield* landing(ports)
    }
    const { outcome } = await walk('no-csrf-cookie', { flow })
    if (judged) expect(outcome).toMatchObject({ expected: true, error: { error: 'access_denied' } })
    else expect(outcome).toMatchObject({ error: { error: 'not_here' }, ...unjudged('no-csrf-cookie') })
  })
})
