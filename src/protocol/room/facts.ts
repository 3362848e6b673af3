import { isJsonObject } from '../values.js'

/** The facts of learning that a participant's program sends to the teacher. The list is closed: nothing else is sent. */
export const FACTS = [
  'lesson.opened',
  'task.shown',
  'task.done',
  'hint.taken',
  'solution.taken',
  'prediction.answered',
  'refused',
  'idle',
  'stuck',
] as const

export type FactName = (typeof FACTS)[number]

/** A fact as a participant's program sends it. It holds no token, password, file, address or command line. */
export interface NewFact {
  /** ISO 8601 UTC, by the clock of the participant; where the teacher's program prints it, by that of the teacher. */
  readonly at: string
  readonly fact: FactName
  readonly lesson?: string
  readonly task?: string
  /** Of `refused`: the error code and the rule, such as `invalid_grant RFC 7636 §4.6`. */
  readonly rule?: string
  /** Of `prediction.answered`: the letter of the option in the order of the lesson's file. */
  readonly answer?: string
}

/** Facts are numbered from 1 for each participant, so that each one counts once and in order. */
export interface NumberedFact extends NewFact {
  readonly n: number
}

/** A fact as the teacher's program prints it. Its time is by the clock of the teacher. */
export type Fact = {
  readonly type: 'fact'
  /** Such as `K7-03`. */
  readonly who: string
  readonly name: string
} & NewFact

const isTime = (value: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(value) && !Number.isNaN(Date.parse(value))

/** The members of a fact beside its number, and the texts that each may hold. */
const MEMBERS: Readonly<Record<keyof NewFact, (value: string) => boolean>> = {
  at: isTime,
  fact: value => (FACTS as readonly string[]).includes(value),
  lesson: value => /^[\w.-]{1,80}$/.test(value),
  task: value => /^[\w.-]{1,80}$/.test(value),
  rule: value => /^[\w .,:§()/-]{1,120}$/.test(value),
  answer: value => /^[a-z]$/.test(value),
}

/** Reads a numbered fact. Returns undefined for anything that is not one: other members, other names, texts that are too long. */
export function readFact(value: unknown): NumberedFact | undefined {
  if (!isJsonObject(value)) return undefined
  const { n, ...members } = value
  if (!Number.isSafeInteger(n) || (n as number) < 1) return undefined
  if (typeof members.at !== 'string' || typeof members.fact !== 'string') return undefined
  const fits = Object.entries(members).every(
    ([name, text]) =>
      typeof text === 'string' && Object.hasOwn(MEMBERS, name) && MEMBERS[name as keyof NewFact](text),
  )
  return fits ? (value as unknown as NumberedFact) : undefined
}
