import type { HeaderList } from '../../protocol/http/message.js'

/** A body that was recorded. Without `text` it was too large, or of a type that is not kept. */
export interface CapturedBody {
  readonly size: number
  readonly text?: string
}

/** An exchange as it was recorded, before it is known what it is about. */
export interface Captured {
  /** The recorded side: requests of the program, requests that its servers received, or a browser. */
  readonly side: 'client' | 'server' | 'browser'
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Milliseconds to the last byte. */
  readonly ms: number
  readonly method: string
  readonly url: string
  readonly headers: HeaderList
  readonly body: CapturedBody
  readonly answer?: { readonly status: number; readonly headers: HeaderList; readonly body: CapturedBody }
  /** The reason why no answer came, such as ECONNREFUSED. */
  readonly failure?: string
  /** The kind of request by the browser, such as `fetch`. */
  readonly resourceType?: string
  /** A remark for the reader of the recording. */
  readonly comment?: string
}
