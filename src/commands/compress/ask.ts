import { type Weighed, weigh } from '../../compression/client/weigh.js'
import { UsageError } from '../../errors.js'
import type { HeaderList } from '../../http/message.js'
import type { Globals } from '../globals.js'
import type { Upstream } from './upstream.js'

/** What to ask besides the address. */
export interface Asked {
  readonly method?: 'GET' | 'HEAD'
  /** Accept-Encoding; null: none is sent. */
  readonly offer: string | null
  readonly headers?: HeaderList
  readonly httpVersion?: '1.0' | '1.1'
  /** Ask once even where asking twice would tell exactly what TLS adds to an answer. */
  readonly once?: boolean
}

/** Asks one address. @throws TransportError, TimeoutError */
export type Ask = (url: string, asked: Asked) => Promise<Weighed>

// RFC 9110 §5.5: what a field value may hold. Anything else would end the header, or the request.
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** @throws UsageError for a value that no header can carry */
export function checkOffer(offer: string | undefined): void {
  if (offer !== undefined && !FIELD_VALUE.test(offer)) {
    throw new UsageError('--offer holds characters that no header can carry (RFC 9110 §5.5)')
  }
}

/** How the commands ask, with what is trusted of this upstream. */
export function asker({ caPem }: Pick<Upstream, 'caPem'>, { timeoutMs }: Globals): Ask {
  return (url, { method = 'GET', offer, headers = [], httpVersion, once = false }) =>
    weigh(
      {
        ...{ method, url, ...(httpVersion && { httpVersion }) },
        headers: [...(offer === null ? [] : [['Accept-Encoding', offer] as const]), ...headers],
      },
      { timeoutMs, once, ...(caPem !== undefined && { caPem }) },
    )
}
