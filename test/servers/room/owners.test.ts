import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBus, type LabEvent } from '../../../src/protocol/events.js'
import type { NumberedEvent } from '../../../src/protocol/recent-events.js'
import { labFeed, ownEvents, ownerFold } from '../../../src/servers/room/owners.js'

const seatOf = (account: string) => (/^k7-\d\d$/.test(account) ? account.toUpperCase() : undefined)

const event = (type: string, members: object): LabEvent => ({
  type,
  at: '2030-01-01T09:00:00.000Z',
  ...members,
})

/** The participants of some events, by their types, in the order in which they are decided. */
function ownersOf(events: readonly LabEvent[]): readonly string[] {
  const fold = ownerFold(seatOf)
  return events.flatMap(each => fold(each).map(([{ type }, who]) => `${type} ${who ?? '-'}`))
}

const answered = (request: number, members: object = {}) => event('request.answered', { request, ...members })

describe('the participant of an event', () => {
  it.each<[name: string, events: readonly LabEvent[], expected: readonly string[]]>([
    [
      'is the client, the user, the account or the token that its request names',
      [
        event('authorization.requested', { request: 1, client_id: 'k7-01' }),
        event('login.failed', { request: 2, username: 'k7-02' }),
        event('resource.accepted', { request: 3, sub: 'k7-03' }),
        event('cluster.token_requested', { request: 4, by: 'k7-04' }),
        event('cluster.token_reviewed', { request: 5, by: 'system:serviceaccount:k7-05:demo' }),
        event('dns.events_read', { request: 6, by: 'k7-06' }),
      ],
      [
        'authorization.requested K7-01',
        'login.failed K7-02',
        'resource.accepted K7-03',
        'cluster.token_requested K7-04',
        'cluster.token_reviewed K7-05',
        'dns.events_read K7-06',
      ],
    ],
    [
      'is that of the whole request, of the events before it too',
      [
        event('keys.fetched', { request: 1 }),
        event('resource.accepted', { request: 1, client_id: 'k7-01' }),
        answered(1),
      ],
      ['keys.fetched K7-01', 'resource.accepted K7-01', 'request.answered K7-01'],
    ],
    [
      'is that of the request which caused the request',
      [
        answered(8, { cause: 7 }),
        event('keys.fetched', { request: 7 }),
        event('resource.accepted', { request: 7, sub: 'k7-02' }),
        answered(7),
      ],
      ['request.answered K7-02', 'keys.fetched K7-02', 'resource.accepted K7-02', 'request.answered K7-02'],
    ],
    [
      'is that of the run, where the request names nobody',
      [
        answered(1, { run: 'doctor 1a' }),
        answered(2, { run: 'doctor 1a', client_id: 'k7-01' }),
        answered(3, { run: 'doctor 1a' }),
        answered(4, { run: 'doctor 1a', client_id: 'k7-02' }),
        answered(5, { run: 'doctor 1a' }),
      ],
      [
        'request.answered -',
        'request.answered K7-01',
        'request.answered K7-01',
        'request.answered K7-02',
        'request.answered K7-01',
      ],
    ],
    [
      'is nobody where the request names two, or none',
      [
        event('login.succeeded', { request: 1, client_id: 'k7-01', username: 'k7-02' }),
        answered(1, { client_id: 'k7-01' }),
        answered(2),
        answered(3, { client_id: 'demo', by: 'system:anonymous' }),
        event('handshake.failed', {}),
      ],
      [
        'login.succeeded -',
        'request.answered -',
        'request.answered -',
        'request.answered -',
        'handshake.failed -',
      ],
    ],
  ])('%s', (_, events, expected) => expect(ownersOf(events)).toEqual(expected))

  it('never is one whom an event does not name beside another, whatever comes, and no event is lost or doubled', () => {
    const names = fc.constantFrom('k7-01', 'k7-02', 'system:serviceaccount:k7-01:demo', 'demo', 7, null, {})
    const any = fc.record(
      {
        type: fc.constantFrom('request.answered', 'token.issued', 'cluster.token_reviewed'),
        request: fc.integer({ min: 1, max: 9 }),
        cause: fc.integer({ min: 1, max: 9 }),
        run: fc.constantFrom('doctor 1a', 'doctor 2b', 3),
        client_id: names,
        username: names,
        sub: names,
        by: names,
      },
      { requiredKeys: ['type'] },
    )
    fc.assert(
      fc.property(fc.array(any, { maxLength: 60 }), list => {
        const fold = ownerFold(seatOf)
        const events = list.map(each => each as unknown as LabEvent)
        const last = Array.from({ length: 9 }, (_, i) => answered(i + 1))
        const owned = [...events, ...last].flatMap(fold)
        for (const [{ client_id, username, sub, by }, who] of owned) {
          const named = [client_id, username, sub, by].filter(each => typeof each === 'string')
          const seats = named.map(each => seatOf(each.replace(/^system:serviceaccount:([^:]+):.*/, '$1')))
          for (const seat of seats) if (seat !== undefined && who !== undefined) expect(who).toBe(seat)
        }
        expect(new Set(owned.map(([each]) => each)).size).toBe(owned.length)
        expect(owned.length).toBeLessThanOrEqual(events.length + last.length)
      }),
    )
  })

  it('is found in bounded memory: the oldest request is decided when there are too many', () => {
    const fold = ownerFold(seatOf)
    const decided = Array.from({ length: 2_001 }, (_, i) => fold(event('keys.fetched', { request: i + 1 })))
    expect(decided.at(-1)).toEqual([[event('keys.fetched', { request: 1 }), undefined]])
    const flood = Array.from({ length: 100 }, () => fold(event('keys.fetched', { request: 9_999 })))
    expect(flood.at(-1)).toHaveLength(100)
  })
})

it('the events of a participant come after the last one that was seen, and those of others never', () => {
  const bus = createBus(() => 0)
  const kept = ownEvents(labFeed(bus, seatOf), 0)
  const publish = (client: string, n: number) =>
    bus.openRequest().publish({ type: 'token.issued', client_id: client, n })
  for (let n = 1; n <= 150; n++) publish('k7-01', n)
  publish('k7-02', 1)
  const seen: string[] = []
  const follow = (who: string, last?: number) => {
    const note = ({ number, event: { client_id, n } }: NumberedEvent) => {
      seen.push(`${who} ${number} ${client_id} ${n}`)
    }
    if (last !== undefined) kept(who).after(last).forEach(note)
    return kept(who).subscribe(note)
  }
  const stop = follow('K7-01', 148)
  expect(seen).toEqual(['K7-01 149 k7-01 149', 'K7-01 150 k7-01 150'])
  follow('K7-02')
  publish('k7-01', 151)
  publish('k7-02', 2)
  stop()
  publish('k7-01', 152)
  expect(seen.slice(2)).toEqual(['K7-01 151 k7-01 151', 'K7-02 2 k7-02 2'])
  seen.length = 0
  // The teacher's program was started again: its numbers begin again.
  follow('K7-01', 9_000)()
  expect(seen).toHaveLength(100)
})
