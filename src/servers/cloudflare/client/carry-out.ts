import { UserError } from '../../../protocol/errors.js'
import type { DnsRecord } from '../shapes.js'
import { type Change, changeBody, creationBody, grouped } from './plan.js'
import { readRecordAnswer, recordsPath } from './records.js'
import { ApiRefusal, type ApiRequest, type Service } from './service.js'

/** The most changes in one batch. Every plan of the service allows 200. */
const BATCH = 200

/** The error of a run that made some of its changes. */
class HalfWay extends UserError {
  override readonly label: string
  constructor(cause: UserError, done: number, all: number) {
    super(cause.message, cause.kind, [
      ...cause.hints,
      `${done} of ${all} changes were made before that, the others were not. Run the command again to make the rest.`,
    ])
    this.label = cause.label
  }
}

const nameOf = (change: Change): string =>
  change.action === 'delete' ? change.before.name : change.wanted.fields.name

/** Splits changes into batches. The changes of one name stay together, so that each batch is consistent. */
export function batches(changes: readonly Change[], size = BATCH): Change[][] {
  const all: Change[][] = [[]]
  for (const group of grouped(changes, nameOf).values()) {
    const last = all.at(-1)!
    if (last.length > 0 && last.length + group.length > size) all.push([...group])
    else last.push(...group)
  }
  return all.filter(batch => batch.length > 0)
}

/** The order of actions in which no change conflicts with a later one. */
const order = ['delete', 'change', 'add'] as const
const ordered = (changes: readonly Change[]): Change[] =>
  order.flatMap(action => changes.filter(change => change.action === action))

function single(zone: string, change: Change): ApiRequest {
  if (change.action === 'delete') return { method: 'DELETE', path: recordsPath(zone, change.before.id) }
  const { wanted } = change
  if (change.action === 'add') return { method: 'POST', path: recordsPath(zone), body: creationBody(wanted) }
  const body = changeBody(wanted, change.differences)
  return { method: 'PATCH', path: recordsPath(zone, change.before.id), body }
}

/** Builds one request that makes all changes or none (POST …/dns_records/batch). */
function together(zone: string, changes: readonly Change[]): ApiRequest {
  const body = {
    deletes: changes.flatMap(each => (each.action === 'delete' ? [{ id: each.before.id }] : [])),
    patches: changes.flatMap(each =>
      each.action === 'change' ? [{ id: each.before.id, ...changeBody(each.wanted, each.differences) }] : [],
    ),
    posts: changes.flatMap(each => (each.action === 'add' ? [creationBody(each.wanted)] : [])),
  }
  return { method: 'POST', path: `${recordsPath(zone)}/batch`, body }
}

/** True when the service has no batches. Then none of the changes was made. */
const knowsNoBatch = (error: unknown): boolean =>
  error instanceof ApiRefusal && (error.status === 404 || error.status === 405) && !error.has(81044)

/**
 * Makes changes: a single one by its own request, several in batches, and one by one when the service has no batches.
 * @returns the record after a single change
 * @throws UserError that says how many changes were made
 */
export async function carryOut(
  service: Service,
  zone: string,
  changes: readonly Change[],
): Promise<DnsRecord | undefined> {
  let done = 0
  async function send(request: ApiRequest, count: number): Promise<unknown> {
    try {
      const { result } = await service.request<unknown>(request)
      done += count
      return result
    } catch (error) {
      if (done > 0 && error instanceof UserError) throw new HalfWay(error, done, changes.length)
      throw error
    }
  }
  const [first] = changes
  if (first !== undefined && changes.length === 1) {
    const result = await send(single(zone, first), 1)
    return first.action === 'delete' ? first.before : readRecordAnswer(result, service)
  }
  for (const batch of batches(changes)) {
    try {
      await send(together(zone, batch), batch.length)
    } catch (error) {
      if (done > 0 || !knowsNoBatch(error)) throw error
      for (const change of ordered(changes)) await send(single(zone, change), 1)
      return undefined
    }
  }
  return undefined
}
