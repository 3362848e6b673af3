import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CourseName, courseOf } from '../../learn/courses.js'
import { playPupil, REHEARSAL_PUPILS } from '../../learn/engine/rehearsal.js'
import { lessonsIn } from '../../learn/teacher/lessons-in.js'
import { factLine } from '../../show/render/room/report.js'
import { narrate, print, printJson } from '../output/output.js'
import { EXIT, watchSignals } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { openWorkshop, type WorkshopFlags } from './open-workshop.js'

/** The files of the teacher's home that a rehearsal uses: the teacher's browser trusts their authority. */
const AUTHORITY = ['ca.pem', 'ca-key.pem']

/**
 * `oauth-lab workshop rehearse`: ten pupils in a room of their own, on this computer. They send what a class sends, over real connections. The room of the
 * home is not touched, and nothing of the rehearsal is left at its end.
 */
export async function runRehearse(
  flags: WorkshopFlags & { readonly speed: number },
  { home, json }: Globals,
): Promise<number> {
  const { signal, exitCode, ignore } = watchSignals()
  const folder = await mkdtemp(join(tmpdir(), 'oauth-lab-rehearsal-'))
  try {
    for (const name of AUTHORITY) await cp(join(home, name), join(folder, name)).catch(() => {})
    const workshop = await openWorkshop(
      { ...flags, name: 'Rehearsal' },
      flags.address ?? '127.0.0.1',
      folder,
      narrate,
    )
    const { room, ready, place } = workshop
    try {
      room.subscribe(change => {
        if (change.kind === 'fact') json ? printJson(change.fact) : print(factLine(change.fact))
      })
      if (json) printJson(ready)
      else {
        print(
          'A rehearsal: ten pupils of three speeds, with the mistakes of a class. See and lead them here:',
          '',
        )
        print(`    ${ready.board}`, '', 'Ctrl-C ends it. Your own room is not touched.', '')
      }
      const lessons = courseOf(await lessonsIn(flags.lessons), flags.course as CourseName | undefined)
      const about = { address: place, code: ready.code, folder, lessons, speed: flags.speed, signal }
      await Promise.all(REHEARSAL_PUPILS.map(pupil => playPupil(pupil, about)))
      if (!json) narrate('The pupils have done everything. The rehearsal is over, and nothing of it is left.')
    } finally {
      await workshop.stop()
    }
    return exitCode() ?? EXIT.done
  } finally {
    ignore()
    await rm(folder, { recursive: true, force: true })
  }
}
