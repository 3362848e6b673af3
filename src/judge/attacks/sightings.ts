import { TimeoutError } from '../../protocol/errors.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { type HttpRequest, type HttpResponse, header, text } from '../../protocol/http/message.js'
import type { Site } from '../../protocol/http/site.js'

/** Most exchanges that are kept until somebody asks for them. */
const MOST_KEPT = 200

/** The exchanges of real browsers, as the servers of this program saw them. */
export interface Sightings {
  /** Returns the same site; its exchanges with browsers are kept. */
  watch(site: Site): Site
  /**
   * Waits for the next exchange that fits. Exchanges before it are skipped.
   * @param awaited the request that is awaited, for messages
   * @throws TimeoutError, or the reason of the signal
   */
  next(fits: (exchange: Exchange) => boolean, awaited: string): Promise<Exchange>
}

/** The exchange that a site had with a browser. */
function exchangeOf(request: HttpRequest, response: HttpResponse, started: number, ended: number): Exchange {
  const { id, method, url, headers, body } = request
  return {
    request: { ...(id !== undefined && { id }), method, url, headers, body: text(body) },
    response: { status: response.status, headers: response.headers, body: text(response.body) },
    wireBytes: { request: body.length, response: response.body.length },
    bodyBytes: response.body.length,
    ms: ended - started,
    at: new Date(started).toISOString(),
  }
}

/** True for the request of a browser. The programs of an attack send no User-Agent. */
const ofBrowser = (request: HttpRequest): boolean => header(request, 'user-agent') !== undefined

/** Makes an empty collection. @param patience longest wait for one exchange, in milliseconds */
export function createSightings(now: () => number, signal: AbortSignal, patience: number): Sightings {
  const kept: Exchange[] = []
  let wake: () => void = () => {}

  function seen(exchange: Exchange): void {
    kept.push(exchange)
    if (kept.length > MOST_KEPT) kept.shift()
    wake()
  }

  return {
    watch: ({ name, handle }) => ({
      name,
      async handle(request, context) {
        const started = now()
        const response = await handle(request, context)
        if (ofBrowser(request)) seen(exchangeOf(request, response, started, now()))
        return response
      },
    }),
    async next(fits, awaited) {
      const late = AbortSignal.timeout(patience)
      const ended = AbortSignal.any([signal, late])
      for (;;) {
        signal.throwIfAborted()
        const found = kept.findIndex(fits)
        if (found >= 0) {
          const [exchange] = kept.splice(0, found + 1).slice(-1)
          return exchange!
        }
        if (late.aborted) {
          throw new TimeoutError(`no browser sent ${awaited} within ${patience / 1000} s`, [
            'Wait longer:   --timeout 20m',
          ])
        }
        await new Promise<void>(resolve => {
          // Many requests may come while one is awaited: each leaves no listener behind.
          const done = (): void => {
            ended.removeEventListener('abort', done)
            resolve()
          }
          wake = done
          ended.addEventListener('abort', done)
        })
      }
    },
  }
}
