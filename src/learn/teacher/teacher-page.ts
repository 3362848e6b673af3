import type { Names } from '../engine/lesson-lines.js'
import { fill, wrap } from '../engine/texts.js'
import { beliefBehind, type WrongBelief } from '../misconceptions.js'
import type { Lesson } from '../model.js'

/** Mistakes of tasks on one page. */
const MOST_MISTAKES = 6

/** A lesson as its teacher needs it: its subject, what people get wrong, and what to say. */
export interface TeacherPage {
  readonly about: readonly string[]
  readonly question: string
  readonly beliefs: readonly WrongBelief[]
  /** Sentences about wrong attempts at the tasks. */
  readonly mistakes: readonly string[]
  readonly say: readonly string[]
  readonly remember: readonly string[]
}

export function teacherPage(lesson: Lesson, names: Names): TeacherPage {
  const filled = (texts: readonly string[]) => texts.map(text => fill(text, names))
  const { opening, prediction, tasks, explanation, remember } = lesson
  const whys = tasks.flatMap(task => task.mistakes.map(({ why }) => why))
  return {
    about: filled(opening),
    question: fill(prediction.question, names),
    beliefs: prediction.options.flatMap(option => beliefBehind(option) ?? []),
    mistakes: filled([...new Set(whys)].slice(0, MOST_MISTAKES)),
    say: filled(explanation),
    remember: filled(remember),
  }
}

/** The page as lines. */
export function teacherLines(lesson: Lesson, names: Names): string[] {
  const { about, question, beliefs, mistakes, say, remember } = teacherPage(lesson, names)
  const width = Math.max(20, Math.min(names.width ?? 76, 76))
  const listed = (text: string) => wrap(text, width - 2).map((line, i) => `${i === 0 ? '- ' : '  '}${line}`)
  const { title, minutes, rule } = lesson
  return [
    `${fill(title, names)} (${minutes} minutes). Rule: ${rule}`,
    '',
    'What it is about',
    ...about.flatMap(text => wrap(text, width)),
    '',
    'What people get wrong',
    ...beliefs.flatMap(({ belief, truth, rule: against }) =>
      listed(`“${belief}” ${truth}${against === undefined ? '' : ` (${against})`}`),
    ),
    ...mistakes.flatMap(listed),
    '',
    'What to ask first',
    ...wrap(question, width),
    '',
    'What to say at the end',
    ...say.flatMap(text => wrap(text, width)),
    ...remember.flatMap(listed),
  ]
}
