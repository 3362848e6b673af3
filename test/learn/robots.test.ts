// Two learners without a lab: one runs the lines that a lesson prints, and predicts at random; the other one knows everything.
import { describe, expect, it } from 'vitest'
import { drawsOf } from '../../src/learn/capstones/draw.js'
import { helpUsed } from '../../src/learn/engine/certificate.js'
import { letterOf } from '../../src/learn/engine/lesson-lines.js'
import {
  FRESH_TASK,
  type Progress,
  withLesson,
  withStart,
  withTask,
} from '../../src/learn/engine/progress.js'
import { evidenceOf, type Session, sessionOf, withDone } from '../../src/learn/engine/session.js'
import { placesOf } from '../../src/learn/engine/texts.js'
import { builtInLessons } from '../../src/learn/lesson-list.js'
import type { Lesson, Task } from '../../src/learn/model.js'

const lessons = await builtInLessons()
const seeds = Array.from({ length: 20 }, (_, i) => i + 1)
const mark = { generation: 1, offset: 0 }
const at = '2026-01-01T10:00:00.000Z'
const shown = { verdict: { done: true, events: [] }, at, since: mark } as const
const numberOf = ({ name }: Lesson): number => Number.parseInt(name, 10)

/** Lines of a shell, whole ones. */
const joined = (lines: readonly string[]): string[] =>
  lines
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map(line => line.trim().replace(/\s+/g, ' '))

/** The lines that a text shows: those to type, and those inside a sentence. */
function printedIn(texts: readonly string[]): Set<string> {
  const inside = texts.flatMap(text =>
    [...text.matchAll(/oauth-lab [^,:;?]*[^,:;?.\s]/g)].map(([line]) => line),
  )
  return new Set([...joined(texts.filter(text => text.startsWith('  '))), ...joined(inside)])
}

const answerIn = (line: string): string | undefined =>
  /oauth-lab learn (?:check --answer|answer) (.+)$/.exec(line)?.[1]?.replaceAll('"', '')

function begun(lesson: Lesson, seed: number): Progress {
  const { client, user } = lesson.needs
  const current = { lesson: lesson.name, mark, client, user }
  const started = withStart({ version: 1, lessons: {} }, current, { title: lesson.title, at, seed })
  const letter = letterOf(drawsOf(seed, 'robot').below(lesson.prediction.options.length))
  return withLesson(started, lesson.name, old => ({ ...old, prediction: letter }))
}

/** Answers the question of a task as `learn answer` does. @returns the progress, and true where it was right */
function answer(progress: Progress, { lesson, task, hidden }: Session, text: string): [Progress, boolean] {
  const { client, user } = lesson.needs
  const { answers, guesses = 0 } = progress.lessons[lesson.name]?.tasks[task!.name] ?? FRESH_TASK
  const all = [...answers, text]
  const typed = withTask(progress, lesson.name, task!.name, { answers: all, guesses: guesses + 1 })
  const facts = { client, user, ...placesOf(), answers: all, ...(hidden && { hidden }) }
  return [typed, task!.check(evidenceOf([], { clients: [client], user }), facts).done]
}

/** Does a lesson to its end. @param work does a task; returns the progress before it is done */
function doLesson(
  lesson: Lesson,
  seed: number,
  work: (progress: Progress, session: Session, task: Task) => Progress,
) {
  let progress = begun(lesson, seed)
  for (;;) {
    const session = sessionOf([lesson], progress)
    if (session.task === undefined) return progress
    progress = withDone(work(progress, session, session.task), session, session.task, shown)
  }
}

const helpIn = (lesson: Lesson, progress: Progress): string =>
  helpUsed(lesson, progress.lessons[lesson.name]!, progress)

describe.each(lessons.map(lesson => ({ ...lesson, lesson })))('$name', ({ lesson }) => {
  const inLater = numberOf(lesson) >= 7

  it.runIf(inLater)('is not finished without help by somebody who runs printed lines', () => {
    for (const seed of seeds) {
      const progress = doLesson(lesson, seed, (before, session, task) => {
        let now = before
        const printed = printedIn([...lesson.opening, ...task.say])
        if (joined(task.solutions.cli).every(line => printed.has(line))) return now
        for (const typed of task.asks ? printed : []) {
          const text = answerIn(typed)
          if (text === undefined) continue
          const [next, right] = answer(now, session, text)
          if (right) return next
          now = next
        }
        return withTask(now, lesson.name, task.name, { hints: 2 })
      })
      expect([seed, helpIn(lesson, progress)]).not.toEqual([seed, 'without help'])
    }
  })

  it('is finished without help by somebody who knows', () => {
    for (const seed of seeds) {
      const progress = doLesson(lesson, seed, (now, session, task) => {
        // The number of a token differs in each run: programs/learn/built-in.test.ts types it at a lab.
        const known = task.solutions.cli
          .map(line => answerIn(line))
          .find(text => text !== undefined && !text.includes('$'))
        if (!task.asks || known === undefined) return now
        const [next, right] = answer(
          now,
          session,
          known.replace('{hidden}', (session.hidden ?? []).join(' ')),
        )
        expect([task.name, seed, right]).toEqual([task.name, seed, true])
        return next
      })
      expect(progress.lessons[lesson.name]?.doneAt).toBe(at)
      expect(helpIn(lesson, progress)).toMatch(/^without help(?:, no false alarm.*)?$/)
    }
  })

  it('shows no line that does a task, but at its first one and before lesson 7', () => {
    for (const [i, task] of lesson.tasks.entries()) {
      if (i === 0 && !inLater) continue
      const printed = printedIn([...lesson.opening, ...task.say])
      const lines = [...joined(task.solutions.cli), ...joined([task.hints.line])]
      expect([task.name, lines.filter(line => printed.has(line))]).toEqual([task.name, []])
    }
  })
})

it('help that was taken is kept by a second start', () => {
  const [lesson] = lessons as [Lesson]
  const [task] = lesson.tasks as [Task]
  const helped = withTask(begun(lesson, 1), lesson.name, task.name, { hints: 2, solution: true, guesses: 3 })
  const again = withStart(helped, helped.current!, { title: lesson.title, at, seed: 1 })
  expect(again.lessons[lesson.name]?.tasks).toEqual({})
  expect(helpIn(lesson, again)).toBe('2 hints, 1 solution shown, 3 wrong answers')
})
