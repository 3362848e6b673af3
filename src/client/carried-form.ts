import type { Exchange } from '../protocol/http/exchange.js'
import { bytes, type Header, type HttpRequest } from '../protocol/http/message.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import { parseLoopback } from '../protocol/oauth/redirect-uri.js'
import type { SameSiteContext } from './cookies.js'

/** Headers that a browser writes for each request of its own. */
const REWRITTEN = new Set(['accept', 'cookie'])

/** A form on its way to another address, and the cookies that go along. */
export interface CarriedForm {
  readonly message: HttpRequest
  readonly context: SameSiteContext
}

/** True when a redirect keeps the method and the body: 307 and 308 do (RFC 9110 §15.4.8, §15.4.9). */
function keepsForm({ request, response }: Exchange): boolean {
  return request.method === 'POST' && (response?.status === 307 || response?.status === 308)
}

/**
 * Returns the form that a browser sends to the address of a redirect; undefined where the redirect makes a GET of it.
 * @param page the origin of the page with the form; left out for a page of a client. Cookies with SameSite go to that origin
 * alone, also after a way over others (draft-ietf-httpbis-rfc6265bis §5.2)
 * @throws OAuthError for a form that would go on in the clear
 */
export function carriedForm(
  from: Exchange,
  target: string,
  page: string | undefined,
): CarriedForm | undefined {
  if (!keepsForm(from)) return undefined
  const { url, headers, body } = from.request
  const [old, next] = [new URL(url), new URL(target)]
  if (old.protocol === 'https:' && next.protocol === 'http:' && !isHere(target)) {
    throw new OAuthError('invalid_response', {
      description: `the server asks to send the form on in the clear (${from.response?.status})`,
      rule: 'RFC 9110 §15.4',
      evidence: target,
    })
  }
  const sameOrigin = old.origin === next.origin
  const own = headers.filter(([name]) => !REWRITTEN.has(name.toLowerCase()))
  const kept = sameOrigin ? own : own.flatMap(each => abroad(each, old.protocol === next.protocol))
  return {
    message: { method: 'POST', url: target, headers: kept, body: bytes(body) },
    context: next.origin === page ? 'strict' : 'none',
  }
}

/** The headers of a form that leaves its origin: the page of the form stays private. */
function abroad([name, value]: Header, keepsTls: boolean): Header[] {
  if (name.toLowerCase() === 'origin') return [[name, 'null']]
  if (name.toLowerCase() !== 'referer') return [[name, value]]
  return keepsTls ? [[name, `${new URL(value).origin}/`]] : []
}

/** True for an address of this computer, which the form reaches without a network. */
function isHere(target: string): boolean {
  return parseLoopback(target, { anyLocalhostPort: true }) !== undefined
}
