import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureRoomCertificate } from '../../lab/certificates/certificates.js'
import { UsageError, UserError } from '../../protocol/errors.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import type { Board } from '../../servers/room/model.js'
import { createRoom } from '../../servers/room/room.js'
import { reportCsv, reportMarkdown } from '../../show/render/room/report.js'
import { answeredYes } from '../output/confirm.js'
import { narrate, print, printData, printJson } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { ROOM_FILES, readRoom, withRoom } from './keep-room.js'
import { codeOf, roomPorts } from './open-workshop.js'
import { roomLessons } from './room-lessons.js'

/** The board of the room in a home, as it was at the last change. @throws UsageError where there is none */
async function keptBoard(home: string): Promise<Board> {
  const kept = await readRoom(home)
  if (kept === undefined) {
    throw new UsageError('there is no workshop in this home', ['Open one:  oauth-lab workshop'])
  }
  const { state, facts } = kept
  const { lessons } = await roomLessons(state.folder, state.course)
  const { certPem } = await ensureRoomCertificate(home, [])
  return createRoom({ state, facts, code: codeOf(certPem, state.secret), lessons, ports: roomPorts }).board()
}

interface ReportFlags {
  readonly format: 'csv' | 'md' | 'json'
}

/** `oauth-lab workshop report`: prints what the people of the room did. @throws UsageError */
export async function runReport({ format }: ReportFlags, { home, json }: Globals): Promise<void> {
  const board = await keptBoard(home)
  if (json || format === 'json') printJson(board, json ? undefined : 2)
  else if (format === 'csv') printData(reportCsv(board).trimEnd())
  else print(...reportMarkdown(board))
}

interface ForgetFlags {
  readonly yes?: true
}

/** `oauth-lab workshop forget`: removes the room, its people and its code. @throws UsageError, UserError for a no */
export async function runForget({ yes }: ForgetFlags, { home, json }: Globals): Promise<void> {
  await withRoom(home, async () => {
    // A file that cannot be read is removed too.
    const kept = await readRoom(home).catch(() => undefined)
    const otherwise = 'nothing was removed'
    if (!yes) {
      const name = makeSafe(kept?.state.name ?? 'the workshop')
      const people = kept?.state.people.length ?? 0
      const agreed = await answeredYes({
        text: `Remove ${name} with the progress of ${people} ${people === 1 ? 'person' : 'people'}, and its code?`,
        otherwise,
        hints: ['Without being asked:  oauth-lab workshop forget --yes'],
      })
      if (!agreed) throw new UserError(otherwise, 'refused')
    }
    for (const file of ROOM_FILES) await rm(join(home, file), { force: true })
    if (json) printJson({ removed: ROOM_FILES })
    else narrate('Removed. The next workshop has another code.')
  })
}
