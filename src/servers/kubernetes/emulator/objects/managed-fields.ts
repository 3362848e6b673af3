import { defined, isJsonObject } from '../../../../protocol/values.js'
import type { ManagedFields } from '../../shapes.js'

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** Fields that have a value, as FieldsV1 names them. With `mark`, the map itself is named too, as `.`. */
function fieldsOf(value: Readonly<Record<string, unknown>>, mark: boolean): object {
  const entries = Object.entries(value)
    .filter(([, each]) => isSet(each))
    .map(([name, each]) => [`f:${name}`, isJsonObject(each) ? fieldsOf(each, true) : {}] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(mark && entries.length > 0 ? [['.', {}], ...entries] : entries)
}

/** The owner of the fields of a new object, as the server records it. The list is empty when no field was set. */
export function managedFields(options: {
  readonly manager: string
  readonly apiVersion: string
  readonly time: string
  /** The fields that the request set. */
  readonly set: { readonly spec?: object; readonly metadata?: object }
  readonly subresource?: string
}): ManagedFields[] {
  const { manager, apiVersion, time, set, subresource } = options
  const fieldsV1 = Object.fromEntries(
    (['metadata', 'spec'] as const).flatMap(name => {
      const fields = fieldsOf({ ...set[name] }, false)
      return Object.keys(fields).length === 0 ? [] : [[`f:${name}`, fields]]
    }),
  )
  if (Object.keys(fieldsV1).length === 0) return []
  return [
    defined({
      manager,
      operation: 'Update',
      apiVersion,
      time,
      fieldsType: 'FieldsV1',
      fieldsV1,
      subresource,
    }),
  ]
}
