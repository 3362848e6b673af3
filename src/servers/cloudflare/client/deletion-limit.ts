import { ClientRefusal } from './dns-client-errors.js'
import type { Plan } from './plan.js'

/** The most records that a run deletes: a number, or a share of the zone in per cent. */
export type DeletionLimit = { readonly records: number } | { readonly percent: number }

/** The share that a run deletes without an option, and the number of records that it always may. */
const USUAL_PERCENT = 30
const ALWAYS = 5

/** Reads a limit such as `30%` or `12`. Returns undefined for other texts. */
export function parseDeletionLimit(text: string): DeletionLimit | undefined {
  const [, number, percent] = /^(\d{1,6})(%?)$/.exec(text.trim()) ?? []
  if (number === undefined) return undefined
  if (percent === '') return { records: Number(number) }
  return Number(number) <= 100 ? { percent: Number(number) } : undefined
}

/** Returns the number of records that a limit allows of a zone with `all` records. */
function allowed(limit: DeletionLimit | undefined, all: number): number {
  if (limit === undefined) return Math.max(ALWAYS, Math.floor((all * USUAL_PERCENT) / 100))
  return 'records' in limit ? limit.records : Math.floor((all * limit.percent) / 100)
}

/**
 * Checks that a plan does not delete too much of a zone. A wrong or half-written file would otherwise empty the zone.
 * @param limit undefined for the default: 30 % of the zone, and five records in any case
 * @throws ClientRefusal
 */
export function checkDeletions(
  { changes, unchanged, extra }: Plan,
  zone: string,
  limit: DeletionLimit | undefined,
): void {
  const count = changes.filter(({ action }) => action === 'delete').length
  const all = changes.filter(({ action }) => action !== 'add').length + unchanged.length + extra.length
  const most = allowed(limit, all)
  if (count <= most) return
  const share = Math.round((count / all) * 100)
  throw new ClientRefusal(
    `${count} of ${all} records of ${zone} would be deleted (${share} %); the limit is ${most}. Nothing was changed.`,
    [`If that is meant:   --max-delete ${count}`, 'See what it would be:   --dry-run'],
  )
}
