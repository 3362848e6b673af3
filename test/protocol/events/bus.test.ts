import { describe, expect, it } from 'vitest'
import type { LabEvent } from '../../../src/protocol/events.js'
import { createBus } from '../../../src/protocol/events.js'

const noon = Date.UTC(2026, 0, 2, 12)

function recorded(now: () => number = () => noon) {
  const events: LabEvent[] = []
  const bus = createBus(now)
  bus.subscribe(event => events.push(event))
  return { bus, events }
}

describe('createBus', () => {
  it('puts the time of its clock on an event, type first', () => {
    const { bus, events } = recorded()
    bus.publish({ type: 'code.issued', client_id: 'demo' })
    expect(JSON.stringify(events)).toBe(
      '[{"type":"code.issued","at":"2026-01-02T12:00:00.000Z","client_id":"demo"}]',
    )
  })

  it('gives every request an id of its own, and puts it on the events of the request', () => {
    const { bus, events } = recorded()
    const first = bus.openRequest()
    const second = bus.openRequest()
    second.publish({ type: 'b', client_id: 'demo' })
    first.publish({ type: 'a' })
    expect([first.id, second.id]).toEqual([1, 2])
    expect(JSON.stringify(events)).toBe(
      '[{"type":"b","at":"2026-01-02T12:00:00.000Z","request":2,"client_id":"demo"},' +
        '{"type":"a","at":"2026-01-02T12:00:00.000Z","request":1}]',
    )
  })

  it('puts the id of the causing request and the address of the client on the events of a request', () => {
    const { bus, events } = recorded()
    const { id } = bus.openRequest()
    bus.openRequest({ cause: id, remoteAddress: '192.0.2.7' }).publish({ type: 'a' })
    expect(events).toEqual([
      { type: 'a', at: '2026-01-02T12:00:00.000Z', request: 2, cause: 1, remoteAddress: '192.0.2.7' },
    ])
  })

  it('bounds every event', () => {
    const { bus, events } = recorded()
    bus.publish({ type: 'a', text: 'x'.repeat(300) })
    bus.openRequest().publish({ type: 'b', list: [{ text: 'x'.repeat(300) }] })
    const cut = `${'x'.repeat(199)}…`
    expect(events).toMatchObject([{ text: cut }, { list: [{ text: cut }] }])
  })

  it('calls the listeners in the order of their subscription, until they unsubscribe', () => {
    const heard: string[] = []
    const bus = createBus(() => noon)
    const leave = bus.subscribe(() => heard.push('first'))
    bus.subscribe(() => heard.push('second'))
    bus.publish({ type: 'a' })
    leave()
    bus.publish({ type: 'b' })
    expect(heard).toEqual(['first', 'second', 'second'])
  })

  it('calls a listener once for an event when it unsubscribes and subscribes again during that event', () => {
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
