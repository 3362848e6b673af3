import { header, splitUrl } from '../../protocol/http/message.js'
import type { Message } from './message.js'

/**
 * Returns the origin of the page that a browser kept an answer from, because no header of the answer allows that origin (CORS). Undefined for
 * an answer that the page got. Firefox records such an answer as any other one, and Chrome with its status.
 */
export function withheldFrom({ recorded: { exchange, fromPage } }: Message): string | undefined {
  const { request, response } = exchange
  const origin = header(request, 'origin')
  // A recording without the headers of answers does not show what they allow.
  if (!fromPage || origin === undefined || response === undefined || response.headers.length === 0)
    return undefined
  if (origin === splitUrl(request.url).origin) return undefined
  const allowed = header(response, 'access-control-allow-origin')?.trim()
  return allowed === '*' || allowed === origin ? undefined : origin
}
