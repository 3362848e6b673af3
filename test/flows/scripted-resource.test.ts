import { describe, expect, it } from 'vitest'
import type { FlowOptions } from '../../src/flows/options.js'
import type { StepName } from '../../src/flows/step.js'
import {
  bytes,
  type HttpResponse,
  header,
  jsonResponse,
  textResponse,
} from '../../src/protocol/http/message.js'
import { NOW } from './support/network.js'
import { expectRefused, stepOf, stepsOf } from './support/records.js'
import { checkOf, formOf, issued, token, type Walk, walk } from './support/scripted.js'

const api = 'https://api.test/r'

describe('the token exchange flow', () => {
  const type = 'urn:ietf:params:oauth:token-type:access_token'
  const exchanging = (members: object, more: Walk = {}) =>
    walk('token-exchange', {
      ...more,
      wanted: { accessToken: token(), ...more.wanted },
      script: { 'POST /t': issued({ issued_token_type: type, ...members }), ...more.script },
    })

  it('trades the token for one with another audience', async () => {
    const accessToken = token()
    const access = token({ aud: 'https://api.test' })
    const wanted = { accessToken, exchangeFor: 'https://api.test', audience: 'demo', scope: 'a' }
    const { sent, records, outcome } = await exchanging({ access_token: access }, { wanted })
    expect(formOf(sent[0]!)).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: accessToken,
      subject_token_type: type,
      audience: 'https://api.test',
      scope: 'a',
      client_id: 'demo',
      client_secret: 'secret',
    })
    expect(outcome.outcome).toBe('granted')
    const names = stepOf(records, 'exchange_request').checks?.map(({ name }) => name)
    expect(names?.slice(-4)).toEqual(['scope', 'issued_token_type', 'sub', 'exp'])
    expect(checkOf(records, 'exchange_request', 'issued_token_type')?.detail).toBe(type)
    expect(checkOf(records, 'exchange_request', 'scope')?.detail).not.toContain('a:')
    const other = await exchanging({}, { wanted })
    expectRefused(other.outcome, 'invalid_token')
    const unnamed = await exchanging({ access_token: access }, { wanted: { audience: 'demo' } })
    expectRefused(unnamed.outcome, 'invalid_token')
  })

  it.each([
    [0, true],
    [-60, true],
    [60, false],
  ])('points out a new token that lives %i s longer', async (more, ok) => {
    const access = token({ exp: NOW / 1000 + 3600 + more })
    const { records, outcome } = await exchanging({ access_token: access })
    expect(checkOf(records, 'exchange_request', 'exp')).toMatchObject({ ok, rule: 'RFC 8693 §5' })
    expect(outcome.outcome).toBe('granted')
  })

  it.each([
    ['opaque', token()],
    [token(), 'opaque'],
    [token({ exp: 'soon' }), token()],
  ])('compares no lifetimes that it cannot read: %#', async (accessToken, access) => {
    const { records } = await exchanging({ access_token: access }, { wanted: { accessToken } })
    expect(checkOf(records, 'exchange_request', 'exp')).toBeUndefined()
  })

  it.each([undefined, '', 7])('needs the type of the new token: %j', async named => {
    const { outcome } = await exchanging({ issued_token_type: named })
    expectRefused(outcome, 'invalid_response', 'RFC 8693 §2.2.1')
  })

  it('compares the subjects of the access tokens alone', async () => {
    const wanted = { accessToken: token({ sub: 'bob' }) }
    expect((await exchanging({}, { wanted })).outcome.error?.error).toBe('subject_mismatch')
    const first = issued({ id_token: token({ sub: 'bob' }), scope: 'a b' })
    const { records, sent, outcome } = await walk('token-exchange', {
      wanted: { first: 'password', scope: 'a' },
      script: { 'POST /t': [first, issued({ issued_token_type: type })] },
    })
    expect(outcome.outcome).toBe('granted')
    expect(checkOf(records, 'exchange_request', 'scope')?.detail).toBe('as asked: a b')
    expect(formOf(sent[1]!)).not.toHaveProperty('audience')
  })
})

describe('the resource flow', () => {
  const metadata = jsonResponse(200, {
    resource: 'https://api.test',
    authorization_servers: ['https://as.test'],
  })
  const usual = 'GET /.well-known/oauth-protected-resource/r'
  const asking = (answer: HttpResponse, more: Partial<FlowOptions> = {}) =>
    walk('resource', {
      wanted: { resource: api, accessToken: 'given', ...more },
      script: { 'GET /r': [textResponse(401, ''), answer], [usual]: metadata },
    })

  it('shows the token that it was given', async () => {
    const { records, sent, outcome } = await asking(jsonResponse(200, {}))
    const given = { kind: 'access_token', value: 'given' }
    expect(stepOf(records, 'unauthenticated_request').token).toMatchObject(given)
    expect(sent.map(each => header(each, 'authorization'))).toEqual([undefined, undefined, 'Bearer given'])
    expect(outcome.tokens).toEqual({ access_token: 'given', token_type: 'Bearer' })
  })

  it('gets a token, where it was given none', async () => {
    const { records, sent } = await walk('resource', {
      wanted: { resource: api },
      script: { 'GET /r': [textResponse(401, ''), jsonResponse(200, {})], [usual]: metadata },
    })
    expect(stepOf(records, 'unauthenticated_request')).not.toHaveProperty('token')
    expect(header(sent.at(-1)!, 'authorization')).toMatch(/^Bearer ey/)
  })

  const one = { name: 'aud', ok: true, rule: 'RFC 7519', detail: 'x' }
  const { detail: _detail, ...undetailed } = one
  const decided = (checks: unknown, keys?: unknown) => ({ decided: { checks, keys } })
  const unlike = [null, 'x', { name: 'a' }, { ...one, ok: 1 }, { ...one, rule: 1 }, { ...one, name: 1 }]
  it.each<[body: unknown, note: string, checks: object[]]>([
    [{}, 'accepted', []],
    ['x', 'accepted', []],
    [{ sub: 'bob' }, 'accepted for bob', []],
    [{ sub: 7, decided: 'x' }, 'accepted', []],
    [{ decided: null }, 'accepted', []],
    [{ decided: {} }, 'accepted', []],
    [decided('x'), 'accepted', []],
    [decided(unlike), 'accepted', []],
    [decided([one]), 'accepted by 1 checks', [one]],
    [decided([{ ...one, detail: 7 }]), 'accepted by 1 checks', [undetailed]],
    [{ sub: 'bob', ...decided([one], 'configured') }, 'accepted for bob by 1 checks, keys configured', [one]],
    [decided([one], { fetched: 'now' }), 'accepted by 1 checks, keys fetched now', [one]],
    [decided([one], { fetched: 7 }), 'accepted by 1 checks', [one]],
    [decided([one], null), 'accepted by 1 checks', [one]],
    [decided(Array(21).fill(one)), 'accepted by 20 checks', Array(20).fill(one)],
  ])('shows how the server decided: %j', async (body, note, checks) => {
    const { records } = await asking(jsonResponse(200, body))
    const step = stepOf(records, 'resource_request')
    expect(step.note).toBe(note)
    expect(step.checks).toEqual(
      checks.length > 0
        ? checks
        : [{ name: 'accepted', ok: true, rule: 'RFC 6750 §2.1', detail: expect.stringContaining('200') }],
    )
  })

  const typed = (type: string, status = 200, body = '{"sub":"bob"}') => ({
    status,
    headers: [['content-type', type]] as const,
    body: bytes(body),
  })
  it.each<[answer: HttpResponse, note: string | undefined]>([
    [typed('application/problem+json'), 'accepted for bob'],
    [typed('text/xjson', 299), 'accepted'],
    [typed('application/json-seq'), 'accepted'],
    [typed('application/json', 200, '{'), 'accepted'],
    [textResponse(300, ''), undefined],
    [textResponse(199, ''), undefined],
  ])('reads JSON where it is called so: %#', async (answer, note) => {
    const { records, outcome } = await asking(answer)
    if (note === undefined) expectRefused(outcome, 'invalid_response')
    else expect(stepOf(records, 'resource_request').note).toBe(note)
  })

  const challenged = (value: string, status = 401, body = '{}') => ({
    status,
    headers: [
      ['www-authenticate', value],
      ['content-type', 'application/json'],
    ] as const,
    body: bytes(body),
  })
  const rule = 'RFC 6750 §3.1'
  const why = (error: string) => `{"error":"${error}","error_description":"why"}`
  it.each<[answer: HttpResponse, error: string, rule: string, description: RegExp]>([
    [challenged('Bearer error="invalid_token", error_description="late"'), 'invalid_token', rule, /^late$/],
    [challenged('Bearer error="invalid_token"'), 'invalid_token', rule, /401$/],
    [challenged('Basic, Bearer error="invalid_token"'), 'invalid_token', rule, /401$/],
    [challenged('DPoP error="invalid_token"'), 'invalid_token', rule, /401$/],
    [
      challenged('Bearer error="insufficient_scope", scope="a b"', 403),
      'insufficient_scope',
      rule,
      /403 \(scope a b\)$/,
    ],
    [challenged('Bearer error="insufficient_scope"', 403), 'insufficient_scope', rule, /403$/],
    [challenged('Bearer error="invalid_token", scope="a"'), 'invalid_token', rule, /401$/],
    [challenged('Bearer', 400, why('invalid_request')), 'invalid_request', rule, /^why$/],
    [challenged('Bearer error="invalid_token"', 401, why('x')), 'invalid_token', rule, /^why$/],
    [challenged('Bearer'), 'no_token_seen', 'RFC 6750 §3', /Bearer$/],
    [textResponse(401, ''), 'no_token_seen', 'RFC 6750 §3', /without a WWW-Authenticate header/],
    [textResponse(500, ''), 'invalid_response', 'RFC 6750 §2.1', /500$/],
    [jsonResponse(400, { error: 7 }), 'invalid_response', 'RFC 6750 §2.1', /400$/],
    [jsonResponse(400, { error: 'invalid_request', error_description: 7 }), 'invalid_request', rule, /400$/],
  ])('is told why the token is not taken: %#', async (answer, error, broken, description) => {
    const { outcome } = await asking(answer)
    expect(outcome).toMatchObject({
      outcome: 'refused',
      error: { error, rule: broken, error_description: expect.stringMatching(description) },
    })
  })

  it('goes nowhere without a resource server', async () => {
    const { outcome, sent } = await walk('resource')
    expectRefused(outcome, 'no_resource', 'RFC 6749 §7')
    expect(sent).toEqual([])
  })
})

describe('a token of type mac', () => {
  const mac = { token_type: 'mac', mac_key: 'k', mac_algorithm: 'hmac-sha-256', access_token: 'id' }
  const presenting = (answers: readonly HttpResponse[]) => {
    return walk('resource', {
      wanted: { resource: api, tokenType: 'mac' },
      script: {
        'POST /t': issued(mac),
        'GET /r': [textResponse(401, ''), ...answers],
        'GET /.well-known/oauth-protected-resource/r': textResponse(404, ''),
      },
    })
  }
  const [taken, refusedHere] = [jsonResponse(200, {}), textResponse(401, '')]

  it('is asked for, signed with, and worth nothing to somebody who read it', async () => {
    const { sent, records, outcome } = await presenting([taken, refusedHere])
    expect(outcome.outcome).toBe('granted')
    expect(formOf(sent[2]!).token_type).toBe('mac')
    const shown = sent.slice(-3).map(each => header(each, 'authorization'))
    expect(shown[0]).toMatch(/^MAC id="id", nonce="0:[\w-]{43}", mac="/)
    expect(shown[1]).toBe(shown[0])
    expect(shown[2]).toBe('Bearer id')
    for (const name of ['replay_request', 'bearer_request'] as const) {
      expect(stepOf(records, name).checks).toEqual([
        { name: 'refused', ok: true, rule: expect.stringMatching(/^draft.* §4$/), detail: '401' },
      ])
      expect(stepOf(records, name).note).toMatch(/refused/)
    }
  })

  it.each<[answers: HttpResponse[], last: StepName]>([
    [[taken, taken], 'replay_request'],
    [[taken, textResponse(403, '')], 'replay_request'],
    [[taken, refusedHere, taken], 'bearer_request'],
  ])('is refused where the copy is taken: %#', async (answers, last) => {
    const { outcome, records } = await presenting(answers)
    expectRefused(outcome, 'replay_accepted')
    expect(stepsOf(records).at(-1)).toMatchObject({ name: last, checks: [{ name: 'refused', ok: false }] })
  })
})
