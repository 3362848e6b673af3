import { eventMark } from '../../lab/state/event-file.js'
import { letterOf } from '../../learn/engine/lesson-lines.js'
import { changeProgress, withLesson } from '../../learn/engine/progress.js'
import type { Session } from '../../learn/engine/session.js'
import type { Lesson } from '../../learn/model.js'
import type { Context } from './context.js'

/** The letters of the answers of a prediction. */
export const lettersOf = ({ prediction }: Lesson): string =>
  prediction.options.map((_, i) => letterOf(i)).join(', ')

/** The sentence for somebody who has not predicted yet. */
export function predictFirst(lesson: Lesson): string {
  return `Predict first (${lettersOf(lesson)}):  oauth-lab learn answer LETTER`
}

/** True while a room waits for the second answer to the prediction of a lesson: every task is done, and the explanation comes after the answer. */
export function asksAgain(
  { room, progress }: Pick<Context, 'room' | 'progress'>,
  session: Session | undefined,
): boolean {
  if (room === undefined || session === undefined || session.task !== undefined) return false
  const { prediction, predictedAgain } = progress.lessons[session.lesson.name] ?? {}
  return prediction !== undefined && predictedAgain === undefined
}

/** The sentence for somebody whom the room asks once more. */
export const predictAgain = (lesson: Lesson): string =>
  `Predict once more (${lettersOf(lesson)}), for the room:  oauth-lab learn answer LETTER`

/** The letter of an answer to the prediction that a text is; undefined for other text, and where the prediction is not asked. */
export function predictionIn(session: Session, context: Context, text: string): string | undefined {
  const { lesson } = session
  const isAnswered = context.progress.lessons[lesson.name]?.prediction !== undefined
  if (isAnswered && !asksAgain(context, session)) return undefined
  const letters = lesson.prediction.options.map((_, i) => letterOf(i))
  return letters.find(letter => letter === text.trim().toLowerCase().replace(/\)$/, ''))
}

/** Keeps the prediction of a lesson, whose first task is shown now; or the second answer to it, after the last one. */
export async function keepPrediction(
  context: Context,
  { lesson }: Session,
  letter: string,
): Promise<Context> {
  const { globals, learner } = context
  const since = await eventMark(globals.home)
  const progress = await changeProgress(globals.home, learner, now =>
    withLesson(now, lesson.name, old =>
      old.prediction === undefined
        ? { ...old, prediction: letter, since }
        : { ...old, predictedAgain: letter },
    ),
  )
  return { ...context, progress }
}
