import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundedEvent, MAX_EVENT_BYTES } from '../../../src/protocol/events.js'

const long = 'x'.repeat(201)
const cut = `${'x'.repeat(199)}…`
const bytesOf = (event: object) => Buffer.byteLength(JSON.stringify(event))

describe('boundedEvent', () => {
  it('returns an event within the bounds as it is', () => {
    const event = { type: 'a', text: 'x'.repeat(200), list: [{ n: 1, no: null }], at: undefined }
    expect(boundedEvent(event)).toBe(event)
  })

  it('returns a large event as it is while its JSON is small enough', () => {
    const event = { type: 'a', list: Array.from({ length: 35 }, () => 'x'.repeat(200)) }
    expect(boundedEvent(event)).toBe(event)
  })

  it.each([
    ['a member', { text: long }, { text: cut }],
    ['a list', { list: [1, long] }, { list: [1, cut] }],
    ['an object', { object: { deep: { text: long } } }, { object: { deep: { text: cut } } }],
    ['objects of a list', { list: [{ a: [long] }] }, { list: [{ a: [cut] }] }],
    ['a name inside an object', { object: { [long]: 1 } }, { object: { [cut]: 1 } }],
  ])('cuts the texts of %s', (_where, members, expected) => {
    expect(boundedEvent({ type: 'a', ...members })).toEqual({ type: 'a', ...expected })
  })

  it('makes texts well-formed', () => {
    expect(boundedEvent({ type: 'a', list: ['\ud800'] })).toEqual({ type: 'a', list: ['\ufffd'] })
  })

  it('keeps 50 members of a list and of an object inside it', () => {
    const list = Array.from({ length: 60 }, (_, i) => i)
    const object = Object.fromEntries(list.map(each => [`n${each}`, each]))
    const event = boundedEvent({ type: 'a', list, object })
    expect(event.list).toEqual(list.slice(0, 50))
    expect(Object.keys(event.object as object)).toHaveLength(50)
  })

  it('cuts texts shorter where the whole event would be too large', () => {
    const event = boundedEvent({ type: 'a', status: 400, list: Array.from({ length: 50 }, () => long) })
    expect(event.status).toBe(400)
    expect(event.list).toEqual(Array.from({ length: 20 }, () => `${'x'.repeat(99)}…`))
  })

  it('ends at a nesting of six', () => {
    let nested: unknown = 'deep'
    for (let i = 0; i < 2000; i++) nested = [nested]
    expect(JSON.stringify(boundedEvent({ type: 'a', nested }))).toBe('{"type":"a","nested":[[[[[["…"]]]]]]}')
  })

  it('holds any JSON below its limit', () => {
    const text = fc.string({ unit: 'binary', maxLength: 500 })
    const value = fc.letrec(tie => ({
      value: fc.oneof(
        { maxDepth: 5 },
        text,
        fc.double(),
        fc.array(tie('value'), { maxLength: 60 }),
        fc.dictionary(text, tie('value'), { maxKeys: 60 }),
      ),
    })).value
    fc.assert(
      fc.property(value, value, (one, two) => {
        expect(bytesOf(boundedEvent({ type: 'a', one, two }))).toBeLessThan(MAX_EVENT_BYTES)
      }),
      { numRuns: 100 },
    )
  })

  it('holds texts of control characters in wide lists below its limit', () => {
    const wide = (depth: number): unknown =>
      depth === 0 ? '\0'.repeat(300) : Array.from({ length: 8 }, () => wide(depth - 1))
    expect(bytesOf(boundedEvent({ type: 'a', wide: wide(5) }))).toBeLessThan(MAX_EVENT_BYTES)
  })
})
