import { describe, expect, it } from 'vitest'
import { TransportError, UserError } from '../../../../../src/protocol/errors.js'
import { findEvents } from '../../../../../src/servers/cloudflare/client/events/event-source.js'
import { follow } from '../../../../../src/servers/cloudflare/client/events/search.js'
import { emulator, start, zone } from '../../support.js'
import { event } from '../webhook/support.js'
import { serviceOf } from './support.js'

const HOUR = 3_600_000

class Ended extends Error {}

function following(api: 'rest' | 'graphql', rounds: number, late = 0) {
  const { site, clock } = emulator()
  const service = serviceOf(site.handle)
  let left = rounds
  return follow(
    { since: start - HOUR },
    {
      find: period => findEvents(service, api, { zone, period, filter: {} }, 10_000),
      interval: 5000,
      late,
      pause: async ms => {
        clock.ms += ms
        if (--left === 0) throw new Ended()
      },
      troubled: () => {},
      recovered: () => {},
    },
  )
}

describe('following', () => {
  it.each([
    ['rest', 0],
    ['graphql', 60_000],
  ] as const)('%s: every event once, oldest first', async (api, late) => {
    const seen: string[] = []
    const times: string[] = []
    const run = async () => {
      for await (const batch of following(api, 60, late)) {
        seen.push(...batch.map(each => each.ray_id))
        times.push(...batch.map(each => each.occurred_at))
      }
    }
    await expect(run()).rejects.toThrow(Ended)
    expect(seen.length).toBeGreaterThan(57 + 30)
    expect(new Set(seen).size).toBe(seen.length)
    expect(times).toEqual([...times].sort())
  })

  /** Asked again and again, with an error where there is one. */
  function troubled(...errors: readonly (Error | undefined)[]) {
    const told: [string, number][] = []
    let recoveries = 0
    let asked = 0
    const events = follow(
      { since: start },
      {
        find: async () => {
          const error = errors[asked++]
          if (error) throw error
          return { events: [{ ...event, ray_id: `r${asked}` }], more: false }
        },
        interval: 1000,
        late: 0,
        pause: async () => {},
        troubled: ({ message }, wait) => told.push([message, wait]),
        recovered: () => recoveries++,
      },
    )
    return { events, told, recoveries: () => recoveries }
  }
  const gone = new TransportError('cannot reach it', 'ECONNREFUSED')

  it('asks again after a temporary error, with growing waits', async () => {
    const { events, told, recoveries } = troubled(undefined, gone, gone)
    await events.next()
    expect(await events.next()).toMatchObject({ value: [{ ray_id: 'r4' }] })
    expect(told).toEqual([
      ['cannot reach it', 2000],
      ['cannot reach it', 4000],
    ])
    expect(recoveries()).toBe(1)
  })

  it('ends after five failures in a row, and at once after a refusal or before the first answer', async () => {
    const { events, told } = troubled(undefined, gone, gone, gone, gone, gone)
    await events.next()
    await expect(events.next()).rejects.toBe(gone)
    expect(told).toHaveLength(4)
    const no = new UserError('no', 'refused')
    const refused = troubled(undefined, no)
    await refused.events.next()
    await expect(refused.events.next()).rejects.toBe(no)
    await expect(troubled(gone).events.next()).rejects.toBe(gone)
  })
})
