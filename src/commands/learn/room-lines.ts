import { reportToRoom } from '../../learn/engine/report-to-room.js'
import { createRoomGate, type TaskEnd } from '../../learn/engine/room-gate.js'
import type { RoomMessage } from '../../protocol/room/messages.js'
import { followRoom } from '../../session/room/follow.js'
import { print } from '../output/output.js'
import type { Context } from './context.js'
import { givenHint } from './help.js'

/** The room of a teacher beside a lesson in lines. */
export interface RoomLines {
  /** The reason for which the learner waits; undefined: the next task may be done. */
  readonly reason: (end: TaskEnd) => string | undefined
  /** Reports to the teacher what the learner did. @param at the end of the task at which the learner waits; null: the next one is shown */
  readonly report: (at: string | null) => Promise<void>
  readonly close: () => Promise<void>
}

/** Prints what the teacher of the room says, until it is closed. Undefined outside of a room. */
export function roomLines(first: Context, context: () => Promise<Context>): RoomLines | undefined {
  const { room, learner, globals } = first
  if (room === undefined) return undefined
  const gate = createRoomGate(room.phase)
  const ends = new AbortController()

  async function hear(message: RoomMessage): Promise<void> {
    gate.hear(message)
    if (message.type === 'say') print('', `The teacher: ${message.text}`)
    if (message.type === 'end') print('', 'The teacher has ended the workshop. Your progress stays.')
    const hint = message.type === 'hint' ? await givenHint(await context()) : undefined
    if (hint !== undefined)
      print('', 'The teacher gives you a hint. It does not count as one that you took.', ...hint)
  }

  const following = followRoom(
    globals.home,
    learner,
    room,
    { message: hear, online: gate.online },
    ends.signal,
  ).catch(() => {})
  return {
    reason: end => gate.reason(end, Date.now()),
    report: at =>
      reportToRoom(globals.home, learner, { at }).then(
        () => {},
        () => {},
      ),
    async close() {
      ends.abort()
      await following
    },
  }
}
