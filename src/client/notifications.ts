import type { Exchange } from '../protocol/http/exchange.js'
import {
  type HttpRequest,
  type HttpResponse,
  headerValues,
  mediaType,
  splitUrl,
  text,
  textResponse,
} from '../protocol/http/message.js'
import { parseBearer } from '../protocol/oauth/bearer.js'
import { advice, type Check, check } from '../protocol/oauth/check.js'
import { secretsEqual } from '../protocol/secrets.js'
import { parsedObject } from '../protocol/values.js'

/** A notification that the client accepted. */
export interface Ping {
  readonly exchange: Exchange
  readonly checks: readonly Check[]
}

/** The client notification endpoint as a flow uses it (OpenID Connect CIBA Core §9). */
export interface Notifications {
  /** Names the bearer token that notifications need, before the request that carries it is sent. */
  expectToken(token: string): void
  /** Names the request that a notification is about, as soon as the server has named it. */
  expectRequest(authReqId: string): void
  /** Returns the notification, or undefined when none came within that many milliseconds. */
  receive(patience: number, signal: AbortSignal): Promise<Ping | undefined>
  /** Returns the number of notifications that were refused. */
  refused(): number
}

/** The site of a client notification endpoint. */
export interface NotificationSite extends Notifications {
  handle(request: HttpRequest): Promise<HttpResponse>
}

/** A reply to a notification, and for an accepted one the checks. */
interface Judged {
  readonly response: HttpResponse
  readonly checks?: readonly Check[]
}

function bodyOf(request: HttpRequest): unknown {
  return parsedObject(text(request.body))?.auth_req_id
}

/** The exchange at the endpoint, as the listener saw it. */
function exchangeOf(request: HttpRequest, response: HttpResponse, at: number): Exchange {
  const { method, url, headers } = request
  return {
    request: { method, url, headers, body: text(request.body) },
    response: { status: response.status, headers: response.headers, body: text(response.body) },
    wireBytes: { request: request.body.length, response: response.body.length },
    bodyBytes: response.body.length,
    ms: 0,
    at: new Date(at).toISOString(),
  }
}

/**
 * Creates the handler of a client notification endpoint: one request, one bearer token (OpenID Connect CIBA Core §10.2).
 * @param now milliseconds since the epoch
 */
export function createNotifications(endpoint: string, now: () => number): NotificationSite {
  const { path } = splitUrl(endpoint)
  let token: string | undefined
  let refused = 0
  let ping: Ping | undefined
  let wake: () => void = () => {}
  let name: (authReqId: string) => void = () => {}
  // A fast server may notify before the client has read the acknowledgement.
  const named = new Promise<string>(resolve => {
    name = resolve
  })

  async function judge(request: HttpRequest): Promise<Judged> {
    const presented = parseBearer(headerValues(request, 'authorization'))
    if (token === undefined || presented.kind !== 'bearer' || !secretsEqual(presented.token, token)) {
      return { response: textResponse(401, 'Unknown token\n', [['www-authenticate', 'Bearer']]) }
    }
    const authReqId = bodyOf(request)
    if (typeof authReqId !== 'string') return { response: textResponse(400, 'Send auth_req_id as JSON\n') }
    if (!secretsEqual(authReqId, await named)) return { response: textResponse(400, 'Unknown auth_req_id\n') }
    const rule = 'OpenID Connect CIBA Core §10.2'
    const type = mediaType(request)
    return {
      response: { status: 204, headers: [], body: new Uint8Array() },
      checks: [
        check('bearer', true, 'OpenID Connect CIBA Core §9', 'the token of this request'),
        check('auth_req_id', true, rule, 'the one of this request'),
        advice('content_type', type === 'application/json', rule, type || 'none'),
      ],
    }
  }

  return {
    expectToken(expected) {
      token = expected
    },
    expectRequest: authReqId => name(authReqId),
    refused: () => refused,
    async handle(request) {
      if (splitUrl(request.url).path !== path) return textResponse(404, 'Not found\n')
      if (request.method !== 'POST') return textResponse(405, 'Allowed: POST\n', [['allow', 'POST']])
      const { response, checks } = await judge(request)
      if (checks === undefined) {
        refused += 1
        return response
      }
      // A server may repeat a notification whose answer was lost.
      ping ??= { exchange: exchangeOf(request, response, now()), checks }
      wake()
      return response
    },
    async receive(patience, signal) {
      signal.throwIfAborted()
      if (ping !== undefined) return ping
      await new Promise<void>((resolve, reject) => {
        const stop = () => {
          clearTimeout(timer)
          reject(signal.reason)
        }
        const timer = setTimeout(() => {
          signal.removeEventListener('abort', stop)
          resolve()
        }, patience)
        wake = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', stop)
          resolve()
        }
        signal.addEventListener('abort', stop, { once: true })
      })
      return ping
    },
  }
}
