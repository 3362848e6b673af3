import type { PlanRules } from '../../cloudflare/client/plan.js'
import { ClientRefusal } from '../../cloudflare/client/refusal.js'
import { type Wanted, wantedRecord } from '../../cloudflare/client/wanted.js'
import { RecordError } from '../../cloudflare/records/record-error.js'
import type { GivenRecord } from '../../cloudflare/records/record-fields.js'

/** How one record is planned: nothing else is touched. */
export const alone = (zone: string): PlanRules => ({ zone, prune: false })

/**
 * Checks a record by the rules of the service before anything is sent.
 * @throws ClientRefusal with the service's own words and code
 */
export function checkedRecord(given: GivenRecord, zone: string): Wanted {
  try {
    return wantedRecord(given, zone)
  } catch (error) {
    if (error instanceof RecordError) throw new ClientRefusal(`${error.message} (${error.code})`)
    throw error
  }
}

/** The record as the rules read it; undefined where they do not know it, so that the service decides. */
export function readableRecord(given: GivenRecord, zone: string): Wanted | undefined {
  try {
    return wantedRecord(given, zone)
  } catch (error) {
    if (error instanceof RecordError) return undefined
    throw error
  }
}
