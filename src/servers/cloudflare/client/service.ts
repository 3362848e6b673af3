import { setTimeout as delay } from 'node:timers/promises'
import type { Exchange, Send } from '../../../protocol/http/exchange.js'
import type { JsonObject } from '../../../protocol/values.js'
import type { ApiAccess } from './access.js'
import { type Answer, readAnswer, readObject } from './answers.js'
import { connectionError } from './connection-errors.js'
import { type ApiRequest, httpRequest } from './requests.js'
import { nextWait, type Wait } from './waits.js'

/** The largest answer that is read, in body bytes. Senders choose the size of the texts in a page of events. */
export const MAX_ANSWER = 8 * 1024 * 1024

/** A client of the DNS and security-event API. */
export interface Service {
  readonly access: ApiAccess
  /**
   * Sends a request. Sends it again after a wait when the service asks for a wait.
   * @throws ApiRefusal, TransportError, TimeoutError, and the reason of an aborted signal
   */
  request<T>(request: ApiRequest): Promise<Answer<T>>
  /**
   * Sends a request whose answer has no envelope, such as GraphQL. Accepts any JSON object with any status.
   * @throws TransportError, TimeoutError, ApiRefusal for a 429 that is not JSON
   */
  object(request: ApiRequest): Promise<{ readonly value: JsonObject; readonly exchange: Exchange }>
}

/** The ports of a service. */
export interface ServicePorts {
  /** Sends one HTTP request. It must not follow redirects. */
  readonly send: Send
  /** Milliseconds since the epoch, by the real clock: `Retry-After` may be a date. */
  readonly now?: () => number
  /** The longest single wait, in milliseconds. */
  readonly longestWaitMs: number
  /** Called before each wait. */
  readonly waiting?: (wait: Wait) => void
  /** Waits for a number of milliseconds. */
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<unknown>
  readonly signal?: AbortSignal
  /** Called with each exchange, refused and repeated ones included. */
  readonly seen?: ((exchange: Exchange, request: ApiRequest) => void) | undefined
}

/** Creates a client of the API. */
export function createService(access: ApiAccess, ports: ServicePorts): Service {
  const { send, longestWaitMs: longest, waiting = () => {}, seen = () => {}, signal, now = Date.now } = ports
  const { pause = (ms: number, ended?: AbortSignal) => delay(ms, undefined, ended && { signal: ended }) } =
    ports

  async function exchanged(request: ApiRequest): Promise<Exchange> {
    const message = httpRequest(access, request)
    for (let done = 0; ; done++) {
      const exchange = await send(message, signal ? { signal } : {}).catch((error: unknown) => {
        throw connectionError(error, access)
      })
      seen(exchange, request)
      const wait = nextWait(exchange, done, { now: now(), longest })
      if (wait === undefined) return exchange
      waiting(wait)
      await pause(wait.ms, signal)
    }
  }

  return {
    access,
    async request<T>(request: ApiRequest) {
      return readAnswer<T>(await exchanged(request), request, access)
    },
    async object(request) {
      const exchange = await exchanged(request)
      return { value: readObject(exchange, request, access), exchange }
    },
  }
}
