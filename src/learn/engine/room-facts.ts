import type { KeptEvent } from '../../lab/state/event-file.js'
import { EVENTS, isRefusal } from '../../protocol/event-catalogue.js'
import { isKnownError } from '../../protocol/oauth/oauth-error.js'
import { type FactName, type NewFact, readFact } from '../../protocol/room/facts.js'
import { namesSection } from '../../protocol/rules/documents.js'
import { defined } from '../../protocol/values.js'
import type { Lesson } from '../model.js'
import { drawnLesson } from './drawn-lesson.js'
import { letterOf } from './lesson-lines.js'
import type { LessonProgress, Progress, TaskProgress } from './progress.js'

type LearnedTask = Pick<TaskProgress, 'doneAt' | 'hints' | 'solution'>

interface LearnedLesson extends Pick<LessonProgress, 'startedAt' | 'prediction' | 'predictedAgain' | 'seed'> {
  readonly tasks: Readonly<Record<string, LearnedTask>>
}

/** The part of a learner's progress that facts are made of. */
export interface Learned {
  readonly lessons: Readonly<Record<string, LearnedLesson>>
  /** The task at whose end the learner still reads or waits, as `lesson/task`: the next one is not shown yet. */
  readonly at?: string
}

/** Returns the part of the progress that facts are made of: no answer, no event and no folder. */
export function learnedOf({ lessons }: Pick<Learned, 'lessons'>, at?: string): Learned {
  const learned = Object.entries(lessons).map(([name, { tasks, ...lesson }]) => {
    const kept = Object.entries(tasks).map(([task, { doneAt, hints, solution }]) => [
      task,
      defined({ doneAt, hints, solution }),
    ])
    const { startedAt, prediction, predictedAgain, seed } = lesson
    return [name, defined({ startedAt, prediction, predictedAgain, seed, tasks: Object.fromEntries(kept) })]
  })
  return { lessons: Object.fromEntries(learned), ...(at !== undefined && { at }) }
}

/** A refusal by a server. */
export interface Refusal {
  /** ISO 8601 UTC. */
  readonly at: string
  /** The error code and the rule, as far as the lab knows them; else the type of the event. */
  readonly rule: string
}

/** The error code and the rule of an event, as far as the lab knows them. */
function namedIn({ error, rule }: KeptEvent): string {
  const code = typeof error === 'string' && isKnownError(error) ? [error] : []
  const rules = typeof rule === 'string' ? rule.split(', ').filter(namesSection).slice(0, 1) : []
  return [...code, ...rules].join(' ')
}

/**
 * Returns the refusals among events, one for each request: the event that says most. Error codes and rules are of closed lists: a description, which may
 * hold a text of a person, is left out.
 */
export function refusalsIn(events: readonly KeptEvent[]): Refusal[] {
  const byRequest = new Map<unknown, { readonly at: string; readonly type: string; readonly named: string }>()
  for (const [i, event] of events.entries()) {
    const { type, at, lab, request } = event
    if (!isRefusal(event) || !Object.hasOwn(EVENTS, type)) continue
    const key = request === undefined ? i : `${lab} ${request}`
    const named = namedIn(event)
    if (named.length >= (byRequest.get(key)?.named.length ?? 0)) byRequest.set(key, { at, type, named })
  }
  return Array.from(byRequest.values(), ({ at, type, named }) => ({ at, rule: named || type }))
}

const FRESH: LearnedTask = { hints: 0, solution: false }

/** The tasks that the learner has seen: the first one after the prediction, each further one after the task before. */
function shownTasks(
  { name, tasks }: Lesson,
  record: LearnedLesson | undefined,
  at?: string,
): readonly string[] {
  if (record?.prediction === undefined) return []
  const names = tasks.map(each => each.name)
  const open = names.findIndex(each => record.tasks[each]?.doneAt === undefined)
  if (open < 0) return names
  return names.slice(0, at === `${name}/${names[open - 1]}` ? open : open + 1)
}

/** The letter of an answer in the order of the lesson's file. Undefined where the letter is of no option. */
function letterInFile(lesson: Lesson, letter: string | undefined, seed?: number): string | undefined {
  const chosen = drawnLesson(lesson, seed).prediction.options.find((_, i) => letterOf(i) === letter)
  return chosen && letterOf(lesson.prediction.options.indexOf(chosen))
}

/** A time in the form of facts. @param now in place of a text that is no time */
function timeOf(text: string | undefined, now: string): string {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) || Math.abs(time) > 8e15 ? now : new Date(time).toISOString()
}

interface Between {
  readonly before: LearnedLesson | undefined
  readonly after: LearnedLesson
  /** The end of the task at which the learner was, and is. */
  readonly ends: readonly [before: string | undefined, after: string | undefined]
  /** Of the present task of this lesson, or of one that was done since. */
  readonly refusals: readonly Refusal[]
  /** ISO 8601 UTC. */
  readonly now: string
}

function factsOfLesson(lesson: Lesson, { before, after, ends, refusals, now }: Between): NewFact[] {
  const facts: NewFact[] = []
  const add = (fact: FactName, at: string, more: Pick<NewFact, 'task' | 'rule' | 'answer'> = {}) =>
    facts.push({ at, fact, lesson: lesson.name, ...more })
  if (before === undefined) add('lesson.opened', timeOf(after.startedAt, now))
  const addAnswer = (which: 'prediction' | 'predictedAgain') => {
    const answer = letterInFile(lesson, after[which], after.seed)
    if (answer !== undefined && after[which] !== before?.[which]) add('prediction.answered', now, { answer })
  }
  addAnswer('prediction')
  const shownBefore = shownTasks(lesson, before, ends[0])
  let shownAt = now
  for (const task of shownTasks(lesson, after, ends[1])) {
    const old = before?.tasks[task] ?? FRESH
    const { hints, solution, doneAt } = after.tasks[task] ?? FRESH
    const end = timeOf(doneAt, now)
    if (!shownBefore.includes(task)) add('task.shown', shownAt, { task })
    shownAt = ends[0] === undefined ? end : now
    // Help in a review of a task is help with another question.
    if (old.doneAt !== undefined) continue
    for (let given = old.hints; given < Math.min(hints, old.hints + 9); given++)
      add('hint.taken', now, { task })
    if (solution && !old.solution) add('solution.taken', now, { task })
    const next = refusals.findIndex(({ at }) => doneAt !== undefined && timeOf(at, now) > end)
    const mine = refusals.slice(0, next < 0 ? undefined : next)
    for (const { at, rule } of mine) add('refused', timeOf(at, now), { task, rule })
    refusals = refusals.slice(mine.length)
    if (doneAt !== undefined) add('task.done', end, { task })
  }
  addAnswer('predictedAgain')
  return facts
}

/**
 * Returns the facts of learning between two states of a learner's progress, lesson by lesson in the order of their beginning. A lesson that was started
 * again is a new one.
 * @param lessons those of the room: nothing is reported of others
 * @param refusals of the learner's present lesson since `before`
 * @param now ISO 8601 UTC
 */
export function factsBetween(
  before: Learned,
  after: Pick<Progress, 'lessons' | 'current'> & Pick<Learned, 'at'>,
  lessons: readonly Lesson[],
  refusals: readonly Refusal[],
  now: string,
): NewFact[] {
  const { current } = after
  const reviewed = current?.review !== undefined
  return Object.entries(learnedOf(after).lessons)
    .sort(([, one], [, other]) => Date.parse(one.startedAt) - Date.parse(other.startedAt))
    .flatMap(([name, record]) => {
      const lesson = lessons.find(each => each.name === name)
      const old = Object.hasOwn(before.lessons, name) ? before.lessons[name] : undefined
      if (lesson === undefined) return []
      return factsOfLesson(lesson, {
        before: old?.startedAt === record.startedAt ? old : undefined,
        after: record,
        ends: [before.at, after.at],
        refusals: name === current?.lesson && !reviewed ? refusals : [],
        now,
      })
    })
    .filter(fact => readFact({ n: 1, ...fact }) !== undefined)
}
