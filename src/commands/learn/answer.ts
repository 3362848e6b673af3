import { letterOf } from '../../learn/engine/lesson-lines.js'
import { changeProgress, withLesson } from '../../learn/engine/progress.js'
import { type Session, sessionOf } from '../../learn/engine/session.js'
import { print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { checkOnce, keepAnswer } from './check.js'
import { type Context, learnContext } from './context.js'
import type { LearnFlags } from './flags.js'

/** The letter of a prediction that a text is; undefined for other text. */
export function predictionIn({ lesson }: Session, context: Context, text: string): string | undefined {
  if (context.progress.lessons[lesson.name]?.prediction !== undefined) return undefined
  const letters = lesson.prediction.options.map((_, i) => letterOf(i))
  return letters.find(letter => letter === text.trim().toLowerCase().replace(/\)$/, ''))
}

/** Keeps the prediction of a lesson. */
export async function keepPrediction(
  context: Context,
  { lesson }: Session,
  letter: string,
): Promise<Context> {
  const { globals, learner } = context
  const progress = await changeProgress(globals.home, learner, now =>
    withLesson(now, lesson.name, old => ({ ...old, prediction: letter })),
  )
  return { ...context, progress }
}

/** `oauth-lab learn answer TEXT…`: the prediction of the lesson, or the answer to its question. @returns the exit code */
export async function runAnswer(
  words: readonly string[],
  flags: LearnFlags,
  globals: Globals,
): Promise<number> {
  const context = await learnContext(flags, globals)
  const text = words.join(' ')
  if (context.progress.capstone !== undefined) {
    const { answerCapstone } = await import('./capstone/answer.js')
    return answerCapstone(text, context)
  }
  const session = sessionOf(context.lessons, context.progress)
  const letter = predictionIn(session, context, text)
  if (letter === undefined) return checkOnce(await keepAnswer(context, text))
  await keepPrediction(context, session, letter)
  if (globals.json) printJson({ lesson: session.lesson.name, prediction: letter })
  else print(`You predict ${letter}. The lesson comes back to it at its end. Now do the task.`)
  return EXIT.done
}
