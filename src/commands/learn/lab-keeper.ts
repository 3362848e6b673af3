import { readRecords } from '../../lab/state/running.js'
import type { Needs } from '../../learn/model.js'
import { shownWeak } from '../../protocol/rules/weak-modes.js'
import type { LabNow } from '../../show/tui/learn/content.js'
import type { Globals } from '../program/globals.js'
import { type LessonLab, lessonLab } from './lab.js'

/** The lab of the present lesson. A lab that ended is replaced. */
export interface LabKeeper {
  readonly get: () => LessonLab | undefined
  /** Finds or starts the lab that a lesson needs; keeps the one that fits. */
  need(needs: Needs): Promise<LessonLab>
  /** Starts a lab where the one that was found has ended. @returns a sentence about it; undefined when all is well */
  renew(needs: Needs): Promise<string | undefined>
  close(): Promise<void>
}

/** @param changed gets each lab that is used from now on */
export function createLabKeeper(globals: Globals, changed: (lab: LabNow) => void = () => {}): LabKeeper {
  const { home } = globals
  let lab: LessonLab | undefined
  let wanted = ''
  /** True for a lab of this computer, whose record says when it ends. */
  let recorded = false

  const isRecorded = async (url: string): Promise<boolean> =>
    (await readRecords(home)).some(({ urls }) => urls.authorization === url)

  const described = ({ stage, weak = [] }: Needs): string => JSON.stringify([stage, weak])

  async function take(needs: Needs): Promise<LessonLab> {
    await lab?.stop()
    lab = undefined
    lab = await lessonLab(globals, needs, true)
    wanted = described(needs)
    recorded = await isRecorded(lab.urls.authorization)
    changed({ url: lab.urls.authorization, weak: shownWeak(needs.weak ?? []) })
    return lab
  }

  return {
    get: () => lab,
    async need(needs) {
      return lab !== undefined && wanted === described(needs) ? lab : take(needs)
    },
    async renew(needs) {
      if (lab === undefined || !recorded || (await isRecorded(lab.urls.authorization))) return undefined
      const { authorization } = lab.urls
      const { urls } = await take(needs)
      return `The lab ${authorization} has ended. This lesson uses ${urls.authorization} now.`
    },
    async close() {
      await lab?.stop()
      lab = undefined
    },
  }
}
