import type { Exchange } from '../../../protocol/http/exchange.js'
import { header } from '../../../protocol/http/message.js'

/** A wait before the same request is sent again. */
export interface Wait {
  readonly ms: number
  /** The HTTP status that caused the wait. */
  readonly status: number
  /** The number of the wait, from 1. */
  readonly nth: number
  readonly of: number
}

/** The retries after 429, and the retries of a GET after a failure of a gateway. */
const AFTER_429 = 3
const AFTER_GATEWAY = 2

/** The first waits in milliseconds when the service names no time. They double. */
const PAUSE_429 = 1000
const PAUSE_GATEWAY = 500

/** Statuses of a gateway that received no answer. */
const gateway = new Set([502, 503, 504])

/**
 * Reads the time of a `Retry-After` header, seconds or a date, in milliseconds (RFC 9110 §10.2.3).
 * @param now milliseconds since the epoch
 */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = /^[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/**
 * Returns the wait before a request is sent again. Undefined when its answer is final: no passing failure, no retries left, or a longer
 * wait than `longest`.
 * @param done number of waits so far
 * @param options.longest milliseconds
 */
export function nextWait(
  { request, response }: Exchange,
  done: number,
  { now, longest }: { readonly now: number; readonly longest: number },
): Wait | undefined {
  const status = response?.status ?? 0
  const tooMany = status === 429
  if (!tooMany && !(gateway.has(status) && request.method === 'GET')) return undefined
  const of = tooMany ? AFTER_429 : AFTER_GATEWAY
  if (done >= of || response === undefined) return undefined
  const asked = retryAfter(header(response, 'retry-after'), now)
  const ms = asked ?? (tooMany ? PAUSE_429 : PAUSE_GATEWAY) * 2 ** done
  return ms > longest ? undefined : { ms, status, nth: done + 1, of }
}
