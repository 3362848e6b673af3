import { UsageError } from '../../errors.js'
import type { HeaderList } from '../../http/message.js'
import type { MeasureOptions } from './measure.js'
import { type Weighed, weigh } from './weigh.js'

/** One request of a study. */
export interface Asked {
  readonly method?: 'GET' | 'HEAD'
  /** Value of Accept-Encoding; null sends no such field. */
  readonly offer: string | null
  readonly headers?: HeaderList
  readonly httpVersion?: '1.0' | '1.1' | undefined
  /** Send one request only; a second one would show exactly what TLS adds to the answer. */
  readonly once?: boolean
}

/** Asks one address. @throws TransportError, TimeoutError */
export type Ask = (url: string, asked: Asked) => Promise<Weighed>

// RFC 9110 §5.5: the characters of a field value. Any other one would end the header, or the request.
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Checks an offer. @throws UsageError for a value that no header can carry */
export function checkOffer(offer: string | undefined): void {
  if (offer !== undefined && !FIELD_VALUE.test(offer)) {
    throw new UsageError('--offer holds characters that no header can carry (RFC 9110 §5.5)')
  }
}

/** Returns the function that studies ask with. */
export function createAsk(reach: Pick<MeasureOptions, 'caPem' | 'timeoutMs'>): Ask {
  return (url, { method = 'GET', offer, headers = [], httpVersion, once = false }) => {
    const offered = offer === null ? [] : [['Accept-Encoding', offer] as const]
    return weigh({ method, url, httpVersion, headers: [...offered, ...headers] }, { ...reach, once })
  }
}
