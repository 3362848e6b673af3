import { drawsOf } from '../capstones/draw.js'
import { beliefBehind } from '../misconceptions.js'
import type { Lesson, Task } from '../model.js'
import { drawnLesson } from './drawn-lesson.js'
import { letterOf } from './lesson-lines.js'
import { type CurrentLesson, FRESH_TASK, type LessonProgress, type Progress, withLesson } from './progress.js'
import { answered } from './vocabulary.js'

/** Days until the first, the second and the third review. */
const DAYS = [1, 7, 30] as const

const DAY_MS = 86_400_000

export interface Due {
  readonly lesson: Lesson
  readonly task: Task
  /** Milliseconds since the epoch. */
  readonly since: number
}

/** The task of a review that asks for the idea of a missed prediction. */
export const IDEA = 'idea'

/**
 * Asks for the idea of a missed prediction by another sentence: after a day as the belief of somebody, after a week as the true one of
 * three sentences. Undefined for a right prediction, and for later reviews.
 * @param lesson as it was drawn for the learner
 */
export function ideaTask({ name, prediction }: Lesson, record: LessonProgress): Task | undefined {
  const { options, question } = prediction
  const chosen = options.find((_, i) => letterOf(i) === record.prediction)
  const missed = chosen && beliefBehind(chosen)
  const right = options.find(each => each.misconception === undefined)
  const times = record.reviews.length
  if (missed === undefined || right === undefined || times > 1) return undefined
  const others = options.flatMap(each => (each === chosen ? [] : (beliefBehind(each)?.belief ?? [])))
  const truth = times === 0 ? missed.truth : right.reply
  const wrong = times === 0 ? ['That is so.', ...others] : [missed.belief, ...others]
  const sentences = drawsOf(record.seed ?? 0, `${name} review ${times}`).shuffled([truth, ...wrong])
  const line = `oauth-lab learn answer ${letterOf(sentences.indexOf(truth))}`
  return {
    name: IDEA,
    say: [
      times === 0
        ? `Somebody says: “${missed.belief}” What do you answer?`
        : 'One of these sentences is true. Which one?',
      ...sentences.map((sentence, i) => `${letterOf(i)}) ${sentence}`),
      'Answer with its letter: oauth-lab learn answer LETTER',
    ],
    asks: true,
    check: answered({
      right: [letterOf(sentences.indexOf(truth))],
      why: 'There is no answer yet.',
      otherwise: 'Not that one. The lesson was about this very question.',
    }),
    mistakes: [],
    hints: { question, place: `The rule: ${missed.rule ?? 'see the explanation of the lesson'}.`, line },
    solutions: { cli: [line], curl: [] },
    nearMisses: [],
  }
}

/** The longest due first. Each review asks another task, and a missed prediction before it. @param now milliseconds since the epoch */
export function dueReviews(lessons: readonly Lesson[], progress: Progress, now: number): Due[] {
  return lessons
    .flatMap(lesson => {
      const record = progress.lessons[lesson.name]
      if (record?.doneAt === undefined) return []
      const times = record.reviews.length
      const days = DAYS[times]
      const drawn = drawnLesson(lesson, record.seed)
      const task = ideaTask(drawn, record) ?? drawn.tasks[times % drawn.tasks.length]
      if (days === undefined || task === undefined) return []
      // A late review moves the next one.
      const last = record.reviews.at(-1)
      const pause = days - (DAYS[times - 1] ?? 0)
      const since = Math.max(
        Date.parse(record.doneAt) + days * DAY_MS,
        last === undefined ? 0 : Date.parse(last) + pause * DAY_MS,
      )
      return since <= now ? [{ lesson, task, since }] : []
    })
    .sort((a, b) => a.since - b.since)
}

/** Milliseconds since the epoch; undefined when no review will come. */
export function nextReview(lessons: readonly Lesson[], progress: Progress): number | undefined {
  const due = dueReviews(lessons, progress, Number.POSITIVE_INFINITY).map(({ since }) => since)
  return due.length === 0 ? undefined : Math.min(...due)
}

/**
 * Another user than in the lesson and in the review before, so that the old line does not fit.
 * @param times reviews that were passed
 */
export function otherUser(lesson: Lesson, users: readonly string[], times: number): string {
  const { user } = lesson.needs
  const others = users.filter(each => each !== user)
  return others[times % others.length] ?? user
}

/** Earlier answers and runs of the learner's client count no more. */
export function withReview(progress: Progress, current: CurrentLesson, { name }: Task): Progress {
  const { capstone: _, current: interrupted, ...others } = progress
  // A second beginning interrupts what the first one did.
  const begun = interrupted?.review === undefined ? interrupted : interrupted.before
  const goesOn =
    begun !== undefined &&
    begun.folder === current.folder &&
    progress.lessons[begun.lesson]?.doneAt === undefined
  const now = goesOn ? { ...current, before: begun } : current
  return withLesson({ ...others, current: now }, current.lesson, old => {
    const { probe: __, ...task } = old.tasks[name] ?? FRESH_TASK
    return { ...old, tasks: { ...old.tasks, [name]: { ...task, answers: [] } } }
  })
}
