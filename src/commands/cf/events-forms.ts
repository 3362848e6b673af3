import type { ListedEvent } from '../../cloudflare/client/events/event.js'
import { EVENT_FIELDS } from '../../cloudflare/shapes.js'
import type { CsvValue } from '../../render/csv.js'

/** The columns of a CSV of events. */
export const CSV_COLUMNS: readonly (readonly [heading: string, cell: (event: ListedEvent) => CsvValue])[] = [
  ['occurred_at', event => event.occurred_at],
  ...EVENT_FIELDS.map(field => [field, (event: ListedEvent) => event[field]] as const),
  ...(['method', 'proto', 'scheme', 'ray_id', 'rule_id'] as const).map(
    field => [field, (event: ListedEvent) => event[field]] as const,
  ),
  ['logged_only', ({ logged_only }) => logged_only === true],
]
