import { describe, expect, it } from 'vitest'
import { EVENTS, type TheftLog, theftLog, theftOf } from '../../../src/learn/capstones/log/theft-log.js'
import { THEFTS } from '../../../src/learn/capstones/log/thefts.js'
import { EVENTS as CATALOGUE } from '../../../src/protocol/event-catalogue.js'
import type { LabEvent } from '../../../src/protocol/events.js'
import { weakModes } from '../../../src/protocol/rules/weak-modes.js'

const TIME = { timeout: 60_000 }

const eventsOf = ({ lines }: TheftLog): LabEvent[] => lines.map(line => JSON.parse(line) as LabEvent)

const answersOf = ({ quiz }: TheftLog, key: string): readonly string[] =>
  quiz.find(each => each.key === key)?.right ?? []

/** The first seed whose log has a theft. */
function seedWith(weak: string): number {
  for (let seed = 0; seed < 1000; seed++) if (theftOf(seed).weak === weak) return seed
  throw new Error(`no seed draws ${weak}`)
}

const GAINED = /^(code\.redeemed|token\.issued|resource\.accepted)$/

describe.each(THEFTS.map(({ weak }) => weak))('the log of a theft by %s', weak => {
  it('has 40 events of the lab, and one gain of a stranger, which the answers name', TIME, async () => {
    const log = await theftLog(seedWith(weak))
    const events = eventsOf(log)
    expect(events).toHaveLength(EVENTS)
    expect(events.filter(({ type }) => !(type in CATALOGUE))).toEqual([])
    const strange = events.flatMap(({ type, remoteAddress, username, sub }, i) => {
      const own = username === 'mallory' || sub === 'mallory'
      return GAINED.test(type) && remoteAddress?.startsWith('198.51.100.') && !own ? [String(i + 1)] : []
    })
    expect(strange.length).toBeGreaterThan(0)
    expect(answersOf(log, 'when')).toEqual(strange)
    const [address] = answersOf(log, 'who')
    expect(strange.map(number => events[Number(number) - 1]?.remoteAddress)).toEqual(
      strange.map(() => address),
    )
    expect(answersOf(log, 'defence')).toEqual([weak])
  })

  it('does not name the defence, the keys or the ports of the lab that made it', TIME, async () => {
    const { lines } = await theftLog(seedWith(weak))
    const text = lines.join('\n')
    const [mode] = weakModes([weak])
    expect(text).not.toContain('"weak"')
    expect(text).not.toContain(weak)
    expect(text).not.toContain(mode?.sentence)
    expect(text.replaceAll(/localhost:844[34]/g, '')).not.toMatch(/localhost:\d/)
  })
})

describe('theftLog', () => {
  it('repeats with its seed, and differs from a neighbour’s', TIME, async () => {
    const [first, again, other] = [await theftLog(7), await theftLog(7), await theftLog(8)]
    expect(again.lines).toEqual(first.lines)
    expect(again.quiz).toEqual(first.quiz)
    expect(other.lines).not.toEqual(first.lines)
  })

  it('keeps the events of one day in order', TIME, async () => {
    const times = eventsOf(await theftLog(3)).map(({ at }) => at)
    expect(times).toEqual([...times].sort())
  })
})
