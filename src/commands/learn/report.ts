import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { roomFile } from '../../session/room/profile.js'
import type { CommandRow } from '../program/command.js'
import type { Globals } from '../program/globals.js'

/** Reports to the teacher of the room, if this learner is in one. Facts that do not arrive wait: that is no error of the command. */
async function report({ home }: Globals, shows: boolean): Promise<void> {
  const learner = process.env.OAUTH_LAB_LEARNER || undefined
  if (!existsSync(join(home, roomFile('room', learner, '.json')))) return
  const { reportToRoom } = await import('../../learn/engine/report-to-room.js')
  await reportToRoom(home, learner, shows ? { at: null } : {}).catch(() => {})
}

/** Makes a command, and those below it, report at their end what the learner did. @param shows true for commands that show tasks */
export function reporting(row: CommandRow, shows = false): CommandRow {
  const { run, below } = row
  return {
    ...row,
    ...(below && { below: below.map(each => reporting(each, shows)) }),
    ...(run && {
      run: async () => {
        const action = (await run()) as (...given: readonly unknown[]) => unknown
        return async (...given: readonly unknown[]) => {
          try {
            return await action(...given)
          } finally {
            await report(given.at(-1) as Globals, shows)
          }
        }
      },
    }),
  }
}
