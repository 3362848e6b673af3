import { answerQuiz } from '../capstones/quiz.js'
import { defenceQuiz, examinedDefences } from '../capstones/weak-server.js'
import type { Facts, Lesson } from '../model.js'
import { FRESH_TASK, type Progress } from './progress.js'

/** Missing defences that the lab does not name; undefined where it names what it lacks. */
export function hiddenOf(
  { name, needs }: Pick<Lesson, 'name' | 'needs'>,
  { lessons }: Pick<Progress, 'lessons'>,
): Facts['hidden'] {
  const seed = lessons[name]?.seed
  return needs.hidden && seed !== undefined ? examinedDefences(seed) : undefined
}

/** Separated by spaces or commas. */
const wordsOf = (answers: readonly string[]): readonly string[] =>
  answers.flatMap(text => text.toLowerCase().split(/[\s,]+/)).filter(word => word !== '')

export interface Answered {
  readonly words: readonly string[]
  readonly found: readonly string[]
  readonly falseAlarms: readonly string[]
}

/** @param names words that can be an answer; others are no false alarms */
export function judgeAnswers(
  hidden: NonNullable<Facts['hidden']>,
  answers: readonly string[],
  names: readonly string[],
): Answered {
  const quiz = defenceQuiz(hidden)
  const words = wordsOf(answers)
  const none: Answered = { words, found: [], falseAlarms: [] }
  return words
    .filter(word => names.includes(word))
    .reduce((judged, word) => answerQuiz(quiz, judged, word).progress, none)
}

export const answersIn = (
  { name }: Pick<Lesson, 'name'>,
  { lessons }: Pick<Progress, 'lessons'>,
): readonly string[] =>
  Object.values(lessons[name]?.tasks ?? {}).flatMap(task => (task ?? FRESH_TASK).answers)
