import { conflict, type RecordFields } from '../records/record-fields.js'
import { type Change, grouped, type Plan } from './plan.js'
import { contentKey, type Place, type Wanted } from './wanted.js'

/** A mistake in the wanted records, with its position in a file. */
export interface Problem {
  readonly message: string
  readonly at?: Place
}

const problem = (message: string, at: Place | undefined): Problem => ({ message, ...(at && { at }) })

/** Finds duplicate records in a file, and records that conflict with each other. */
export function fileProblems(wanted: readonly Wanted[], zone: string): Problem[] {
  const seen = new Map<string, Wanted>()
  const problems: Problem[] = []
  for (const each of wanted) {
    const { type, name } = each.fields
    const key = `${type} ${name} ${contentKey(each.fields, zone)}`
    const first = seen.get(key)
    if (first === undefined) seen.set(key, each)
    else problems.push(problem(`the same record is in line ${first.at?.line ?? 1}`, each.at))
  }
  const changes = [...seen.values()].map((each): Change => ({ action: 'add', wanted: each }))
  return [...problems, ...planProblems({ changes, unchanged: [], extra: [] })]
}

/** Finds records that would conflict after a plan. The service would refuse them. */
export function planProblems({ changes, unchanged, extra }: Plan): Problem[] {
  const byName = grouped<RecordFields>([...unchanged, ...extra], ({ name }) => name)
  const put = (record: RecordFields) => {
    const there = byName.get(record.name)
    if (there) there.push(record)
    else byName.set(record.name, [record])
  }
  const problems: Problem[] = []
  for (const change of changes) {
    if (change.action === 'delete') continue
    const { fields, at } = change.wanted
    const wrong = conflict(fields, byName.get(fields.name) ?? [])
    if (wrong) problems.push(problem(`${fields.type} ${fields.name}: ${wrong.message} (${wrong.code})`, at))
    put(fields)
  }
  return problems
}
