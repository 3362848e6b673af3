import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { streamEvents } from '../../../src/protocol/http/event-stream.js'
import { forAll } from '../../support/for-all.js'

describe('the events of a stream (HTML §9.2.6)', () => {
  it.each([
    ['one line', 'data: a\n\n', [{ data: 'a' }]],
    ['three lines', 'data: YHOO\ndata: +2\ndata: 10\n\n', [{ data: 'YHOO\n+2\n10' }]],
    ['a comment', ': test stream\n\ndata: first event\nid: 1\n\n', [{ data: 'first event', id: '1' }]],
    [
      'an id that stays',
      'id: 1\ndata: a\n\ndata: b\n\n',
      [
        { data: 'a', id: '1' },
        { data: 'b', id: '1' },
      ],
    ],
    ['an empty id', 'id\ndata: a\n\n', [{ data: 'a', id: '' }]],
    ['an id with NUL', 'id: 1\0\ndata: a\n\n', [{ data: 'a' }]],
    ['one blank after the colon', 'data:test\n\ndata:  test\n\n', [{ data: 'test' }, { data: ' test' }]],
    ['no colon', 'data\n\ndata\ndata\n\ndata:', [{ data: '' }, { data: '\n' }]],
    ['the line ends of others', '\ufeffdata: a\r\n\r\ndata: b\r\r', [{ data: 'a' }, { data: 'b' }]],
    ['fields of no meaning here', 'event: x\nretry: 10\nfoo\n\ndata: a\nevent: y\n\n', [{ data: 'a' }]],
    ['an event without its end', 'data: a\n\ndata: b\n', [{ data: 'a' }]],
  ])('%s', (_, stream, expected) => expect(streamEvents(stream)).toEqual(expected))

  it('are read from any text', () =>
    forAll(fc.string({ unit: 'binary' }), text => {
      expect(Array.isArray(streamEvents(text))).toBe(true)
    }))
})
