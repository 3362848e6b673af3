import { randomBytes } from 'node:crypto'
import type { NewFact, NumberedFact } from '../../../src/protocol/room/facts.js'
import { writeJoinCode } from '../../../src/protocol/room/join-code.js'
import type { BoardLesson } from '../../../src/servers/room/model.js'
import { createRoom, type Room, type RoomOptions } from '../../../src/servers/room/room.js'
import { newRoomState, type RoomState } from '../../../src/servers/room/state.js'

export const lesson = (name: string, tasks: readonly string[]): BoardLesson => ({
  name,
  title: name,
  tasks,
  question: 'What happens?',
  options: ['this', 'that'],
  right: 'a',
})

export const lessons = [lesson('04-state', ['without', 'with']), lesson('05-pkce', ['verifier', 'stolen'])]

/** A clock that stands still until a test moves it. */
export const clock = { now: Date.parse('2030-01-01T09:00:00Z') }

const ports = {
  now: () => clock.now,
  random: (length: number) => randomBytes(length),
  later: (_: number, work: () => void) => work(),
}

export const newState = (): RoomState => newRoomState({ name: 'Monday' }, ports)

/** A room with a code. */
export function exampleRoom(options: Partial<RoomOptions> = {}): Room & { readonly secret: string } {
  const state = options.state ?? newState()
  const secret = Buffer.from(state.secret, 'hex')
  const code = writeJoinCode({ fingerprint: Buffer.alloc(10, 0x9c), secret })
  const room = createRoom({ code, lessons, ports, ...options, state })
  return { ...room, secret: state.secret }
}

/** Lets people in. @returns their tokens by number */
export function joinAll(room: ReturnType<typeof exampleRoom>, names: readonly string[]) {
  return names.map(name => {
    const answer = room.join({ secret: room.secret, name, source: 'loopback' })
    if (answer.kind !== 'joined') throw new Error(answer.kind)
    return answer.joined
  })
}

/** Facts at the present time, numbered from a number. */
export const factsFrom = (n: number, ...facts: readonly Partial<NewFact>[]): NumberedFact[] =>
  facts.map((fact, i) => ({
    n: n + i,
    at: new Date(clock.now).toISOString(),
    fact: 'task.shown',
    lesson: '05-pkce',
    ...fact,
  }))
