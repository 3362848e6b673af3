import type { EventFilter } from './event-filter.js'
import type { Period } from './period.js'

/** The events to find in a zone. */
export interface EventQuery {
  /** Identifier of the zone. */
  readonly zone: string
  readonly period: Period
  readonly filter: EventFilter
}
