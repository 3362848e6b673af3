import { FormError, type FormPairs, readableForm } from './form.js'

/** The parameters of a query, a fragment or a form. A parameter without a value counts as missing (RFC 6749 §3.1). */
export interface Fields {
  readonly get: (name: string) => string | undefined
  readonly has: (name: string) => boolean
  /** Names that occur more than once with a value. */
  readonly repeated: readonly string[]
  readonly pairs: FormPairs
}

/** Makes fields of pairs. */
export function fieldsOf(pairs: FormPairs): Fields {
  const values = new Map<string, string>()
  const repeated = new Set<string>()
  for (const [name, value] of pairs) {
    if (value === '') continue
    if (values.has(name)) repeated.add(name)
    else values.set(name, value)
  }
  return { get: name => values.get(name), has: name => values.has(name), repeated: [...repeated], pairs }
}

/** No parameters. */
const NO_FIELDS: Fields = fieldsOf([])

/** A query without its last parameter, which a recording may have cut. */
export const withoutLastParameter = (query: string): string =>
  query.slice(0, Math.max(0, query.lastIndexOf('&')))

/** Reads the parameters of a text. What cannot be decoded is left out: this program judges recordings, and answers nobody. */
export function readFields(form: string): Fields {
  try {
    return fieldsOf(readableForm(form).pairs)
  } catch (error) {
    if (error instanceof FormError) return NO_FIELDS
    throw error
  }
}
