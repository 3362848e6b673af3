import { isDone, nextLesson } from '../../lessons/engine/find-lesson.js'
import { EXIT } from '../exit.js'
import type { Globals } from '../globals.js'
import { print, printJson } from '../output.js'
import { learnContext } from './context.js'
import type { LearnFlags } from './flags.js'

/** `oauth-lab learn list`. */
export async function runList(flags: LearnFlags, globals: Globals): Promise<number> {
  const { course: lessons, progress } = await learnContext(flags, globals)
  if (globals.json) {
    for (const lesson of lessons) {
      const { name, title, minutes, tasks } = lesson
      printJson({ name, title, minutes, tasks: tasks.length, done: isDone(progress, lesson) })
    }
    return EXIT.done
  }
  const width = Math.max(...lessons.map(({ name }) => name.length))
  for (const lesson of lessons) {
    const mark = isDone(progress, lesson) ? '+' : progress.current?.lesson === lesson.name ? '*' : 'o'
    print(`${mark} ${lesson.name.padEnd(width)}  ${String(lesson.minutes).padStart(2)} min  ${lesson.title}`)
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
  const { progressLines, certificate } = await import('../../lessons/engine/certificate.js')
  print(...(flags.markdown ? certificate(lessons, progress) : progressLines(lessons, progress)))
  return EXIT.done
}
