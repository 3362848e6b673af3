import fc from 'fast-check'
import { expect, it } from 'vitest'
import { watchEvents } from '../../src/client/transport/connection.js'
import { forAll } from '../support/for-all.js'

/** Feeds a stream in chunks of a size, and returns the events that were handed over. */
function fed(stream: string, size: number): string {
  const seen: string[] = []
  const watch = watchEvents(events => {
    seen.push(events)
    return false
  })
  const bytes = Buffer.from(stream)
  for (let at = 0; at < bytes.length; at += size) watch(bytes.subarray(at, at + size))
  return seen.join('')
}

it.each([
  ['data: a\n\ndata: b', 'data: a\n\n'],
  ['data: a\r\n\r\ndata: b\r\n', 'data: a\r\n\r\n'],
  ['data: a\r\rdata: b', 'data: a\r\r'],
  ['data: é\n\ndata: ☀\n\n', 'data: é\n\ndata: ☀\n\n'],
  ['data: a\r\ndata: b\r\n', ''],
])('hands over the whole events of %j, whatever the chunks', (stream, whole) => {
  for (const size of [1, 2, 3, 5, 100]) expect(fed(stream, size)).toBe(whole)
})

it('stops when the events are enough', () => {
  const watch = watchEvents(events => events.includes('end'))
  expect(watch(Buffer.from('data: begin\n\n'))).toBe(false)
  expect(watch(Buffer.from('data: end'))).toBe(false)
  expect(watch(Buffer.from('\n\n'))).toBe(true)
})

it('loses nothing before the last blank line', () =>
  forAll(fc.string(), fc.integer({ min: 1, max: 7 }), (text, size) => {
    expect(fed(`${text}\n\n`, size)).toBe(Buffer.from(`${text}\n\n`).toString())
  }))

it('reads a megabyte of small lines at once', () => {
  const started = performance.now()
  fed('data: x\r\n'.repeat(100_000), 9)
  expect(performance.now() - started).toBeLessThan(2000)
})
