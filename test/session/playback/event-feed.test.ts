import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LabEvent } from '../../../src/protocol/events.js'
import type { BrokenLines } from '../../../src/session/playback/events.js'
import {
  brokenText,
  createEventReader,
  holdsEvents,
  parseEvent,
} from '../../../src/session/playback/events.js'
import { forAll } from '../../support/for-all.js'

const line = '{"type":"code.issued","at":"2026-11-21T14:03:11.000Z","code":"k3V9…Qm1"}'
const ready = '{"type":"lab.ready","pid":1,"ca":"/ca.pem","urls":{}}'

function read(pieces: readonly string[]): { events: LabEvent[]; broken: BrokenLines | undefined } {
  const events: LabEvent[] = []
  let broken: BrokenLines | undefined
  const reader = createEventReader({
    event: event => events.push(event),
    broken: found => {
      broken = found
    },
  })
  for (const piece of pieces) reader.add(piece)
  reader.end()
  return { events, broken }
}

describe('a line', () => {
  it.each([
    ['', 'nothing'],
    ['{"type":"code.issued"', 'cut'],
    ['{"type":"code.issued"}', 'without a time'],
    ['{"type":"code.issued","at":"yesterday"}', 'with a time that is none'],
    ['{"type":"step","n":1}', 'a step of a flow'],
    ['{"type":7,"at":"2026-11-21T14:03:11Z"}', 'with a number for a type'],
    ['{"type":"\\u001b[2J.x","at":"2026-11-21T14:03:11Z"}', 'with an escape sequence for a type'],
    ['[]', 'a list'],
    ['null', 'null'],
  ])('%s is no event: %s', text => expect(parseEvent(text)).toBeUndefined())

  it('is an event, or the first line of a server', () => {
    expect(parseEvent(line)).toMatchObject({ type: 'code.issued', code: 'k3V9…Qm1' })
    expect(parseEvent(ready)).toMatchObject({ type: 'lab.ready', pid: 1 })
  })
})

it('tells events from a recorded flow, also after a broken line', () => {
  expect(holdsEvents(`${ready}\n${line}\n`)).toBe(true)
  expect(holdsEvents(`broken\n${line}\n`)).toBe(true)
  expect(holdsEvents('{"type":"step","n":1,"of":6}\n')).toBe(false)
  expect(holdsEvents('')).toBe(false)
})

describe('a file of events', () => {
  it('is read the same in pieces of any size', async () => {
    const text = `${ready}\n${line}\r\n\nbroken\n${line}`
    await forAll(fc.array(fc.nat(text.length), { maxLength: 8 }), cuts => {
      const at = [0, ...[...cuts].sort((a, b) => a - b), text.length]
      const { events, broken } = read(at.slice(1).map((end, i) => text.slice(at[i], end)))
      expect(events.map(({ type }) => type)).toEqual(['lab.ready', 'code.issued', 'code.issued'])
      expect(broken).toEqual({ count: 1, lines: [4] })
    })
  })

  it('counts its broken lines and names the first of them', () => {
    const { events, broken } = read([`${'broken\n'.repeat(12)}${line}\n`])
    expect(events).toHaveLength(1)
    expect(broken && brokenText(broken)).toBe('12 broken lines (1, 2, 3, 4, 5, 6, 7, 8, …)')
    expect(brokenText({ count: 1, lines: [3] })).toBe('1 broken line (3)')
  })

  it('does not keep a line that never ends', () => {
    const { events, broken } = read([...Array.from({ length: 100 }, () => 'x'.repeat(10_000)), `\n${line}\n`])
    expect(events).toHaveLength(1)
    expect(broken).toEqual({ count: 1, lines: [1] })
  })
})
