import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRecord } from '../../../src/flows/records/read-record.js'
import { RecordError } from '../../../src/flows/records/record-reader.js'
import type { Outcome, Step } from '../../../src/flows/step.js'
import { ecKey, makeJwt } from '../../protocol/tokens/jwt-maker.js'
import { forAll } from '../../support/for-all.js'

const jwt = makeJwt(ecKey('k1'), { kid: 'k1' }, { iss: 'https://lab.test', sub: 'alice', exp: 1_800_000_000 })

/** A step with every member that a record may have. */
const step = {
  type: 'step',
  n: 2,
  of: 3,
  name: 'token_request',
  from: 'client',
  to: 'authorization_server',
  rfc: '6749 §4.1.3',
  url: 'https://lab.test/authorization?a=1',
  exchange: {
    request: {
      method: 'POST',
      url: 'https://lab.test/token?x=1#y',
      headers: [['accept', 'application/json']],
      body: 'grant_type=authorization_code',
    },
    response: { status: 200, headers: [['cache-control', 'no-store']], body: '{}' },
    wireBytes: { request: 29, response: 2 },
    bodyBytes: 2,
    ms: 1.5,
    at: '2026-11-21T14:03:11.000Z',
    tls: { protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' },
  },
  checks: [
    { name: 'state', ok: true, rule: 'RFC 6749 §10.12' },
    { name: 'pkce', ok: false, rule: 'RFC 7636 §4.6', detail: 'none', advice: true },
  ],
  token: { kind: 'access_token', value: jwt, checks: [{ name: 'iss', ok: true, rule: 'RFC 7519 §4.1.1' }] },
  tokens: [{ kind: 'refresh_token', value: 'opaque', checks: [] }],
  note: 'Bearer, 3600 s',
  repeats: true,
}

/** An outcome with every member that a record may have. */
const outcome = {
  type: 'outcome',
  outcome: 'refused',
  error: { error: 'invalid_grant', error_description: 'used before', rule: 'RFC 6749 §4.1.2' },
  tokens: {
    access_token: 'a',
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: 'r',
    scope: 'openid',
    id_token: 'i',
    mac_key: 'k',
    mac_algorithm: 'hmac-sha-256',
  },
  expected: true,
  tamper: { move: 'reuse-code', wanted: 'invalid_grant', found: '400 invalid_grant', harmless: 'no' },
}

/** The value with another member at a path such as `exchange.request.url`; `undefined` removes the member. */
function changed(value: unknown, path: string, to: unknown): unknown {
  const copy = structuredClone(value) as Record<string, unknown>
  const names = path.split(/[.[\]]+/).filter(name => name !== '')
  const last = names.pop() ?? ''
  const parent = names.reduce((at, name) => at[name] as Record<string, unknown>, copy)
  if (to === undefined) delete parent[last]
  else parent[last] = to
  return copy
}

const problemOf = (value: unknown): string => {
  try {
    readRecord(value)
  } catch (error) {
    expect(error).toBeInstanceOf(RecordError)
    return (error as RecordError).message
  }
  return 'none'
}

describe('a step that was recorded', () => {
  it('is read with every member it may have, and gets its title and its reason from the plan', () => {
    const { token, ...rest } = readRecord(step) as Step
    const { token: written, ...others } = step
    expect(rest).toEqual({
      ...others,
      title: 'POST /token',
      why: 'The client exchanges the code for a token.',
    })
    expect(token).toMatchObject(written)
    expect(token?.explained?.claims.find(({ name }) => name === 'sub')?.value).toBe('alice')
  })

  it('needs no more than its place, its name, its roles and its rule', () => {
    const bare = { type: 'step', n: 1, of: 1, name: 'login', from: 'user_agent', to: 'client', rfc: 'x' }
    expect(readRecord(bare)).toEqual({
      ...bare,
      title: expect.stringMatching(/^POST /),
      why: 'The resource owner logs in, and the server issues a code.',
    })
  })

  it('may have an exchange without an answer and without TLS', () => {
    const { response: _response, tls: _tls, ...unanswered } = step.exchange
    expect((readRecord({ ...step, exchange: unanswered }) as Step).exchange).toEqual(unanswered)
  })

  it.each([
    ['refresh_request', '6749 §6', /^The access token will expire/],
    ['token_request', '6749 §4.3.2', /^The client itself sends the password/],
    ['token_request', '7522 §2.1', /^The client trades the assertion/],
    ['token_request', 'RFC 1', /^The client exchanges the code/],
    ['discovery_request', '8414 §3', /^The client knows only the name/],
    ['pushed_authorization_request', '9126 §2.1', /^The client hands the request/],
    ['replay_request', 'RFC 1', /^Somebody who read the request/],
    ['new_request', 'RFC 1', /^$/],
  ])('%s by the rule %s has the reason of that rule', (name, rfc, why) => {
    expect((readRecord({ ...step, name, rfc }) as Step).why).toMatch(why)
  })

  it.each([
    ['POST', 'https://lab.test/token?x=1', 'POST /token'],
    ['GET', 'https://lab.test', 'GET /'],
    ['GET', 'https://[broken', 'POST /token'],
  ])('has the title of its request: %s %s', (method, url, title) => {
    const read = readRecord(
      changed(changed(step, 'exchange.request.method', method), 'exchange.request.url', url),
    )
    expect((read as Step).title).toBe(title)
  })

  it('has its name as title where no plan knows the step', () => {
    const { exchange: _, ...unsent } = step
    expect((readRecord({ ...unsent, name: 'some_new_request' }) as Step).title).toBe('some new request')
  })

  it.each([
    ['repeats', false, 'repeats'],
    ['checks[1].advice', false, 'advice'],
  ])('leaves %s out where it is %s', (path, value, name) => {
    const read = readRecord(changed(step, path, value)) as Step
    expect(path === 'repeats' ? read : read.checks?.[1]).not.toHaveProperty(name)
  })

  it('loses members that records do not have, and an explanation that somebody wrote', () => {
    const more = { ...step, secret: 1, token: { ...step.token, explained: { claims: [] }, value: 'opaque' } }
    const read = readRecord(more)
    expect(read).not.toHaveProperty('secret')
    expect((read as Step).token).not.toHaveProperty('explained')
  })
})

describe('an outcome that was recorded', () => {
  it('is read with every member it may have', () => {
    expect(readRecord(outcome)).toEqual(outcome)
    expect(readRecord({ ...outcome, other: 1 })).toEqual(outcome)
  })

  it.each(['granted', 'refused', 'failed'])('may be %s alone', result => {
    expect(readRecord({ type: 'outcome', outcome: result })).toEqual({ type: 'outcome', outcome: result })
  })

  it.each([
    ...['error.rule', 'tokens.token_type', 'tokens.expires_in', 'tokens.scope', 'tokens.id_token'],
    ...['tamper.found', 'tamper.harmless'],
  ])('may lack %s', path => {
    const less = changed(outcome, path, undefined)
    expect(readRecord(less)).toEqual(less)
  })

  it('may say that the refusal did not come as expected', () => {
    expect((readRecord({ ...outcome, expected: false }) as Outcome).expected).toBe(false)
  })
})

describe('a record that cannot be read is refused with the name of its member', () => {
  const missing = [
    ...['n', 'of', 'name', 'from', 'to', 'rfc'],
    ...['request', 'wireBytes', 'bodyBytes', 'ms', 'at'].map(name => `exchange.${name}`),
    ...['method', 'url', 'headers', 'body'].map(name => `exchange.request.${name}`),
    ...['status', 'headers', 'body'].map(name => `exchange.response.${name}`),
    ...['wireBytes.request', 'wireBytes.response', 'tls.protocol', 'tls.cipher'].map(
      name => `exchange.${name}`,
    ),
    ...['checks[0].name', 'checks[0].ok', 'checks[0].rule', 'token.kind', 'token.value', 'token.checks'],
    'tokens[0].kind',
  ]
  it.each(missing)('%s is missing', path => {
    expect(problemOf(changed(step, path, undefined))).toBe(`${path} is missing`)
  })

  it.each([
    ...['outcome', 'error.error', 'error.error_description', 'tokens.access_token'],
    ...['tamper.move', 'tamper.wanted'],
  ])('%s is missing in an outcome', path => {
    expect(problemOf(changed(outcome, path, undefined))).toBe(`${path} is missing`)
  })

  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    n: [0, 4, 1.5, '1'],
    of: [0, 101],
    name: ['Token', '1st', 'token request', 'token_request\n', 'x'.repeat(62), 7],
    from: ['browser'],
    to: [null],
    rfc: [6749],
    url: ['lab.test', '/relative', ' https://lab.test', 'javascript:alert(1)'],
    note: [{}],
    repeats: ['true'],
    checks: [{}],
    'checks[0].ok': [1],
    'checks[1].detail': [false],
    'checks[1].advice': [1],
    token: [[]],
    'token.kind': ['password'],
    'token.value': [null],
    tokens: ['x'],
    exchange: ['x'],
    'exchange.request': [[]],
    'exchange.request.method': ['GET /', '', 'X'.repeat(41), '1GET'],
    'exchange.request.url': ['lab.test/token'],
    'exchange.request.headers': ['x'],
    'exchange.request.headers[0]': [['a'], [], ['a', 'b', 'c']],
    'exchange.request.body': [1],
    'exchange.response.status': [99, 1000, '200'],
    'exchange.wireBytes.request': [-1],
    'exchange.wireBytes.response': [0.5],
    'exchange.bodyBytes': [Number.MAX_SAFE_INTEGER + 1],
    'exchange.ms': [-0.1, '1', Number.POSITIVE_INFINITY],
    'exchange.at': [
      ...['2026-11-21', '2026-11-21T14:03:11+01:00', '2026-13-41T14:03:11Z'],
      ...['on 2026-11-21T14:03:11Z', '2026-11-21T14:03:11Z '],
    ],
    'exchange.tls.cipher': [1],
  }
  it.each(Object.entries(wrong))('%s is not one of %j', (path, values) => {
    for (const value of values)
      expect(problemOf(changed(step, path, value)).indexOf(`${path} is not `)).toBe(0)
  })

  it.each<[path: string, value: unknown]>([
    ['outcome', 'done'],
    ['error', 'x'],
    ['error.error', 1],
    ['error.rule', 1],
    ['tokens.expires_in', '3600'],
    ['tokens.mac_key', 1],
    ['expected', 'yes'],
    ['tamper', []],
    ['tamper.found', 1],
  ])('%s of an outcome is not %j', (path, value) => {
    expect(problemOf(changed(outcome, path, value)).startsWith(`${path} is not `)).toBe(true)
  })

  it('names the place in a list', () => {
    expect(problemOf(changed(step, 'exchange.request.headers[0]', ['a', 1]))).toMatch(
      /^exchange\.request\.headers\[0\]\[1\] is not /,
    )
  })

  it.each<[what: string, value: unknown]>([
    ['text', 'step'],
    ['null', null],
    ['a list', [step]],
  ])('the line is %s', (_what, value) => {
    expect(problemOf(value)).toBe('the line is not an object')
  })

  it.each([{}, { type: 7 }, { type: 'steps' }, { type: '' }])('the type is unknown: %j', value => {
    expect(problemOf(value)).toMatch(/^type is /)
  })

  it('has longer lists than any flow makes', () => {
    const many = (count: number, value: unknown) => Array.from({ length: count }, () => value)
    const [check] = step.checks
    const [token] = step.tokens
    const header = ['a', 'b']
    expect(problemOf({ ...step, checks: many(100, check), tokens: many(10, token) })).toBe('none')
    expect(problemOf({ ...step, checks: many(101, check) })).toMatch(/^checks is not a list of at most 100/)
    expect(problemOf({ ...step, tokens: many(11, token) })).toMatch(/^tokens is not a list of at most 10/)
    expect(problemOf(changed(step, 'exchange.request.headers', many(1000, header)))).toBe('none')
    expect(problemOf(changed(step, 'exchange.request.headers', many(1001, header)))).toMatch(/at most 1000/)
  })

  it('never takes an inherited member for one of the record', () => {
    expect(problemOf(JSON.parse('{"type":"outcome","__proto__":{"outcome":"granted"}}'))).toBe(
      'outcome is missing',
    )
    expect(problemOf(Object.create(outcome))).toBe('type is missing')
    const inherited = Object.assign(Object.create({ error: 7 }), { type: 'outcome', outcome: 'granted' })
    expect(readRecord(inherited)).toEqual({ type: 'outcome', outcome: 'granted' })
  })

  it('throws nothing but RecordError for any JSON', () =>
    forAll(fc.jsonValue(), fc.constantFrom('step', 'outcome'), (value, type) => {
      problemOf(value)
      problemOf(typeof value === 'object' && !Array.isArray(value) ? { ...value, type } : { type, value })
    }))
})
