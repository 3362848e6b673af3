import type { Path } from '../../lab/lab-file/lab-file-source.js'
import { nearest } from '../../protocol/nearest.js'

export interface Place {
  readonly value: unknown
  readonly path: Path
  readonly report: (path: Path, problem: string) => void
}

type Members = Readonly<Record<string, unknown>>

const isMap = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

function near(word: string, allowed: readonly string[]): string {
  const found = nearest(word, allowed)
  return found === undefined ? '' : `. Did you mean ${found}?`
}

/** The value of a missing member is undefined. */
export function member({ value, path, report }: Place, name: string): Place {
  return { value: isMap(value) ? value[name] : undefined, path: [...path, name], report }
}

export const has = ({ value }: Place, name: string): boolean => isMap(value) && Object.hasOwn(value, name)

/** Reports forbidden and missing members. @returns false for a value that is no map */
export function checkMembers(
  place: Place,
  required: readonly string[],
  optional: readonly string[] = [],
): boolean {
  const { value, path, report } = place
  const allowed = [...required, ...optional]
  if (!isMap(value)) {
    report(path, `${shown(value)} is not a map; it has the members ${allowed.join(', ')}`)
    return false
  }
  for (const name of Object.keys(value)) {
    if (allowed.includes(name)) continue
    report([...path, name], `there is no such member; allowed: ${allowed.join(', ')}${near(name, allowed)}`)
  }
  for (const name of required) {
    if (!Object.hasOwn(value, name)) report(path, `${name} is missing; required: ${required.join(', ')}`)
  }
  return true
}

/** Not empty. */
export function text({ value, path, report }: Place): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  if (typeof value === 'number') return String(value)
  if (value !== undefined) report(path, `${shown(value)} is not a text`)
  return ''
}

/** From 1. */
export function wholeNumber({ value, path, report }: Place): number {
  if (Number.isInteger(value) && (value as number) > 0) return value as number
  if (value !== undefined) report(path, `${shown(value)} is not a whole number from 1`)
  return 1
}

/** A single value is a list of one. */
export function items({ value, path, report }: Place): Place[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) return [{ value, path, report }]
  return value.map((each, i) => ({ value: each, path: [...path, i], report }))
}

/** Of a closed list. */
export function word<Word extends string>(place: Place, allowed: readonly Word[]): Word | undefined {
  const { value, path, report } = place
  if (value === undefined) return undefined
  const found = allowed.find(each => each === value)
  if (found === undefined) {
    const few = allowed.length > 20 ? '' : `; allowed: ${allowed.join(', ')}`
    report(path, `${shown(value)} is not allowed${few}${near(String(value), allowed)}`)
  }
  return found
}

/** Of a shell. */
export function lines(place: Place): string[] {
  return text(place)
    .split('\n')
    .map(line => line.trimEnd())
}
