import { describe, expect, it } from 'vitest'
import { createRoomGate } from '../../src/learn/engine/room-gate.js'
import type { Lesson } from '../../src/learn/model.js'
import type { Pace, RoomMessage } from '../../src/protocol/room/messages.js'

const lesson = { name: '05-pkce', tasks: [{ name: 'one' }, { name: 'two' }] } as unknown as Lesson
const NOW = Date.parse('2026-11-28T10:00:00Z')
const most: Pace = { kind: 'together', share: 0.8 }
const waiting = (done: number, of: number, task = '05-pkce/one'): RoomMessage => ({
  type: 'waiting',
  task,
  done,
  of,
})

describe('the pace of a room', () => {
  it.each([
    ['free', { kind: 'free' }, [], 'one', undefined],
    ['most, not counted yet', most, [], 'one', 'The room goes on at 80 %.'],
    ['most, too few', most, [waiting(12, 20)], 'one', '12 of 20 have it; the room goes on at 80 %.'],
    ['most, of another task', most, [waiting(20, 20, '05-pkce/two')], 'one', 'The room goes on at 80 %.'],
    ['most, enough', most, [waiting(16, 20)], 'one', undefined],
    ['most, once enough', most, [waiting(16, 20), waiting(16, 40)], 'one', undefined],
    [
      'all',
      { kind: 'together', share: 1 },
      [waiting(19, 20)],
      'one',
      '19 of 20 have it; the room goes on when everybody has it.',
    ],
    ['most, before the explanation', most, [], 'two', undefined],
    ['most, at the end', most, [], undefined, 'The room begins the next lesson together.'],
    [
      'a time to come',
      { kind: 'until', at: '2026-11-28T10:05:00Z' },
      [],
      'one',
      expect.stringMatching(/goes on at \d\d:\d\d/),
    ],
    ['a time that is over', { kind: 'until', at: '2026-11-28T09:55:00Z' }, [], 'one', undefined],
  ] as const)('%s', (_, pace, messages, task, expected) => {
    const gate = createRoomGate({ lesson: '05-pkce', pace, open: [] })
    gate.online(true)
    // The sentence is asked for all the time.
    for (const each of messages) {
      gate.hear(each)
      gate.reason({ lesson, task }, NOW)
    }
    expect(gate.reason({ lesson, task }, NOW)).toEqual(expected)
  })

  it.each([
    ['where the teacher opened the task', { lesson: '05-pkce', pace: most, open: ['05-pkce/one'] }, true],
    ['in another lesson than that of the room', { lesson: '06-one-use', pace: most, open: [] }, true],
    ['while the teacher cannot be heard', { lesson: '05-pkce', pace: most, open: [] }, false],
  ] as const)('holds nobody %s', (_, phase, online) => {
    const gate = createRoomGate({ pace: { kind: 'free' }, open: [] })
    gate.online(online)
    gate.hear({ type: 'phase', ...phase })
    expect(gate.reason({ lesson, task: 'one' }, NOW)).toBeUndefined()
  })
})
