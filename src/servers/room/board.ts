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

/** The median time of each task that enough people have done, in milliseconds. */
function medians(people: readonly Person[]): ReadonlyMap<string, number> {
  const times = new Map<string, number[]>()
  for (const { tasks } of people) {
    for (const [key, { took }] of Object.entries(tasks)) {
      if (took === undefined) continue
      const known = times.get(key)
      if (known) known.push(took)
      else times.set(key, [took])
    }
  }
  const timed = [...times].filter(([, all]) => all.length >= TIMED)
  return new Map(timed.map(([key, all]) => [key, median(all)]))
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

/** Returns all that the teacher sees. Its cost is people times tasks. */
export function boardOf({ room, code, lessons, people, isOnline, phase, now }: BoardParts): Board {
  const typical = medians(people)
  const shown = people.map((person): BoardPerson => {
    const { saidStuck: _, ...seen } = person
    const stuck = stuckOf(person, typical, now)
    return { ...seen, online: isOnline(person.who), ...(stuck && { stuck }) }
  })
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
