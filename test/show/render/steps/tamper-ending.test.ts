import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '../../../../src/commands/flow/flow-output.js'
import type { Outcome } from '../../../../src/flows/step.js'
import { conclusion } from '../../../../src/show/render/spoken/screen-reader.js'
import { outcomeLines } from '../../../../src/show/render/steps/outcome-lines.js'
import { outcomeText } from '../../../../src/show/render/steps/plain.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'

const rule = 'RFC 6749 §4.1.2'
const tamper = { move: 'reuse-code', wanted: 'invalid_grant' }

const refused: Outcome = {
  type: 'outcome',
  outcome: 'refused',
  expected: true,
  tamper: { ...tamper, found: '400 invalid_grant' },
  error: { error: 'invalid_grant', error_description: 'the code was redeemed before', rule },
}
const accepted: Outcome = {
  type: 'outcome',
  outcome: 'granted',
  expected: false,
  tamper: { ...tamper, found: 'a token (200)' },
  error: { error: 'not_refused', error_description: 'reuse-code was not refused', rule },
}
const otherwise: Outcome = {
  ...refused,
  expected: false,
  tamper: { ...tamper, found: '400 invalid_request' },
}
const before: Outcome = {
  type: 'outcome',
  outcome: 'refused',
  expected: false,
  tamper,
  error: { error: 'login_failed', error_description: 'wrong password', rule: 'RFC 6749 §4.1' },
}

const untold: Outcome = {
  type: 'outcome',
  outcome: 'failed',
  expected: false,
  tamper,
  error: { error: 'unreadable_page', error_description: 'the server shows a page', rule },
}

const harmless: Outcome = {
  ...accepted,
  tamper: { ...tamper, found: 'a token (200)', harmless: 'the client proves who it is' },
}

const plain = { clientId: 'demo', showSecrets: false, ascii: false }
const text = (outcome: Outcome) =>
  outcomeLines(outcome, 80, signsFor({ ascii: false })).map(each => each.map(({ text }) => text).join(''))

describe('the end of a flow with a wrong move', () => {
  it('has no known end where the login page cannot be read', () => {
    expect(outcomeText(untold, plain)).toEqual([
      'failed   unreadable_page: the server shows a page  (RFC 6749 §4.1.2)',
      'tamper   reuse-code has no known end: the login page cannot be read from here',
    ])
    expect(text(untold)[0]).toBe('✗ reuse-code has no known end: the login page cannot be read from here')
  })

  it('is good when the refusal is the one of the rule', () => {
    expect(outcomeText(refused, plain)).toEqual([
      'refused  reuse-code as expected: 400 invalid_grant  (RFC 6749 §4.1.2)',
      'said     the code was redeemed before',
    ])
    expect(conclusion(refused, 'demo', 0)).toEqual([
      'Refused: reuse-code as expected: 400 invalid_grant.',
      'The answer said: the code was redeemed before.',
      'Rule: RFC 6749 §4.1.2.',
    ])
    expect(text(refused)[0]).toBe('✓ reuse-code as expected: 400 invalid_grant')
  })

  it('is a fault when the move was accepted', () => {
    expect(outcomeText(accepted, plain)).toEqual([
      'fault    reuse-code was not refused: expected invalid_grant; got a token (200)  (RFC 6749 §4.1.2)',
    ])
    expect(conclusion(accepted, 'demo', 0)[0]).toMatch(/^Fault: reuse-code was not refused: /)
    expect(text(accepted)[0]).toMatch(/^✗ reuse-code was not refused/)
  })

  it('is no fault when the refusal came in another form, and ends with exit code 0', () => {
    const found = 'reuse-code was refused in another way: expected invalid_grant; got 400 invalid_request'
    expect(outcomeText(otherwise, { ...plain, ascii: true })).toEqual([
      `refused  ${found}  (RFC 6749 section 4.1.2)`,
    ])
    expect(conclusion(otherwise, 'demo', 0)[0]).toBe(`Refused: ${found}.`)
    expect(text(otherwise)[0]).toMatch(/^✓ reuse-code was refused in another way/)
    const noSignal = { exitCode: () => undefined }
    expect([refused, otherwise, accepted, before].map(each => exitCodeOf(each, noSignal))).toEqual([
      0, 0, 1, 1,
    ])
  })

  it('is a remark when the move was accepted and harms nobody, and ends with exit code 0, as for the doctor', () => {
    const found =
      'reuse-code was not refused, which harms nobody here: the client proves who it is; expected invalid_grant; got a token (200)'
    expect(outcomeText(harmless, plain)).toEqual([`remark   ${found}  (RFC 6749 §4.1.2)`])
    expect(conclusion(harmless, 'demo', 0)[0]).toBe(`Remark: ${found}.`)
    expect(text(harmless)[0]).toMatch(/^✓ reuse-code was not refused, which harms nobody here/)
    expect(exitCodeOf(harmless, { exitCode: () => undefined })).toBe(0)
  })

  it('is that of the flow when the move was never made', () => {
    expect(outcomeText(before, plain)).toEqual([
      'refused  login_failed: wrong password  (RFC 6749 §4.1)',
      'next     try again with the right password: --user NAME:PASSWORD, or --password-stdin',
      'tamper   reuse-code was not made: the flow ended before',
    ])
    expect(text(before).join('\n')).toMatch(/Error +wrong password/)
  })
})
