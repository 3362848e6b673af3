import { UsageError } from '../../errors.js'
import type { HeaderList } from '../../http/message.js'
import type { MeasureOptions } from './measure.js'
import { type Weighed, weigh } from './weigh.js'

/** One request of a study. */
export interface Asked {
  readonly method?: 'GET' | 'HEAD'
  /** Value of Accept-Encoding. null sends no such field. */
  readonly offer: string | null
  readonly headers?: HeaderList
  readonly httpVersion?: '1.0' | '1.1' | undefined
  /** Sends one request only. By default a second one over the same connection counts the bytes that TLS adds. */
  readonly once?: boolean
}

/** Sends one request. @throws TransportError, TimeoutError */
export type Ask = (url: string, asked: Asked) => Promise<Weighed>

// The characters of a field value (RFC 9110 §5.5). Another one could end the field, or the whole request.
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Checks an offer. @throws UsageError for a value with characters that a header cannot hold */
export function checkOffer(offer: string | undefined): void {
  if (offer !== undefined && !FIELD_VALUE.test(offer)) {
    throw new UsageError('--offer has characters that a header cannot hold (RFC 9110 §5.5)')
  }
}

/** Makes the function that sends the requests of a study. */
export function createAsk(reach: Pick<MeasureOptions, 'caPem' | 'timeoutMs'>): Ask {
  return (url, { method = 'GET', offer, headers = [], httpVersion, once = false }) => {
    const offered = offer === null ? [] : [['Accept-Encoding', offer] as const]
    return weigh({ method, url, httpVersion, headers: [...offered, ...headers] }, { ...reach, once })
  }
}
