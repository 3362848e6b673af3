import type { PlanRules } from '../../cloudflare/client/plan.js'
import { ClientRefusal } from '../../cloudflare/client/refusal.js'
import { type Wanted, wantedRecord } from '../../cloudflare/client/wanted.js'
import { domainName } from '../../cloudflare/records/names.js'
import { RecordError } from '../../cloudflare/records/record-error.js'
import type { GivenRecord } from '../../cloudflare/records/record-fields.js'
import type { Zone } from '../../cloudflare/shapes.js'
import { UsageError } from '../../errors.js'

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

/**
 * A name with a dot at its end is a full one: the service would append the zone to one that is outside of it.
 * @throws UsageError
 */
export function checkWithin(name: string, { name: zone }: Zone): void {
  const full = name.endsWith('.') ? domainName(name) : undefined
  if (full === undefined || zone === '' || full === zone || full.endsWith(`.${zone}`)) return
  throw new UsageError(`${full} is not within the zone ${zone}`, ['Another zone:   --zone NAME'])
}
