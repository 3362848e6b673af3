import { describe, expect, it } from 'vitest'
import type { Outcome, Step } from '../../../../src/flows/step.js'
import type { Exchange } from '../../../../src/protocol/http/exchange.js'
import { moveLines } from '../../../../src/show/render/steps/outcome-lines.js'
import {
  outcomeText,
  type PlainOptions,
  plainStepLines,
  stepLine,
} from '../../../../src/show/render/steps/plain.js'

const options: PlainOptions = { clientId: 'demo', showSecrets: false, ascii: false }

function exchange(
  method: string,
  path: string,
  status: number,
  bytes: number,
  ms: number,
  location?: string,
): Exchange {
  return {
    request: { method, url: `https://lab.test${path}?x=1`, headers: [], body: '' },
    response: { status, headers: location === undefined ? [] : [['location', location]], body: '' },
    wireBytes: { request: 0, response: bytes },
    bodyBytes: bytes,
    ms,
    at: '2026-11-21T14:03:11.000Z',
  }
}

function step(n: number, more: Partial<Step>): Step {
  return {
    type: 'step',
    n,
    of: 6,
    name: 'login',
    from: 'user_agent',
    to: 'authorization_server',
    title: 'POST /authorization',
    rfc: '6749 §4.1.2',
    why: '',
    ...more,
  }
}

const location = 'http://127.0.0.1:7000/callback?code=k3V9abcdefghijklmnopQm1&state=af0'

describe('stepLine', () => {
  it('writes one aligned line a step', () => {
    const rule = 'RFC 6749 §4.1.2'
    const lines = [
      step(1, {
        from: 'client',
        to: 'user_agent',
        title: 'open authorization URL',
        checks: [{ name: 'state', ok: true, rule }],
      }),
      step(2, { exchange: exchange('GET', '/authorization', 200, 1312, 4) }),
      step(3, { exchange: exchange('POST', '/authorization', 302, 0, 9, location) }),
      step(4, {
        to: 'client',
        exchange: exchange('GET', '/callback', 200, 61, 1),
        checks: [{ name: 'state', ok: true, rule }],
      }),
      step(5, {
        from: 'client',
        exchange: exchange('POST', '/token', 200, 1024, 14),
        note: 'Bearer, 3600 s',
      }),
      step(6, {
        from: 'client',
        exchange: exchange('GET', '/.well-known/jwks.json', 200, 462, 0.4),
        checks: [{ name: 'keys', ok: false, rule }],
      }),
    ].map(each => stepLine(each, options))
    expect(`\n${lines.join('\n')}\n`).toBe(`
1  client  -> browser               open authorization URL
2  browser -> authorization server  GET /authorization           200    1,312 B     4 ms
3  browser -> authorization server  POST /authorization          302        0 B     9 ms  code=k3V9...Qm1
4  browser -> client                GET /callback                200       61 B     1 ms  state ok
5  client  -> authorization server  POST /token                  200    1,024 B    14 ms  Bearer, 3600 s
6  client  -> authorization server  GET /.well-known/jwks.json   200      462 B   0.4 ms  keys refused
`)
  })

  it('shows the code when secrets are to be shown', () => {
    const line = stepLine(step(3, { exchange: exchange('POST', '/a', 302, 0, 9, location) }), {
      ...options,
      showSecrets: true,
    })
    expect(line).toContain('code=k3V9abcdefghijklmnopQm1')
  })

  it('survives an address that cannot be decoded, and no answer', () => {
    expect(
      stepLine(step(3, { exchange: exchange('GET', '/a', 302, 0, 1, 'http://x/?code=%zz') }), options),
    ).toMatch(/302/)
    const { response: _, ...silent } = exchange('GET', '/a', 200, 0, 1)
    expect(stepLine(step(2, { exchange: silent }), options)).toMatch(/GET \/a {25,}1 ms$/)
  })

  it('prints a remark once', () => {
    const checks = [
      { name: 'status', ok: true, rule: 'RFC 6749 §5.1' as const },
      { name: 'no_store', ok: false, rule: 'RFC 6749 §5.1', advice: true } as const,
    ]
    expect(stepLine(step(5, { note: 'Bearer', checks }), options)).toMatch(/Bearer; check no_store$/)
    expect(stepLine(step(5, { note: 'look at no_store', checks }), options)).toMatch(/ {2}look at no_store$/)
  })

  it('makes text from outside safe', () => {
    const line = stepLine(step(3, { note: '\x1b]0;evil\x07\nnext \u202e' }), options)
    expect(line).not.toMatch(/[\x00-\x1f\u202e]/)
    expect(stepLine(step(3, { note: 'é…' }), { ...options, ascii: true })).toMatch(/^[\x20-\x7e]+$/)
  })
})

const jwt = (claims: object) =>
  ['{"alg":"none"}', JSON.stringify(claims), 'x']
    .map(part => Buffer.from(part).toString('base64url'))
    .join('.')

describe('outcomeText', () => {
  const granted = (tokens: Outcome['tokens']): Outcome => ({
    type: 'outcome',
    outcome: 'granted',
    tokens: tokens!,
  })
  const token = jwt({ sub: 'alice', exp: Date.UTC(2026, 10, 21, 15, 3, 11) / 1000 })

  it('names the client of a token, and its end', () => {
    expect(outcomeText(granted({ access_token: token }), options)).toEqual([
      'granted  alice -> demo  exp 2026-11-21T15:03:11Z',
    ])
    expect(outcomeText(granted({ access_token: 'opaque', expires_in: 60 }), options)).toEqual([
      'granted  demo  expires in 60 s',
    ])
    expect(outcomeText(granted({ access_token: 'opaque', id_token: jwt({ sub: 'bob' }) }), options)).toEqual([
      'granted  bob -> demo',
    ])
    expect(outcomeText(granted({ access_token: jwt({ sub: {}, exp: 1e300 }) }), options)).toEqual([
      'granted  demo',
    ])
  })

  it('prints whole tokens only when secrets are to be shown', () => {
    const lines = outcomeText(granted({ access_token: token, refresh_token: 'r' }), {
      ...options,
      showSecrets: true,
    })
    expect(lines.slice(1)).toEqual([`access_token  ${token}`, 'refresh_token  r'])
  })

  it('names the rule and the next move of a refusal', () => {
    const refused: Outcome = {
      type: 'outcome',
      outcome: 'refused',
      error: { error: 'invalid_grant', error_description: 'used\x1b[2J', rule: 'RFC 6749 §5.2' },
    }
    expect(outcomeText(refused, options)).toEqual([
      'refused  invalid_grant: used␛[2J  (RFC 6749 §5.2)',
      expect.stringMatching(/^next {5}start again/),
    ])
    expect(outcomeText(refused, { ...options, ascii: true }).join('')).toMatch(
      /^[\x20-\x7e]+\(RFC 6749 section 5\.2\)/,
    )
  })

  it('sends nobody for a new token when the dates of every token are wrong', () => {
    const error = { error: 'invalid_token', error_description: 'the unit is not accepted' }
    const [, next] = outcomeText(
      { type: 'outcome', outcome: 'refused', error: { ...error, rule: 'RFC 7519 §2' } },
      options,
    )
    expect(next).toMatch(/^next {5}correct the server: .*milliseconds/)
    const [, otherwise] = outcomeText(
      { type: 'outcome', outcome: 'refused', error: { ...error, rule: 'RFC 7519 §4.1.4' } },
      options,
    )
    expect(otherwise).toMatch(/get a new token/)
  })

  it('says a failure once', () => {
    const error = { error: 'ECONNREFUSED', error_description: 'cannot reach https://x (ECONNREFUSED)' }
    expect(outcomeText({ type: 'outcome', outcome: 'failed', error }, options)).toEqual([
      'failed   cannot reach https://x (ECONNREFUSED)',
    ])
  })
})

it('breaks lines between words where a terminal ends', () => {
  const narrow = { ...options, columns: 80 }
  const login = step(3, { exchange: exchange('POST', '/authorization', 302, 0, 9, location) })
  expect(plainStepLines(login, narrow)).toEqual([
    '3  browser -> authorization server  POST /authorization  302  0 B  9 ms',
    '   code=k3V9...Qm1',
  ])
  const error = { error: 'login_failed', error_description: 'Username or password is wrong.' }
  expect(outcomeText({ type: 'outcome', outcome: 'refused', error }, narrow)).toEqual([
    'refused  login_failed: Username or password is wrong.',
    'next     try again with the right password: --user NAME:PASSWORD, or',
    '         --password-stdin',
  ])
  const flows = 'code, hybrid, resource, password, client-credentials, refresh, assertion'
  const move = { name: 'a-move', does: 'does', expects: 'a', rule: 'RFC 6749 §5.2', risk: 'b', flows }
  expect(moveLines([move], { ascii: false, columns: 60 }).slice(3)).toEqual([
    '        in   code, hybrid, resource, password,',
    '        client-credentials, refresh, assertion',
    '',
  ])
})
