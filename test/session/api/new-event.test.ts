import { describe, expect, expectTypeOf, it } from 'vitest'
import { EVENTS, eventDecision, isRefusal } from '../../../src/protocol/event-catalogue.js'
import { bounded, createBus, type LabEvent, type NewEvent } from '../../../src/protocol/events.js'
import { type EventType, labEvents } from '../../../src/session/api/events.js'
import { serverLines } from '../../../src/show/render/events/server-lines.js'
import { signsFor } from '../../../src/show/render/text/signs.js'
import { plainText } from '../../../src/show/render/text/spans.js'

/** An event as CONTRIBUTING.md describes one, before the catalogue has its row. */
type VoucherEvent = NewEvent & { readonly type: 'voucher.refused'; readonly voucher: string }
const refused = (voucher: string): VoucherEvent => ({ type: 'voucher.refused', voucher: bounded(voucher) })

function published(...events: readonly NewEvent[]): LabEvent[] {
  const seen: LabEvent[] = []
  const bus = createBus(() => Date.UTC(2026, 10, 27))
  bus.subscribe(event => seen.push(event))
  const request = bus.openRequest({ remoteAddress: '127.0.0.1' })
  for (const event of events) request.publish(event)
  return seen
}

describe('a new event', () => {
  it('is stamped and bounded on its way to every listener', () => {
    expect(published(refused('x'.repeat(1000)))).toEqual([
      {
        type: 'voucher.refused',
        at: '2026-11-27T00:00:00.000Z',
        voucher: `${'x'.repeat(199)}…`,
        request: 1,
        remoteAddress: '127.0.0.1',
      },
    ])
  })

  it('is a refusal by its name, and is shown by its name until its row says more', () => {
    const [event] = published(refused('stale\u001b[31m'))
    expect(isRefusal(event!)).toBe(true)
    expect(eventDecision(event!.type)).toEqual({ says: 'voucher refused', rule: undefined })
    const lines = serverLines([event!], 80, signsFor({ ascii: false }))
      .map(plainText)
      .join('\n')
    expect(lines).toContain('voucher refused')
    expect(lines).not.toContain('\u001b')
  })

  it('is read by its name from the library', async () => {
    const bus = createBus(() => 0)
    const { events, end } = labEvents(bus)
    const next = events.next('consent.denied')
    bus.publish({ type: 'consent.denied', client_id: 'demo' })
    expect(await next).toMatchObject({ type: 'consent.denied', client_id: 'demo' })
    end()
  })

  it('does not compile without its row: the catalogue and the events of the sites are equal', () => {
    expectTypeOf<Exclude<EventType, keyof typeof EVENTS>>().toEqualTypeOf<never>()
    expectTypeOf<Exclude<keyof typeof EVENTS, EventType>>().toEqualTypeOf<never>()
    expect(Object.values(EVENTS).every(([meaning]) => meaning.length > 0)).toBe(true)
  })
})
