/** Names the socket of the recorder to the programs that it records. */
export const SOCKET_VARIABLE = 'OAUTH_LAB_RECORD'

/** Most bytes of a body that are copied. No token answer, key set or SAML response is longer. */
export const MAX_BODY = 256 * 1024

/** Names and values of headers as they were sent, in their order. */
export type WireHeaders = ReadonlyArray<readonly [name: string, value: string]>

/** A body: its copy in base64, and its size on the wire. A body that was not copied whole has a size alone. */
export interface WireBody {
  readonly size: number
  readonly copy?: string
}

/** A line of the hook: a request that was sent, or that a server of the program received. */
export interface WireRequest {
  readonly type: 'request'
  /** Number of the exchange in its process. */
  readonly id: number
  readonly side: 'client' | 'server'
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly method: string
  readonly url: string
  readonly headers: WireHeaders
  readonly body: WireBody
}

/** A line of the hook: the answer to a request, or the reason why none came. */
export interface WireAnswer {
  readonly type: 'answer'
  readonly id: number
  /** Milliseconds from the start of the request to the last byte. */
  readonly ms: number
  readonly status?: number
  readonly headers?: WireHeaders
  readonly body?: WireBody
  readonly failure?: string
  /** Lines that the hook dropped so far, because the recorder did not keep up. */
  readonly dropped: number
}

/** A line of the hook. */
export type WireLine = WireRequest | WireAnswer
