import type { HeaderList, HttpRequest } from './message.js'

/** One request with its response, as plain data. Bodies are decoded text. */
export interface Exchange {
  readonly request: {
    /** Number of the request on its server, when the server is a lab in this program. */
    readonly id?: number
    readonly method: string
    readonly url: string
    readonly headers: HeaderList
    readonly body: string
  }
  /** Absent while the request runs, and when no response came. */
  readonly response?: { readonly status: number; readonly headers: HeaderList; readonly body: string }
  /** Wire bytes of the bodies: with content coding, without headers and chunk framing. */
  readonly wireBytes: { readonly request: number; readonly response: number }
  /** Body bytes of the response, after decoding. */
  readonly bodyBytes: number
  /** Time from sending to the last byte, in milliseconds, rounded to a tenth. */
  readonly ms: number
  /** When the request was sent, ISO 8601 UTC. */
  readonly at: string
  /** The protocol and cipher of TLS, when the exchange used it. */
  readonly tls?: { readonly protocol: string; readonly cipher: string }
}

/** The options of sending one request. */
export interface SendOptions {
  readonly signal?: AbortSignal
  /**
   * Called with the whole events of a stream (text/event-stream) as they arrive. True ends the response there, because a server
   * may keep the stream open.
   */
  readonly enough?: (events: string) => boolean
  /** Called with the bytes of the response's body as they came: an exchange has its text alone. */
  readonly received?: (wire: Uint8Array) => void
}

/**
 * Sends one request and records what happened. Follows no redirect.
 * @throws TransportError when no answer came
 */
export type Send = (request: HttpRequest, options?: SendOptions) => Promise<Exchange>
