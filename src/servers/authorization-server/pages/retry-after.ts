import type { HeaderList } from '../../../protocol/http/message.js'

/** The header Retry-After with a pause in seconds (RFC 9110 §10.2.3). Empty without a pause. */
export function retryAfter(seconds: number | undefined): HeaderList {
  return seconds === undefined ? [] : [['retry-after', String(seconds)]]
}
