import type { NewFact } from '../../protocol/room/facts.js'
import type { BoardLesson, BoardPerson, TaskCell } from './model.js'

/** A person without what depends on the others, on the time and on connections. */
export interface Person extends Omit<BoardPerson, 'online' | 'stuck'> {
  /** True after `stuck`, until the task is done or another one is shown. */
  readonly saidStuck: boolean
}

/** Rules that are counted at one task of one person: a participant sends any text as a rule. */
const MAX_RULES = 20

/** The name of a task in the whole room. */
export const taskKey = (lesson: string, task: string): string => `${lesson}/${task}`

/** The names of the room's lessons, and those of their tasks as `lesson/task`. Facts about others are no part of the board. */
export const namesIn = (lessons: readonly BoardLesson[]): ReadonlySet<string> =>
  new Set(lessons.flatMap(({ name, tasks }) => [name, ...tasks.map(task => taskKey(name, task))]))

const NEW_CELL: TaskCell = { state: 'shown', hints: 0, solution: false, refused: {} }

/** Counts a refusal of a rule. */
function counted(refused: TaskCell['refused'], rule: string): TaskCell['refused'] {
  const known = Object.hasOwn(refused, rule)
  if (!known && Object.keys(refused).length >= MAX_RULES) return refused
  return { ...refused, [rule]: (known ? refused[rule]! : 0) + 1 }
}

/** Returns the cell of a fact's task after the fact. @param took milliseconds since the task was shown, where that is known */
function cellAfter(cell: TaskCell, { fact, rule }: NewFact, took: number | undefined): TaskCell {
  if (fact === 'hint.taken') return { ...cell, hints: cell.hints + 1 }
  if (fact === 'solution.taken') return { ...cell, solution: true }
  if (fact === 'refused' && rule !== undefined) return { ...cell, refused: counted(cell.refused, rule) }
  if (fact === 'task.done' && cell.state === 'shown') {
    return { ...cell, state: 'done', ...(took !== undefined && { took }) }
  }
  return cell
}

/** Returns a person who has begun a lesson, or come to a task of it. */
function placed(person: Person, lesson: string, task: string | undefined, at: string): Person {
  if (lesson === person.lesson && (task === undefined || task === person.task)) return person
  const { task: _, since: __, ...rest } = person
  return { ...rest, lesson, ...(task !== undefined && { task, since: at }), saidStuck: false }
}

/** Returns a person after an answer: the first one stays. */
function answered(person: Person, lesson: string, answer: string): Person {
  const known = person.predictions[lesson]
  const answers = known === undefined ? { first: answer } : { first: known.first, last: answer }
  return { ...person, predictions: { ...person.predictions, [lesson]: answers } }
}

/**
 * Returns a person after a fact. A fact that names another lesson or task than the present one leads there.
 * @param at time of the fact by the clock of the teacher, ISO 8601 UTC
 * @param known the names of the room's lessons and tasks (`namesIn`)
 */
export function withFact(before: Person, fact: NewFact, at: string, known: ReadonlySet<string>): Person {
  const seen: Person = { ...before, lastAt: at, idle: fact.fact === 'idle' }
  const lesson = fact.lesson ?? before.lesson
  if (lesson === undefined || !known.has(lesson)) {
    return fact.fact === 'stuck' ? { ...seen, saidStuck: true } : seen
  }
  const person = placed(seen, lesson, fact.task, at)
  if (fact.fact === 'stuck') return { ...person, saidStuck: true }
  if (fact.fact === 'prediction.answered') {
    return fact.answer === undefined ? person : answered(person, lesson, fact.answer)
  }
  const { task, since } = person
  if (task === undefined || fact.fact === 'lesson.opened' || fact.fact === 'idle') return person
  const key = taskKey(lesson, task)
  if (!known.has(key)) return person
  const wasThere = lesson === before.lesson && task === before.task && since !== undefined
  const took = wasThere ? Math.max(0, Date.parse(at) - Date.parse(since)) : undefined
  const cell = cellAfter(person.tasks[key] ?? NEW_CELL, fact, took)
  const saidStuck = person.saidStuck && fact.fact !== 'task.done'
  return { ...person, saidStuck, tasks: { ...person.tasks, [key]: cell } }
}
