import { wantEmbeddedEvents } from '../../lab/state/lesson-events.js'
import { capstoneNamed } from '../../learn/capstones/capstone.js'
import { findLesson } from '../../learn/engine/find-lesson.js'
import { withoutCapstone, writeProgress } from '../../learn/engine/progress.js'
import { print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { learnContext } from './context.js'
import type { LearnFlags } from './flags.js'

/** `oauth-lab learn reset [LESSON]`. Without a lesson it also mends a progress file that cannot be read. */
export async function runReset(
  name: string | undefined,
  flags: LearnFlags,
  globals: Globals,
): Promise<number> {
  const { home, json } = globals
  if (name === undefined) {
    await writeProgress(home, { version: 1, lessons: {} }, flags.learner)
    await wantEmbeddedEvents(home, false)
    if (json) printJson({ reset: 'all' })
    else print('The progress of all lessons is forgotten.')
    return EXIT.done
  }
  const { lessons, learner, progress } = await learnContext(flags, globals)
  const capstone = capstoneNamed(name)
  if (capstone !== undefined) {
    await writeProgress(home, withoutCapstone(progress, capstone.name), learner)
    if (json) printJson({ reset: capstone.name })
    else print(`The progress of ${capstone.name} is forgotten. Its file stays.`)
    return EXIT.done
  }
  const lesson = findLesson(lessons, name)
  const { [lesson.name]: _, ...others } = progress.lessons
  const { current, ...rest } = progress
  const kept = current?.lesson === lesson.name ? rest : progress
  await writeProgress(home, { ...kept, lessons: others }, learner)
  if (json) printJson({ reset: lesson.name })
  else print(`The progress of ${lesson.name} is forgotten.`)
  return EXIT.done
}
