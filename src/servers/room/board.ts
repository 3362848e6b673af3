import type { RoomPhase } from '../../protocol/room/messages.js'
import type { Board, BoardGroup, BoardLesson, BoardPerson, BoardPoll, Stuck, TaskCell } from './model.js'
import { type Person, taskKey } from './person.js'

/** A person is stuck after this number of refusals by one rule, of hints, and at this multiple of the median time of the room. */
const REFUSALS = 3
const LAST_HINT = 2
const SLOW = 2

/** People who have to have done a task before the others are slow. */
const TIMED = 3

/** The parts of the board. */
interface BoardParts {
  readonly room: string
  readonly code: string
  readonly lessons: readonly BoardLesson[]
  readonly people: readonly Person[]
  readonly isOnline: (who: string) => boolean
  readonly phase: RoomPhase
  /** Milliseconds since the epoch. */
  readonly now: number
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The median time, in milliseconds, of each task that somebody works on and enough people have done. */
function medians(people: readonly Person[]): ReadonlyMap<string, number> {
  const typical = new Map<string, number>()
  for (const key of new Set(people.map(person => openTask(person)?.key))) {
    const times = key === undefined ? [] : people.flatMap(({ tasks }) => tasks[key]?.took ?? [])
    if (times.length >= TIMED) typical.set(key!, median(times))
  }
  return typical
}

/** The rule that refused most often, and how often. */
function worstRule({ refused }: TaskCell): readonly [rule: string, times: number] | undefined {
  let worst: [string, number] | undefined
  for (const each of Object.entries(refused)) if (worst === undefined || each[1] > worst[1]) worst = each
  return worst
}

/** The task that a person works on: the present one while it is not done, and the person is there. */
function openTask({ leftAt, lesson, task, tasks }: Person) {
  if (leftAt !== undefined || lesson === undefined || task === undefined) return undefined
  const key = taskKey(lesson, task)
  const cell = tasks[key]
  return cell?.state === 'shown' ? { lesson, task, key, cell } : undefined
}

function stuckOf(person: Person, typical: ReadonlyMap<string, number>, now: number): Stuck | undefined {
  if (person.saidStuck && person.leftAt === undefined) return { why: 'said' }
  const open = openTask(person)
  if (open === undefined) return undefined
  if (open.cell.solution || open.cell.hints >= LAST_HINT) return { why: 'hints' }
  const [rule, times] = worstRule(open.cell) ?? ['', 0]
  if (times >= REFUSALS) return { why: 'refused', rule }
  const usual = typical.get(open.key)
  if (usual === undefined || person.since === undefined) return undefined
  return now - Date.parse(person.since) > SLOW * usual ? { why: 'slow' } : undefined
}

/** People at one open task whom one rule refused, largest group first. */
function groupsOf(people: readonly Person[]): readonly BoardGroup[] {
  const groups = new Map<string, BoardGroup & { readonly who: string[] }>()
  for (const person of people) {
    const open = openTask(person)
    const rule = open && worstRule(open.cell)?.[0]
    if (open === undefined || rule === undefined) continue
    const key = `${open.key} ${rule}`
    const group = groups.get(key)
    if (group) group.who.push(person.who)
    else groups.set(key, { lesson: open.lesson, task: open.task, rule, who: [person.who] })
  }
  return [...groups.values()].sort((a, b) => b.who.length - a.who.length)
}

function tally(answers: readonly (string | undefined)[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const each of answers) if (each !== undefined) counts[each] = (counts[each] ?? 0) + 1
  return counts
}

/** The answers to the prediction of each lesson that somebody answered. */
function pollsOf(lessons: readonly BoardLesson[], people: readonly Person[]): readonly BoardPoll[] {
  return lessons.flatMap(({ name: lesson }) => {
    const answers = people.map(({ predictions }) => predictions[lesson])
    const before = tally(answers.map(each => each?.first))
    if (Object.keys(before).length === 0) return []
    return [{ lesson, before, after: tally(answers.map(each => each?.last)) }]
  })
}

/** The latest row of each person. A person is another object after each fact. */
const rows = new WeakMap<Person, BoardPerson>()

/** The row of a person: the same object until it says something else. */
function rowOf(person: Person, online: boolean, stuck: Stuck | undefined): BoardPerson {
  const known = rows.get(person)
  if (known?.online === online && known.stuck?.why === stuck?.why) return known
  const { saidStuck: _, ...seen } = person
  const row = { ...seen, online, ...(stuck && { stuck }) }
  rows.set(person, row)
  return row
}

/** Returns all that the teacher sees. A row that says what it said before is the same object. */
export function boardOf({ room, code, lessons, people, isOnline, phase, now }: BoardParts): Board {
  const typical = medians(people)
  const shown = people.map(person => rowOf(person, isOnline(person.who), stuckOf(person, typical, now)))
  return {
    room,
    code,
    at: new Date(now).toISOString(),
    lessons,
    people: shown,
    groups: groupsOf(people),
    polls: pollsOf(lessons, people),
    phase,
  }
}
