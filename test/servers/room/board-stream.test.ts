import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { text } from '../../../src/protocol/http/message.js'
import { ruleDocuments } from '../../../src/protocol/rules/documents.js'
import { boardStream } from '../../../src/servers/room/board-stream.js'
import type { BoardMessage } from '../../../src/servers/room/model.js'
import { boardShower } from '../../../src/servers/room/pages/shown-board.js'
import { clock, exampleRoom, factsFrom, joinAll } from './example.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const verifier = { lesson: '05-pkce', task: 'verifier' }

/** A room with a board that can be opened. */
async function watched() {
  const room = exampleRoom()
  const shown = boardShower(await ruleDocuments())
  const open = boardStream(
    () => shown(room.board()),
    room.subscribe,
    () => clock.now,
  )
  return {
    room,
    open() {
      const stream = open(() => () => {})[Symbol.asyncIterator]()
      return async (ms = 250): Promise<BoardMessage> => {
        const next = stream.next()
        await vi.advanceTimersByTimeAsync(ms)
        return JSON.parse(text((await next).value!).slice('data: '.length))
      }
    },
  }
}
const namesIn = ({ people }: BoardMessage) => people.map(({ name }) => name)

it('sends the whole board first, and then the people who changed', async () => {
  const { room, open } = await watched()
  const [ann, ben, cem] = joinAll(room, ['Ann', 'Ben', 'Cem'])
  const next = open()
  const whole = await next()
  expect([whole.type, namesIn(whole)]).toEqual(['board', ['Ann', 'Ben', 'Cem']])
  room.take(ben!.who, factsFrom(1, verifier, { ...verifier, fact: 'hint.taken' }))
  const one = await next()
  expect(one).toMatchObject({
    type: 'changes',
    people: [{ name: 'Ben', tasks: { '05-pkce/verifier': { state: 'shown', hints: 1 } } }],
  })
  expect(one).not.toHaveProperty('lessons')
  room.listen(cem!.who, undefined, { write() {}, end() {} })
  room.take(ann!.who, factsFrom(1, { fact: 'stuck' }))
  joinAll(room, ['Dora'])
  const two = await next()
  expect(two.people).toMatchObject([
    { name: 'Ann', stuck: { why: 'said' } },
    { name: 'Cem', online: true },
    { name: 'Dora' },
  ])
})

it('holds everything for somebody who opens it, and for a reader who missed boards', async () => {
  const { room, open } = await watched()
  const people = joinAll(room, ['Ann', 'Ben', 'Cem'])
  const slow = open()
  await slow()
  for (const { who } of people) {
    room.take(who, factsFrom(1, verifier))
    await open()()
  }
  const whole = await open()()
  expect(whole.people.map(({ task }) => task)).toEqual(['verifier', 'verifier', 'verifier'])
  expect((await slow()).people).toEqual(whole.people)
})

it('shows who became slow although no fact came', async () => {
  const { room, open } = await watched()
  const people = joinAll(room, ['Ann', 'Ben', 'Cem', 'Dora'])
  for (const { who } of people) room.take(who, factsFrom(1, verifier))
  clock.now += 10_000
  for (const { who } of people.slice(1)) room.take(who, factsFrom(2, { ...verifier, fact: 'task.done' }))
  const next = open()
  await next()
  clock.now += 10_001
  expect((await next(11_000)).people).toMatchObject([{ name: 'Ann', stuck: { why: 'slow' } }])
})
