import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentText } from '../../learn/content.js'
import { findLesson } from '../../learn/engine/find-lesson.js'
import { openingLines, taskLines } from '../../learn/engine/lesson-lines.js'
import type { Lesson } from '../../learn/model.js'
import { print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { learnContext, namesFor, type ShowFlags } from './context.js'

/** The file of a lesson, as it was written. @param folder of a teacher's lessons */
function sourceOf({ name, builtIn }: Lesson, folder = ''): Promise<string> {
  if (builtIn) return contentText(`lessons/${name}.yaml`)
  const file = join(folder, name)
  return readFile(`${file}.yaml`, 'utf8').catch(() => readFile(`${file}.yml`, 'utf8'))
}

/** `oauth-lab learn show LESSON`: the texts of a lesson, or its file, which a teacher may copy and change. */
export async function runShow(text: string, flags: ShowFlags, globals: Globals): Promise<number> {
  const { lessons, folder } = await learnContext(flags, globals)
  const lesson = findLesson(lessons, text)
  if (flags.source) {
    const source = await sourceOf(lesson, folder)
    if (globals.json) printJson({ lesson: lesson.name, source })
    else print(source.trimEnd())
    return EXIT.done
  }
  const names = namesFor(lesson.needs, undefined)
  const tasks = lesson.tasks.flatMap(task => ['', ...taskLines(lesson, task, names)])
  const lines = [...openingLines(lesson, names), ...tasks]
  if (globals.json) printJson({ lesson: lesson.name, lines })
  else print(...lines)
  return EXIT.done
}
