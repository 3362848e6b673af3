import { describe, expect, it } from 'vitest'
import { createBus } from '../../src/events/bus.js'
import type { LabEvent } from '../../src/events/event.js'

const noon = Date.UTC(2026, 0, 2, 12)

describe('createBus', () => {
  it('puts the time of its clock on an event, type first', () => {
    const seen: LabEvent[] = []
    const bus = createBus(() => noon)
    bus.subscribe(event => seen.push(event))
    bus.publish({ type: 'code.issued', client_id: 'demo' })
    expect(JSON.stringify(seen)).toBe(
      '[{"type":"code.issued","at":"2026-01-02T12:00:00.000Z","client_id":"demo"}]',
    )
  })

  it('writes every moment as Date does, within a second and across', () => {
    const moments = [noon, noon + 7, noon + 999, noon + 1000, noon + 999, -1, 0, 253_402_300_800_000]
    const seen: string[] = []
    let time = 0
    const bus = createBus(() => time)
    bus.subscribe(({ at }) => seen.push(at))
    for (time of moments) bus.publish({ type: 'a' })
    expect(seen).toEqual(moments.map(each => new Date(each).toISOString()))
  })

  it('takes the time that somebody measured', () => {
    const seen: string[] = []
    const bus = createBus(() => noon)
    bus.subscribe(({ at }) => seen.push(at))
    bus.publish({ type: 'a' }, noon - 7)
    expect(seen).toEqual(['2026-01-02T11:59:59.993Z'])
  })

  it('tells every listener in the order they came, until one leaves', () => {
    const heard: string[] = []
    const bus = createBus(() => noon)
    const leave = bus.subscribe(() => heard.push('first'))
    bus.subscribe(() => heard.push('second'))
    bus.publish({ type: 'a' })
    leave()
    bus.publish({ type: 'b' })
    expect(heard).toEqual(['first', 'second', 'second'])
  })

  it('tells one who leaves or comes during an event nothing twice', () => {
    const heard: string[] = []
    const bus = createBus(() => noon)
    const leave = bus.subscribe(() => {
      heard.push('once')
      leave()
      bus.subscribe(event => heard.push(event.type))
    })
    bus.publish({ type: 'a' })
    bus.publish({ type: 'b' })
    expect(heard).toEqual(['once', 'b'])
  })
})
