import { setTimeout as sleep } from 'node:timers/promises'
import { eventMark } from '../../lab/state/event-file.js'
import { findRunningLab } from '../../lab/state/running.js'
import { readProgress } from '../../learn/engine/progress.js'
import { judgeTask, sessionOf } from '../../learn/engine/session.js'
import { narrate } from '../output/output.js'
import { type Context, namesFor } from './context.js'

/** Milliseconds between two reads of the event file. */
const PERIOD = 200

/** Waits until the present task is done. Narrates what is missing when that changes. Fails when the signal aborts. */
export async function waitUntilDone(first: Context, signal: AbortSignal): Promise<Context> {
  const { home } = first.globals
  let said = ''
  let before = ''
  for (;;) {
    const context = { ...first, progress: await readProgress(home, first.learner) }
    const { lessons, progress } = context
    const here = JSON.stringify([await eventMark(home), progress])
    if (here !== before) {
      before = here
      const session = sessionOf(lessons, progress)
      if (session.task === undefined) return context
      const { lab } = namesFor(session.current, await findRunningLab(home))
      const { verdict } = await judgeTask(session, session.task, progress, { home, lab })
      if (verdict.done) return context
      if (verdict.why !== said) narrate(`Not yet: ${verdict.why}`)
      said = verdict.why
    }
    await sleep(PERIOD, undefined, { signal })
  }
}
