import type { Exchange } from '../../protocol/http/exchange.js'
import type { ServerReport } from './server-report.js'

/** A part of an exchange that a recording left out, or shows in part. */
export type MissingPart = 'request query' | 'request body' | 'response headers' | 'response body' | 'response'

/** An exchange of a recording, in one shape whatever program recorded it. */
export interface Recorded {
  /** Its number in the recording, from 1. */
  readonly entry: number
  readonly exchange: Exchange
  /** When it was sent, in milliseconds since the epoch, by the clock of the recording. NaN: the recording does not say. */
  readonly sent: number
  /** True when a script of a page sent it, so that everything in it is known to the browser. */
  readonly fromPage: boolean
  /** Parts that the recording left out, which cannot be judged. */
  readonly lacks: readonly MissingPart[]
  /** The reason of the browser for an exchange without an answer, such as `net::ERR_FAILED`. */
  readonly failure?: string
  /** The facts that the server itself reported. Absent in a recording of the wire. */
  readonly report?: ServerReport
}

/** When the answer was complete, in milliseconds since the epoch. */
export function receivedAt({ sent, exchange }: Recorded): number {
  return sent + Math.max(0, exchange.ms)
}
