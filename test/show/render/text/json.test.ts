import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Step } from '../../../../src/flows/step.js'
import { flowJson, jsonLine } from '../../../../src/show/render/text/json.js'
import { forAll } from '../../../support/for-all.js'

const step: Step = {
  note: 'a note',
  why: 'because',
  title: 'POST /token',
  name: 'token_request',
  n: 5,
  of: 6,
  from: 'client',
  to: 'authorization_server',
  rfc: '6749 §4.1.3',
  type: 'step',
  exchange: {
    request: {
      method: 'POST',
      url: 'https://lab.test/token',
      headers: [['authorization', `Basic ${Buffer.from('demo:secret').toString('base64')}`]],
      body: '',
    },
    wireBytes: { request: 0, response: 0 },
    bodyBytes: 0,
    ms: 1,
    at: '2026-11-21T14:03:11.000Z',
  },
  token: { kind: 'access_token', value: 'whole-access-token-value', checks: [] },
}

describe('flowJson', () => {
  it('writes the members that apply, type first', () => {
    const written = JSON.parse(flowJson(step, { showSecrets: false })) as Record<string, unknown>
    expect(Object.keys(written)).toEqual([
      'type',
      'n',
      'of',
      'name',
      'from',
      'to',
      'rfc',
      'exchange',
      'token',
      'note',
    ])
    expect(written.token).toMatchObject({ value: 'whole-access-token-value' })
  })

  it('hides client secrets unless they are asked for', () => {
    const basic = Buffer.from('demo:secret').toString('base64')
    expect(flowJson(step, { showSecrets: false })).not.toContain(basic)
    expect(flowJson(step, { showSecrets: true })).toContain(basic)
  })

  it('writes outcomes whole', () => {
    const tokens = { access_token: 'whole-access-token-value', expires_in: 3600, scope: 'a' }
    expect(
      JSON.parse(flowJson({ type: 'outcome', outcome: 'granted', tokens }, { showSecrets: false })),
    ).toEqual({ type: 'outcome', outcome: 'granted', tokens })
  })
})

it('jsonLine is one line that no terminal obeys, and the same value', async () => {
  await forAll(fc.jsonValue({ stringUnit: 'binary' }), value => {
    const line = jsonLine(value)
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)))
  })
  expect(jsonLine('\u009b31m\u202e\u{e0001}')).toBe('"\\u009b31m\\u202e\\udb40\\udc01"')
})
