import { isJsonObject } from '../../../../protocol/values.js'
import { quote } from '../../encoding/go-json.js'
import { badRequest } from '../api-error.js'
import type { StoredObject } from '../store/store.js'

/** A condition on the value of a label or a field; undefined when the object has no such label. */
type Condition = (value: string | undefined) => boolean

interface Requirement {
  readonly key: string
  readonly holds: Condition
}

const MAX_SELECTOR = 10_000

/** One requirement of a label selector: `a=b`, `a==b`, `a!=b`, `a`, `!a`, `a in (b,c)`, `a notin (b,c)`. */
function requirement(text: string): Requirement | undefined {
  const [, key, sign, wanted] = /^\s*([^\s=!,()]+)\s*(?:(==?|!=)\s*([^\s=!,()]*)\s*)?$/.exec(text) ?? []
  if (key !== undefined) {
    if (sign === undefined) return { key, holds: value => value !== undefined }
    return { key, holds: value => (sign === '!=' ? value !== wanted : value === wanted) }
  }
  const absent = /^\s*!\s*([^\s=!,()]+)\s*$/.exec(text)?.[1]
  if (absent !== undefined) return { key: absent, holds: value => value === undefined }
  const [, name, word, list] = /^\s*([^\s=!,()]+)\s+(in|notin)\s*\(([^()]*)\)\s*$/.exec(text) ?? []
  if (name === undefined || list === undefined) return undefined
  const values = new Set(list.split(',').map(each => each.trim()))
  return { key: name, holds: value => (value !== undefined && values.has(value)) === (word === 'in') }
}

/** The requirements of a selector: commas separate them, except in parentheses. */
function requirements(query: URLSearchParams, name: string): Requirement[] {
  const text = (query.get(name) ?? '').slice(0, MAX_SELECTOR)
  if (text.trim() === '') return []
  const parts = ['']
  let depth = 0
  for (const char of text) {
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (char === ',' && depth === 0) parts.push('')
    else parts.push(`${parts.pop()}${char}`)
  }
  return parts.map(each => {
    const found = requirement(each)
    if (found === undefined) throw badRequest(`unable to parse requirement: found ${quote(each)} in ${name}`)
    return found
  })
}

/** Fields to select by, beside name and namespace, by kind. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Event: [
    'involvedObject.kind',
    'involvedObject.name',
    'involvedObject.namespace',
    'involvedObject.uid',
    'reason',
    'type',
  ],
  Namespace: ['status.phase'],
  Pod: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'status.phase',
  ],
  Secret: ['type'],
}

const COMMON = ['metadata.name', 'metadata.namespace']

function fieldOf(object: StoredObject, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>((each, name) => (isJsonObject(each) ? each[name] : undefined), object)
  return typeof value === 'string' ? value : ''
}

/**
 * Returns the condition of a query's selectors.
 * @param kind of the objects, which says what fields they can be selected by
 * @throws ApiError 400 for an invalid selector, or a field that cannot be selected by
 */
export function matcherOf(query: URLSearchParams, kind: string): (object: StoredObject) => boolean {
  const labels = requirements(query, 'labelSelector')
  const fields = requirements(query, 'fieldSelector')
  const known = [...COMMON, ...((Object.hasOwn(FIELDS, kind) && FIELDS[kind]) || [])]
  const unknown = fields.find(({ key }) => !known.includes(key))
  if (unknown !== undefined) throw badRequest(`field label not supported: ${unknown.key}`)
  return object =>
    labels.every(({ key, holds }) => {
      const own = object.metadata.labels
      return holds(own !== undefined && Object.hasOwn(own, key) ? own[key] : undefined)
    }) && fields.every(({ key, holds }) => holds(fieldOf(object, key)))
}
