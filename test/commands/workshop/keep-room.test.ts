import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keepRoom, readRoom } from '../../../src/commands/workshop/keep-room.js'
import { exampleRoom, factsFrom, joinAll } from '../../servers/room/example.js'
import { temporaryFolder } from '../../support/program.js'

let folder: ReturnType<typeof temporaryFolder>
let home: string
beforeEach(() => {
  folder = temporaryFolder()
  home = join(folder.path, 'lab')
})
afterEach(() => folder.remove())

const never = (error: Error) => {
  throw error
}

it('has written what happened before it says so, and reads it back in order', async () => {
  const room = exampleRoom()
  const keeper = await keepRoom(home, room, never)
  const [ann] = joinAll(room, ['Ann'])
  for (let n = 1; n <= 50; n++) {
    room.take(ann!.who, factsFrom(n, { task: 'verifier', fact: 'hint.taken' }))
    if (n % 10 === 0) await keeper.kept()
  }
  room.lead({ do: 'say', text: 'one' })
  await keeper.kept()
  const kept = (await readRoom(home))!
  expect(exampleRoom(kept).board()).toMatchObject({ people: room.board().people, phase: room.board().phase })
  expect(kept.facts.map(({ n }) => n)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
  expect(kept.state.messages).toHaveLength(1)
  await keeper.close()
})

it('goes on behind a line that a killed program left torn', async () => {
  const room = exampleRoom()
  const [ann] = joinAll(room, ['Ann'])
  const first = await keepRoom(home, room, never)
  room.take(ann!.who, factsFrom(1, { task: 'verifier' }))
  await first.close()
  appendFileSync(join(home, 'workshop-facts.jsonl'), '{"who":"KJ-01","n":2,"at":"2030')
  const again = exampleRoom(await readRoom(home))
  const second = await keepRoom(home, again, never)
  again.take(ann!.who, factsFrom(2, { task: 'verifier', fact: 'task.done' }))
  await second.close()
  expect((await readRoom(home))!.facts.map(({ n, fact }) => [n, fact])).toEqual([
    [1, 'task.shown'],
    [2, 'task.done'],
  ])
})

it('reports once that it cannot write, and the room goes on', async () => {
  const room = exampleRoom()
  const failures: Error[] = []
  const keeper = await keepRoom(home, room, error => failures.push(error))
  rmSync(home, { recursive: true })
  appendFileSync(home, 'a file in the place of the folder')
  for (const name of ['Ann', 'Ben']) {
    joinAll(room, [name])
    await keeper.kept()
  }
  expect(failures).toHaveLength(1)
  expect(room.board().people).toHaveLength(2)
  await keeper.close()
})

it('reads no room where there is none, and refuses a broken one', async () => {
  expect(await readRoom(home)).toBeUndefined()
  const keeper = await keepRoom(home, exampleRoom(), never)
  await keeper.close()
  const file = join(home, 'workshop.json')
  appendFileSync(file, readFileSync(file))
  await expect(readRoom(home)).rejects.toThrow('cannot be read')
})
