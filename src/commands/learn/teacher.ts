import { findLesson } from '../../learn/engine/find-lesson.js'
import { teacherLines, teacherPage } from '../../learn/teacher/teacher-page.js'
import { print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { type LearnFlags, learnContext, namesFor } from './context.js'

/** `oauth-lab learn teacher LESSON`: one page for the person who teaches it. */
export async function runTeacher(text: string, flags: LearnFlags, globals: Globals): Promise<number> {
  const { lessons } = await learnContext(flags, globals)
  const lesson = findLesson(lessons, text)
  const names = namesFor(lesson.needs, undefined)
  if (globals.json) printJson({ lesson: lesson.name, ...teacherPage(lesson, names) })
  else print(...teacherLines(lesson, names))
  return EXIT.done
}
