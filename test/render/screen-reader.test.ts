import { describe, expect, it } from 'vitest'
import type { Step } from '../../src/flows/step.js'
import {
  announcement,
  conclusion,
  introduction,
  report,
  spokenDuration,
} from '../../src/render/screen-reader.js'

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
      'Step 5 of 6, done. The client exchanges the code for a token. Answer 200, 1,024 bytes, 14 milliseconds. 1 check passed.',
    )
  })

  it('name the check that failed, safely', () => {
    const failed = { name: 'state', ok: false, rule: 'RFC 6749 §10.12', detail: 'got \x1b[31m' }
    expect(report({ ...step, checks: [failed] })).toMatch(
      /Check state failed: got ␛\[31m\. Rule: RFC 6749 §10\.12\.$/,
    )
  })

  it('end with the outcome', () => {
    const claims = Buffer.from(JSON.stringify({ sub: 'alice', exp: 3596 })).toString('base64url')
    const head = Buffer.from('{}').toString('base64url')
    const tokens = { access_token: `${head}.${claims}.x` }
    expect(conclusion({ type: 'outcome', outcome: 'granted', tokens }, 'demo', 0)).toEqual([
      'Granted. Access token for alice, for client demo. Valid for 59 minutes 56 seconds.',
    ])
    const error = { error: 'login_failed', error_description: 'Wrong password', rule: 'RFC 6749 §4.1' }
    expect(conclusion({ type: 'outcome', outcome: 'refused', error }, 'demo', 0)).toEqual([
      'Refused: login_failed. Wrong password.',
      'Rule: RFC 6749 §4.1.',
      expect.stringMatching(/^Next: try again/),
    ])
  })

  it.each([
    [0, '0 seconds'],
    [1000, '1 second'],
    [3_600_000, '1 hour'],
    [90_061_000, '1 day 1 hour'],
    [-5, '0 seconds'],
  ])('%i ms is %s', (ms, words) => expect(spokenDuration(ms)).toBe(words))
})
