import type { WireAnswer, WireHeaders, WireRequest } from '../wire.js'
import { type BodyCopy, bodyCopyFor, createBodyCopy } from './body-copy.js'
import type { Sink } from './sink.js'

/** The beginning of a request, read once the program has sent it. */
export type RequestHead = Pick<WireRequest, 'method' | 'url' | 'headers'>

/** An exchange under way. */
export interface Exchange {
  readonly sent: BodyCopy
  /** The copy of the answer's body; absent until the answer began. */
  readonly received: () => BodyCopy | undefined
  /** The request is complete. */
  readonly requested: () => void
  /**
   * The answer began.
   * @param body the copy of its body, where that began before the headers were known
   */
  readonly answered: (status: number, headers: WireHeaders, body?: BodyCopy) => void
  /** The exchange is over. Later calls change nothing. */
  readonly ended: (failure?: string) => void
}

const typeOf = (headers: WireHeaders): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]

let count = 0

/**
 * Creates an exchange that begins now.
 * @param head reads the head of the request, as late as possible: headers may be set until it is sent. Undefined: it is not recorded
 */
export function createExchange(
  sink: Sink,
  side: WireRequest['side'],
  head: () => RequestHead | undefined,
): Exchange {
  count += 1
  const id = count
  const at = Date.now()
  const began = performance.now()
  const sent = createBodyCopy()
  let received: BodyCopy | undefined
  let status: number | undefined
  let answerHeaders: WireHeaders = []
  let state: 'open' | 'requested' | 'ended' = 'open'

  function requested(): void {
    if (state !== 'open') return
    const first = head()
    state = first === undefined ? 'ended' : 'requested'
    if (first) sink.send({ type: 'request', id, side, at, ...first, body: sent.end() })
  }

  function ended(failure?: string): void {
    requested()
    if (state !== 'requested') return
    state = 'ended'
    const base = { type: 'answer', id, ms: performance.now() - began, dropped: sink.dropped() } as const
    const answer: WireAnswer =
      status === undefined
        ? base
        : { ...base, status, headers: answerHeaders, body: received?.end() ?? { size: 0 } }
    sink.send(failure === undefined ? answer : { ...answer, failure })
  }

  return {
    sent,
    received: () => received,
    requested,
    answered(code, headers, body) {
      // An answer of 1xx is followed by the final one.
      if (code < 200) return
      requested()
      status = code
      answerHeaders = headers
      received = body === undefined ? bodyCopyFor(typeOf(headers)) : body.typed(typeOf(headers))
    },
    ended,
  }
}

/** The code of an error, such as ECONNREFUSED; else its name. Messages may quote what was sent. */
export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error'
  const { code, cause } = error as NodeJS.ErrnoException
  if (typeof code === 'string') return code
  return cause instanceof Error ? failureOf(cause) : error.name
}

/** Runs what the recorder wants. The program never sees a mistake of it. */
export function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // A record is lost, and nothing else.
  }
}
