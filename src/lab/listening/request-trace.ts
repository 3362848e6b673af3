import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Header } from '../../protocol/http/message.js'

/** Requests name the request that caused them in `traceparent` (W3C Trace Context). */
export interface RequestTrace {
  headerFor(cause: number): Header
  /** Undefined unless this trace wrote the header. */
  causeOf(traceparent: string): number | undefined
}

/** The random trace-id never leaves the program, so no other program can name a cause. */
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
