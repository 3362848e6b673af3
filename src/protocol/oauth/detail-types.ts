import { isDeepStrictEqual } from 'node:util'
import { type AuthorizationDetail, COMMON_MEMBERS } from './authorization-details.js'
import { isJsonObject } from './json-object.js'

/** The rules of a value: a few keywords of JSON Schema. */
export interface DetailSchema {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
  readonly description?: string | undefined
  readonly enum?: readonly (string | number | boolean)[] | undefined
  /** Longest text, in characters. */
  readonly maxLength?: number | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  /** Of each element of a list. */
  readonly items?: DetailSchema | undefined
  /** Members of an object; others are refused. Absent: any members. */
  readonly properties?: Readonly<Record<string, DetailSchema>> | undefined
  readonly required?: readonly string[] | undefined
}

/** A type of authorization details (RFC 9396 §2). Beside its properties it has the common members. */
export interface DetailType {
  /** The access as people read it, such as `Start a payment`. */
  readonly description?: string | undefined
  readonly properties?: Readonly<Record<string, DetailSchema>> | undefined
  readonly required?: readonly string[] | undefined
}

/** The types of a server by name. */
export type DetailTypes = Readonly<Record<string, DetailType>>

const TEXT: DetailSchema = { type: 'string' }
const LIST: DetailSchema = { type: 'array', items: TEXT }

const common = Object.fromEntries(
  Object.entries(COMMON_MEMBERS).map(([name, kind]) => [name, kind === 'list' ? LIST : TEXT]),
)

/** Returns the first problem of a detail by the rules of its type (RFC 9396 §5); undefined for a detail that obeys them. */
export function detailProblem(detail: AuthorizationDetail, type: DetailType): string | undefined {
  const properties = { type: TEXT, ...common, ...type.properties }
  return problemOf(detail, { type: 'object', properties, required: type.required }, '')
}

function problemOf(value: unknown, schema: DetailSchema, at: string): string | undefined {
  const where = at === '' ? 'it' : at
  if (!hasType(value, schema.type)) return `${where} is no ${schema.type}`
  const { enum: allowed, maxLength, minimum, maximum } = schema
  if (allowed !== undefined && !allowed.some(each => isDeepStrictEqual(each, value))) {
    return `${where} is not one of ${allowed.join(', ')}`
  }
  if (typeof value === 'string' && maxLength !== undefined && value.length > maxLength) {
    return `${where} is longer than ${maxLength} characters`
  }
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum) return `${where} is less than ${minimum}`
    if (maximum !== undefined && value > maximum) return `${where} is more than ${maximum}`
  }
  if (Array.isArray(value)) return firstOf(value.entries(), ([i, each]) => itemProblem(each, i, schema, at))
  return isJsonObject(value) ? memberProblem(value, schema, at) : undefined
}

function itemProblem(value: unknown, i: number, { items }: DetailSchema, at: string): string | undefined {
  return items === undefined ? undefined : problemOf(value, items, `${at}[${i}]`)
}

function memberProblem(
  value: Readonly<Record<string, unknown>>,
  { properties, required = [] }: DetailSchema,
  at: string,
): string | undefined {
  const named = (name: string) => (at === '' ? name : `${at}.${name}`)
  const missing = required.find(name => !Object.hasOwn(value, name))
  if (missing !== undefined) return `${named(missing)} is missing`
  if (properties === undefined) return undefined
  return firstOf(Object.entries(value), ([name, each]) =>
    Object.hasOwn(properties, name)
      ? problemOf(each, properties[name]!, named(name))
      : `${named(shortened(name))} is unknown`,
  )
}

/** Names come from the request: a long one would fill the message. */
const shortened = (name: string) => (name.length > 60 ? `${name.slice(0, 59)}…` : name)

function firstOf<T>(values: Iterable<T>, find: (value: T) => string | undefined): string | undefined {
  for (const each of values) {
    const found = find(each)
    if (found !== undefined) return found
  }
  return undefined
}

function hasType(value: unknown, type: DetailSchema['type']): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}
