import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Header } from '../../protocol/http/message.js'

/** Links the requests of one program. A request names the request that caused it in `traceparent` (W3C Trace Context). */
export interface RequestTrace {
  /** Returns the header for a request that the request `cause` caused. */
  headerFor(cause: number): Header
  /** Returns the id of the causing request; undefined unless this trace wrote the header. */
  causeOf(traceparent: string): number | undefined
}

/**
 * Creates a trace with a random trace-id. The trace-id never leaves the program, so no other program can name a cause.
 */
export function createRequestTrace(): RequestTrace {
  const prefix = Buffer.from(`00-${randomBytes(16).toString('hex')}-`)
  return {
    headerFor: cause => ['traceparent', `${prefix}${cause.toString(16).padStart(16, '0')}-01`],
    causeOf(traceparent) {
      const sent = Buffer.from(traceparent.slice(0, prefix.length))
      if (sent.length !== prefix.length || !timingSafeEqual(sent, prefix)) return undefined
      const [, parent] = /^([0-9a-f]{16})-01$/.exec(traceparent.slice(prefix.length)) ?? []
      return parent === undefined ? undefined : Number.parseInt(parent, 16)
    },
  }
}
