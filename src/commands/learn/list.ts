import { wantEmbeddedEvents } from '../../lab/state/lesson-events.js'
import { CAPSTONES, type Capstone, capstoneNamed } from '../../learn/capstones/capstone.js'
import { findLesson, isDone, nextLesson } from '../../learn/engine/find-lesson.js'
import { withoutCapstone, writeProgress } from '../../learn/engine/progress.js'
import type { Lesson } from '../../learn/model.js'
import { print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { type LearnFlags, learnContext } from './context.js'

type Entry = Lesson | Capstone

/** Puts each capstone behind the lessons of its part. */
function withCapstones(lessons: readonly Lesson[], capstones: readonly Capstone[]): readonly Entry[] {
  const numberOf = (entry: Entry): number =>
    'part' in entry ? entry.part + 0.5 : Number.parseInt(entry.name, 10)
  return [...lessons, ...capstones].sort((a, b) => numberOf(a) - numberOf(b))
}

/** `oauth-lab learn list`. */
export async function runList(flags: LearnFlags, globals: Globals): Promise<number> {
  const { course: lessons, folder, progress } = await learnContext(flags, globals)
  const whole = folder === undefined && (flags.course === undefined || flags.course === 'day')
  const entries = withCapstones(lessons, whole ? CAPSTONES : [])
  const doneOf = (entry: Entry): boolean =>
    'tasks' in entry ? isDone(progress, entry) : progress.capstones?.[entry.name]?.doneAt !== undefined
  if (globals.json) {
    for (const entry of entries) {
      const { name, title, minutes } = entry
      const kind = 'tasks' in entry ? { tasks: entry.tasks.length } : { capstone: true }
      printJson({ name, title, minutes, ...kind, done: doneOf(entry) })
    }
    return EXIT.done
  }
  const width = Math.max(...entries.map(({ name }) => name.length))
  const begun = progress.capstone ?? progress.current?.lesson
  for (const entry of entries) {
    const { name, title, minutes } = entry
    const mark = doneOf(entry) ? '+' : begun === name ? '*' : 'o'
    print(`${mark} ${name.padEnd(width)}  ${String(minutes).padStart(2)} min  ${title}`)
  }
  const next = nextLesson(lessons, progress)
  print('', '+ done   * begun   o not yet')
  print(next ? `Next:  oauth-lab learn start ${next.name}` : 'Every lesson is done.')
  return EXIT.done
}

/** `oauth-lab learn progress`. */
export async function runProgress(
  flags: LearnFlags & { readonly markdown?: true },
  globals: Globals,
): Promise<number> {
  const { lessons, progress } = await learnContext(flags, globals)
  if (globals.json) {
    printJson(progress)
    return EXIT.done
  }
  const { progressLines, certificate } = await import('../../learn/engine/certificate.js')
  print(...(flags.markdown ? certificate(lessons, progress) : progressLines(lessons, progress)))
  return EXIT.done
}

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
