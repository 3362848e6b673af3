import { expect, it } from 'vitest'
import { createBus } from '../../src/protocol/events.js'
import { keepRecentEvents } from '../../src/protocol/recent-events.js'

it('numbers the events, keeps the latest hundred, and tells listeners of new ones until they leave', () => {
  const bus = createBus(() => 0)
  const recent = keepRecentEvents(bus, 0)
  const heard: number[] = []
  const leave = recent.subscribe(({ number }) => heard.push(number))
  for (let i = 1; i <= 450; i++) {
    if (i === 3) leave()
    bus.publish({ type: 'login.shown', i })
  }
  const numbers = (after: number) => recent.after(after).map(each => each.number)
  expect(heard).toEqual([1, 2])
  expect([numbers(0).length, numbers(0)[0], numbers(448), numbers(450)]).toEqual([100, 351, [449, 450], []])
  // The number of an earlier lab, from a page that is still open.
  expect(numbers(451).length).toBe(100)
  expect(recent.after(449)[0]?.event).toMatchObject({ type: 'login.shown', i: 450 })
})

it('gives a page of an earlier run every event of this one', () => {
  const began = Date.parse('2030-01-01T09:00:00Z')
  const run = (at: number) => {
    const bus = createBus(() => at)
    const recent = keepRecentEvents(bus, at)
    for (const i of [1, 2, 3]) bus.publish({ type: 'login.shown', i })
    return recent
  }
  const last = run(began).after(0).at(-1)!.number
  expect(
    run(began + 1000)
      .after(last)
      .map(({ event }) => event.i),
  ).toEqual([1, 2, 3])
})
