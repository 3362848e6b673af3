import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LabEvent } from '../../../src/protocol/events.js'
import { sentence, spokenEvent, withoutSpokenAnswers } from '../../../src/show/render/spoken/spoken-item.js'
import { forAll } from '../../support/for-all.js'

/** Characters that a terminal obeys. */
const hostile = /[\p{Cc}\u202e]/u

const at = '2026-11-21T14:03:11.000Z'
const event = (type: string, members: Record<string, unknown> = {}): LabEvent => ({ type, at, ...members })

it.each([
  ['no such user', 'no such user.'],
  ['No such user.', 'No such user.'],
  ['Again?', 'Again?'],
  ['', '.'],
])('a sentence: %j ends with one sign', (text, said) => expect(sentence(text)).toBe(said))

describe('an event that is read aloud', () => {
  it('says what happened, to whom, and which rule', () => {
    const refused = event('token.refused', {
      request: 3,
      client_id: 'demo',
      status: 400,
      error: 'invalid_grant',
      description: 'the code was redeemed before.',
      rule: 'RFC 6749 §4.1.2',
    })
    const { say, details } = spokenEvent(refused)
    expect(say).toBe(
      'Request 3. Token refused. Client demo. invalid_grant: the code was redeemed before. Rule: RFC 6749 §4.1.2.',
    )
    expect(details).toEqual([
      'Token refused. At 14:03:11 UTC.',
      'request: 3.',
      'client_id: demo, the client.',
      'status: 400.',
      'error: invalid_grant, code of the error.',
      'the code was redeemed before.',
      'Rule: RFC 6749 §4.1.2.',
    ])
  })

  it('names the checks that passed, or those that failed', () => {
    const iss = { name: 'iss', ok: true, rule: 'RFC 7519 §4.1.1' }
    const exp = { name: 'exp', ok: false, rule: 'RFC 7519 §4.1.4', detail: 'over since 5 s' }
    expect(spokenEvent(event('resource.accepted', { checks: [iss] })).say).toBe(
      'Resource accepted. 1 check passed: iss.',
    )
    const both = spokenEvent(event('resource.refused', { checks: [iss, exp] }))
    expect(both.say).toBe('Resource refused. Check exp failed: over since 5 s. Rule: RFC 7519 §4.1.4.')
    expect(both.details).toContain('Check iss passed. Rule: RFC 7519 §4.1.1.')
  })

  it('names the client of a failed handshake', () => {
    const failed = event('handshake.failed', {
      remoteAddress: '127.0.0.1',
      description: 'gave up: unknown CA',
    })
    expect(spokenEvent(failed).say).toBe('Handshake failed. 127.0.0.1 gave up: unknown CA.')
  })

  it('is safe for a terminal, whatever it holds', () =>
    forAll(fc.string({ unit: 'binary' }), text => {
      const { say, details } = spokenEvent(event('token.refused', { client_id: text, description: text }))
      for (const line of [say, ...details]) expect(line).not.toMatch(hostile)
    }))

  it('of an answer is left out when the decision was told', () => {
    const isNews = withoutSpokenAnswers()
    expect(isNews(event('token.refused', { request: 1 }))).toBe(true)
    expect(isNews(event('request.answered', { request: 1 }))).toBe(false)
    expect(isNews(event('request.answered', { request: 2 }))).toBe(true)
    expect(isNews(event('key.rotated'))).toBe(true)
  })
})
