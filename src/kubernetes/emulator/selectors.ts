import { badRequest } from './api-error.js'
import { quote } from './go/quote.js'
import type { StoredObject } from './store.js'

/** A condition on the value of a label or a field; undefined when the object has no such label. */
type Condition = (value: string | undefined) => boolean

/** One requirement of a selector: `a=b`, `a==b`, `a!=b`, `a`, `!a`. */
function requirement(text: string): { readonly key: string; readonly holds: Condition } | undefined {
  const [, key, sign, wanted] = /^\s*([^\s=!,()]+)\s*(?:(==?|!=)\s*([^\s=!,()]*)\s*)?$/.exec(text) ?? []
  if (key !== undefined) {
    if (sign === undefined) return { key, holds: value => value !== undefined }
    return { key, holds: value => (sign === '!=' ? value !== wanted : value === wanted) }
  }
  const absent = /^\s*!\s*([^\s=!,()]+)\s*$/.exec(text)?.[1]
  return absent === undefined ? undefined : { key: absent, holds: value => value === undefined }
}

function requirements(query: URLSearchParams, name: string) {
  const text = (query.get(name) ?? '').slice(0, 10_000)
  if (text.trim() === '') return []
  return text.split(',').map(each => {
    const found = requirement(each)
    if (found === undefined) throw badRequest(`unable to parse requirement: found ${quote(each)} in ${name}`)
    return found
  })
}

/**
 * Selects the objects that the selectors of a query match.
 * @throws ApiError 400 for an invalid selector, or a field that cannot be selected by
 */
export function selected(objects: readonly StoredObject[], query: URLSearchParams): StoredObject[] {
  const labels = requirements(query, 'labelSelector')
  const fields = requirements(query, 'fieldSelector')
  const unknown = fields.find(({ key }) => key !== 'metadata.name' && key !== 'metadata.namespace')
  if (unknown !== undefined) throw badRequest(`field label not supported: ${unknown.key}`)
  return objects.filter(
    ({ metadata }) =>
      labels.every(({ key, holds }) => holds(metadata.labels?.[key])) &&
      fields.every(({ key, holds }) =>
        holds(key === 'metadata.name' ? metadata.name : (metadata.namespace ?? '')),
      ),
  )
}
