import { describe, expect, it } from 'vitest'
import type { Step } from '../../../../src/flows/step.js'
import {
  announcement,
  conclusion,
  details,
  introduction,
  report,
  spokenDuration,
} from '../../../../src/show/render/spoken/screen-reader.js'

const step: Step = {
  type: 'step',
  n: 5,
  of: 6,
  name: 'token_request',
  from: 'client',
  to: 'authorization_server',
  title: 'POST /token',
  rfc: '6749 §4.1.3',
  why: 'The client exchanges the code for a token.',
  exchange: {
    request: { method: 'POST', url: 'https://lab.test/token', headers: [], body: '' },
    response: { status: 200, headers: [], body: '' },
    wireBytes: { request: 1, response: 1024 },
    bodyBytes: 1024,
    ms: 14.2,
    at: '2026-11-21T14:03:11.000Z',
  },
  checks: [{ name: 'status', ok: true, rule: 'RFC 6749 §5.1' }],
}

describe('sentences', () => {
  it('announce a step and report it', () => {
    expect(introduction('authorization code', 'demo', [step, step])).toBe(
      'Flow: authorization code. Client: demo. 2 steps.',
    )
    expect(announcement(step, 5, 6)).toBe(
      'Step 5 of 6. Next: The client exchanges the code for a token. POST /token.',
    )
    expect(report(step)).toBe(
      'Step 5 of 6, done. The client exchanges the code for a token. Answer 200, 1,024 bytes, 14 milliseconds. 1 check passed: status.',
    )
  })

  it('name the check that failed, safely', () => {
    const failed = { name: 'state', ok: false, rule: 'RFC 6749 §10.12', detail: 'got \x1b[31m' } as const
    expect(report({ ...step, checks: [failed] })).toMatch(
      /Check state failed: got ␛\[31m\. Rule: RFC 6749 §10\.12\.$/,
    )
  })

  it('tell a refused step as refused', () => {
    const { exchange } = step
    const page = (body: string): Step => ({
      ...step,
      n: 3,
      name: 'login',
      checks: [],
      repeats: true,
      exchange: { ...exchange!, response: { status: 200, headers: [['content-type', 'text/html']], body } },
    })
    const refused = { ...page('<input name=u><input type=password name=p>'), note: 'the password is wrong' }
    expect(report(refused)).toMatch(/^Step 3 of 6, refused\..* the password is wrong\.$/)
    expect(report(page('<input name=otp autocomplete=one-time-code>'))).toMatch(/^Step 3 of 6, done\./)
    expect(report(page('<button>Allow</button>'))).toMatch(/^Step 3 of 6, done\./)
    const headers = [['location', 'https://app.test/?error=access_denied']] as const
    const response = { status: 302, headers, body: '' }
    expect(report({ ...step, exchange: { ...exchange!, response } })).toMatch(/^Step 5 of 6, refused\./)
    expect(report({ ...step, name: 'poll_request', checks: [], repeats: true })).toMatch(
      /^Step 5 of 6, done\./,
    )
  })

  it('read the members of both messages and every check with its rule', () => {
    const body = '{"token_type":"Bearer","expires_in":3600,"x":{"a":1}}'
    const { exchange } = step
    const request = {
      ...exchange!.request,
      url: 'https://lab.test/token?a=b',
      headers: [['content-type', 'application/x-www-form-urlencoded']] as const,
      body: 'grant_type=password&password=wonderland',
    }
    const response = { status: 200, headers: [['content-type', 'application/json']] as const, body }
    const checks = [
      { name: 'iss', ok: false, advice: true, rule: 'RFC 9207 §2.4', detail: 'none \x1b[31m' },
    ] as const
    const told = details({
      ...step,
      exchange: { ...exchange!, request, response },
      token: { kind: 'access_token', value: 'x', checks },
    })
    expect(told).toEqual([
      'Request POST /token.',
      'a: b.',
      'grant_type: password, the grant in use.',
      expect.stringMatching(/^password: [^w]*, the password of that user\.$/),
      'Answer 200.',
      'token_type: Bearer, way to present the token.',
      'expires_in: 3600.',
      'x: an object or a list.',
      'Check status passed. Rule: RFC 6749 §5.1.',
      'Check iss of the access token is advice: none ␛[31m. Rule: RFC 9207 §2.4.',
    ])
  })

  it('end with the outcome', () => {
    const claims = Buffer.from(JSON.stringify({ sub: 'alice', exp: 3596 })).toString('base64url')
    const head = Buffer.from('{}').toString('base64url')
    const tokens = { access_token: `${head}.${claims}.x` }
    expect(conclusion({ type: 'outcome', outcome: 'granted', tokens }, 'demo', 0)).toEqual([
      'Granted. Access token for alice, for client demo. Valid for 59 minutes 56 seconds.',
    ])
    const error = {
      error: 'login_failed',
      error_description: 'Wrong password',
      rule: 'RFC 6749 §4.1',
    } as const
    expect(conclusion({ type: 'outcome', outcome: 'refused', error }, 'demo', 0)).toEqual([
      'Refused: login_failed. Wrong password.',
      'Rule: RFC 6749 §4.1.',
      expect.stringMatching(/^Next: try again/),
    ])
  })

  it('end with one full stop, and the next move of an unknown resource', () => {
    const error = {
      error: 'invalid_target',
      error_description: 'It is unknown.',
      rule: 'RFC 8707 §2',
    } as const
    expect(conclusion({ type: 'outcome', outcome: 'refused', error }, 'demo', 0)).toEqual([
      'Refused: invalid_target. It is unknown.',
      'Rule: RFC 8707 §2.',
      expect.stringMatching(/^Next: ask for a resource that the server knows; .* resources: \[URI\]\.$/),
    ])
    const without = { ...error, error_description: '' }
    expect(conclusion({ type: 'outcome', outcome: 'refused', error: without }, 'demo', 0)[0]).toBe(
      'Refused: invalid_target.',
    )
  })

  it.each([
    [0, '0 seconds'],
    [1000, '1 second'],
    [3_600_000, '1 hour'],
    [90_061_000, '1 day 1 hour'],
    [-5, '0 seconds'],
  ])('%i ms is %s', (ms, words) => expect(spokenDuration(ms)).toBe(words))
})
