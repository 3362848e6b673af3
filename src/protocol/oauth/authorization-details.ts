import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject, parsedJson } from '../values.js'

/** One of the authorization details (RFC 9396 §2). Its type defines the other members. */
export interface AuthorizationDetail extends JsonObject {
  readonly type: string
}

/** The value of `authorization_details`, parsed. */
export type AuthorizationDetails = readonly AuthorizationDetail[]

/** Members that every type may use (RFC 9396 §2.2), by their JSON types. */
export const COMMON_MEMBERS = {
  locations: 'list',
  actions: 'list',
  datatypes: 'list',
  identifier: 'text',
  privileges: 'list',
} as const

/** The result of reading a value: the details, or the problem. */
type ReadDetails = { readonly details: AuthorizationDetails } | { readonly problem: string }

/** Longest value, in characters. A request is one URL, and a JWT access token one header line. */
const MAX_DETAILS_LENGTH = 4096

/** Most objects in one value. */
const MAX_DETAILS = 20

/** Deepest nesting, from the list itself. */
const MAX_DEPTH = 8

/** Reads the text of a parameter: a JSON list of objects with a type each (RFC 9396 §2). */
export function parseAuthorizationDetails(text: string): ReadDetails {
  if (text.length > MAX_DETAILS_LENGTH)
    return { problem: `it is longer than ${MAX_DETAILS_LENGTH} characters` }
  const parsed = parsedJson(text)
  return parsed === undefined ? { problem: 'it is not JSON' } : readAuthorizationDetails(parsed)
}

/** Reads a parsed value, as token answers and JWTs have it. */
export function readAuthorizationDetails(value: unknown): ReadDetails {
  if (!Array.isArray(value)) return { problem: 'it is not a list of objects' }
  if (value.length > MAX_DETAILS) return { problem: `it has more than ${MAX_DETAILS} objects` }
  if (depthOf(value) > MAX_DEPTH) return { problem: `it is nested deeper than ${MAX_DEPTH} levels` }
  for (const [i, each] of value.entries()) {
    if (!isJsonObject(each)) return { problem: `[${i}] is not an object` }
    if (typeof each.type !== 'string' || each.type === '') return { problem: `[${i}] has no type` }
  }
  return { details: value as AuthorizationDetails }
}

/** Counts levels without recursion: a parsed text may nest as deep as it is long. */
function depthOf(value: unknown): number {
  let level: unknown[] = [value]
  for (let depth = 0; ; depth++) {
    level = level.flatMap(each => (typeof each === 'object' && each !== null ? Object.values(each) : []))
    if (level.length === 0 || depth > MAX_DEPTH) return depth
  }
}

/**
 * True when a grant covers a detail (RFC 9396 §6.1). A detail may only shorten the lists of the common members: without
 * knowledge of a type, any other difference may mean more. A missing member may mean more too.
 */
export function coversDetail(granted: AuthorizationDetail, asked: AuthorizationDetail): boolean {
  const names = Object.keys(asked)
  if (names.length !== Object.keys(granted).length) return false
  return names.every(name => {
    if (!Object.hasOwn(granted, name)) return false
    const [had, wanted] = [granted[name], asked[name]]
    if (isDeepStrictEqual(had, wanted)) return true
    return isList(name) && isPartOf(wanted, had)
  })
}

function isList(name: string): boolean {
  return Object.hasOwn(COMMON_MEMBERS, name) && COMMON_MEMBERS[name as keyof typeof COMMON_MEMBERS] === 'list'
}

/** True for a part of a list. An empty list does not count: it may mean no limit. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (!Array.isArray(part) || !Array.isArray(whole) || part.length === 0) return false
  return part.every(each => whole.includes(each))
}

/** Returns the first detail that no detail of a grant covers; undefined for details within the grant. */
export function firstUncovered(
  asked: AuthorizationDetails,
  granted: AuthorizationDetails,
): AuthorizationDetail | undefined {
  return asked.find(each => !granted.some(other => coversDetail(other, each)))
}

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
interface DetailType {
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
