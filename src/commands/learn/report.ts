import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandRow } from '../program/command.js'
import type { Globals } from '../program/globals.js'

/** Reports to the teacher of the room, if this learner is in one. Facts that do not arrive wait: that is no error of the command. */
async function report({ home }: Globals): Promise<void> {
  const learner = process.env.OAUTH_LAB_LEARNER || undefined
  if (!existsSync(join(home, learner === undefined ? 'room.json' : `room.${learner}.json`))) return
  const { reportToRoom } = await import('../../learn/engine/report-to-room.js')
  await reportToRoom(home, learner).catch(() => {})
}

/** Makes a command, and those below it, report at their end what the learner did. */
export function reporting(row: CommandRow): CommandRow {
  const { run, below } = row
  return {
    ...row,
    ...(below && { below: below.map(reporting) }),
    ...(run && {
      run: async () => {
        const action = (await run()) as (...given: readonly unknown[]) => unknown
        return async (...given: readonly unknown[]) => {
          try {
            return await action(...given)
          } finally {
            await report(given.at(-1) as Globals)
          }
        }
      },
    }),
  }
}
