import type { EventFilter } from './event-filter.js'
import type { Period } from './period.js'

/** What is wanted of a zone. */
export interface EventQuery {
  /** Identifier of the zone. */
  readonly zone: string
  readonly period: Period
  readonly filter: EventFilter
}
