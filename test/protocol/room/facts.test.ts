import { describe, expect, it } from 'vitest'
import { readFact } from '../../../src/protocol/room/facts.js'

const at = '2026-11-28T10:00:00.000Z'

describe('a fact of a room', () => {
  it.each([
    [{ n: 1, at, fact: 'lesson.opened', lesson: '05-pkce' }],
    [{ n: 2, at, fact: 'refused', lesson: '05-pkce', task: 'verifier', rule: 'invalid_grant RFC 7636 §4.6' }],
    [{ n: 3, at, fact: 'prediction.answered', lesson: '05-pkce', answer: 'b' }],
    [{ n: 4, at, fact: 'idle' }],
  ])('is read: %j', fact => expect(readFact(fact)).toEqual(fact))

  it.each([
    ['no object', 'idle'],
    ['no number', { at, fact: 'idle' }],
    ['a number of a list', { n: 0, at, fact: 'idle' }],
    ['another fact', { n: 1, at, fact: 'command.typed' }],
    ['another member', { n: 1, at, fact: 'idle', token: 'eyJhbGciOiJub25lIn0' }],
    ['a member of every object', { n: 1, at, fact: 'idle', toString: 'x' }],
    ['no time', { n: 1, at: 'now', fact: 'idle' }],
    ['a time that never was', { n: 1, at: '2026-13-41T10:00:00Z', fact: 'idle' }],
    ['markup in a name', { n: 1, at, fact: 'task.shown', lesson: '<script>' }],
    ['an escape in a rule', { n: 1, at, fact: 'refused', rule: '\u001b[31m' }],
    ['an address in a rule', { n: 1, at, fact: 'refused', rule: 'https://app.example/cb?code=1' }],
    ['a long text', { n: 1, at, fact: 'refused', rule: 'a'.repeat(121) }],
    ['a list', { n: 1, at, fact: 'refused', rule: ['RFC 7636'] }],
  ])('is not %s', (_, value) => expect(readFact(value)).toBeUndefined())
})
