import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Header } from '../http/message.js'

/** Links the requests of one program: a request that another one caused says so in `traceparent` (W3C Trace Context). */
export interface RequestTrace {
  /** The header to send with a request that the request `cause` caused. */
  headerFor(cause: number): Header
  /** The id of the request that caused this one. Undefined unless this trace wrote the header. */
  causeOf(traceparent: string): number | undefined
}

/**
 * Creates a trace with a random trace-id. Nobody outside the program learns the trace-id, so nobody else can name a
 * cause.
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
