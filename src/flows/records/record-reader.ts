import { isJsonObject } from '../../protocol/values.js'

/** JSON that is no record of a flow; the message names the member and what it should be. */
export class RecordError extends Error {
  override name = 'RecordError'
}

/** A value of untrusted JSON with its path. All methods except `optional` throw RecordError. */
export interface Reader {
  member(name: string): Reader
  optional(name: string): Reader | undefined
  list(max: number): Reader[]
  text(): string
  matching(pattern: RegExp, what: string): string
  among<Word extends string>(words: readonly Word[]): Word
  truth(): boolean
  number(): number
  count(): number
  integer(min: number, max: number): number
  date(): string
  wrong(wanted: string): RecordError
}

export function reader(value: unknown, path = ''): Reader {
  const wrong = (wanted: string) => new RecordError(`${path === '' ? 'the line' : path} is not ${wanted}`)
  const object = (): Readonly<Record<string, unknown>> => {
    if (!isJsonObject(value)) throw wrong('an object')
    return value
  }
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const text = (): string => {
    if (typeof value !== 'string') throw wrong('a text')
    return value
  }
  const number = (): number => {
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
      throw wrong('a number, zero or more')
    return value
  }
  const integer = (min: number, max: number): number => {
    if (!Number.isInteger(value) || number() < min || number() > max) {
      throw wrong(`a whole number from ${min} to ${max}`)
    }
    return number()
  }
  return {
    wrong,
    text,
    number,
    integer,
    member: name => {
      if (!Object.hasOwn(object(), name)) throw new RecordError(`${at(name)} is missing`)
      return reader(object()[name], at(name))
    },
    optional: name => (Object.hasOwn(object(), name) ? reader(object()[name], at(name)) : undefined),
    list: max => {
      if (!Array.isArray(value)) throw wrong('a list')
      if (value.length > max) throw wrong(`a list of at most ${max}`)
      return value.map((each: unknown, i) => reader(each, `${path}[${i}]`))
    },
    matching: (pattern, what) => {
      if (!pattern.test(text())) throw wrong(what)
      return text()
    },
    among: words => {
      const found = words.find(word => word === value)
      if (found === undefined) throw wrong(`one of ${words.join(', ')}`)
      return found
    },
    truth: () => {
      if (typeof value !== 'boolean') throw wrong('true or false')
      return value
    },
    count: () => integer(0, Number.MAX_SAFE_INTEGER),
    date: () => {
      const moment = Date.parse(text())
      if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text()) || Number.isNaN(moment))
        throw wrong('a time in ISO 8601')
      return text()
    },
  }
}
