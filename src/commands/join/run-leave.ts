import { UsageError } from '../../protocol/errors.js'
import { leaveRoom } from '../../session/room/join.js'
import { forgetRoom, type RoomProfile, readRoom } from '../../session/room/profile.js'
import { print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'

/** `oauth-lab leave`. It ends on this computer also where the teacher cannot be reached. */
export async function runLeave(
  { learner }: { readonly learner?: string },
  { home, json }: Globals,
): Promise<number> {
  let room: RoomProfile | undefined
  try {
    room = await readRoom(home, learner)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    // A broken profile names no teacher; it is forgotten.
    await forgetRoom(home, learner)
    if (json) printJson({ left: true, reached: false })
    else print('The broken profile of a room is forgotten. Nothing is sent any more.')
    return EXIT.done
  }
  if (room === undefined) {
    throw new UsageError('you are in no room', ['Join one:  oauth-lab join ADDRESS CODE'])
  }
  const reached = await leaveRoom(home, learner, room)
  if (json) printJson({ left: true, who: room.who, room: room.room, reached })
  else {
    print(
      `You left the room ${room.room}. Nothing is sent any more.`,
      ...(reached
        ? []
        : [
            `The teacher at ${room.address} could not be reached, and still sees your row: say that you left.`,
          ]),
      'Your progress stays here:  oauth-lab learn',
    )
  }
  return EXIT.done
}
