import type { Header } from '../../../protocol/http/message.js'
import { defined, isJsonObject } from '../../../protocol/values.js'
import type { Recorded } from '../recorded.js'

const headersOf = (value: unknown): Header[] =>
  (Array.isArray(value) ? value : []).flatMap((pair: unknown): Header[] =>
    Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string'
      ? [[pair[0], pair[1]]]
      : [],
  )

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0)

/** Reads a step of `flow … --json`. Undefined for a step without a request. */
export function readStepLine(value: Readonly<Record<string, unknown>>, entry: number): Recorded | undefined {
  const { exchange, url, name } = value
  if (!isJsonObject(exchange) || !isJsonObject(exchange.request)) {
    // The callback of a headless browser: an address that nothing was sent to.
    return name === 'authorization_response' && typeof url === 'string' ? landed(url, entry) : undefined
  }
  const { request, response } = exchange
  if (typeof request.method !== 'string' || typeof request.url !== 'string') return undefined
  const body = textOf(request.body)
  const got = isJsonObject(response) && typeof response.status === 'number' ? response : undefined
  const answer = textOf(got?.body)
  return {
    entry,
    exchange: defined({
      request: { method: request.method, url: request.url, headers: headersOf(request.headers), body },
      response: got && { status: Number(got.status), headers: headersOf(got.headers), body: answer },
      wireBytes: { request: Buffer.byteLength(body), response: Buffer.byteLength(answer) },
      bodyBytes: numberOf(exchange.bodyBytes),
      ms: numberOf(exchange.ms),
      at: textOf(exchange.at),
    }),
    sent: Date.parse(textOf(exchange.at)),
    fromPage: false,
    lacks: got === undefined ? ['response'] : [],
  }
}

function landed(url: string, entry: number): Recorded {
  return {
    entry,
    exchange: {
      request: { method: 'GET', url, headers: [], body: '' },
      wireBytes: { request: 0, response: 0 },
      bodyBytes: 0,
      ms: 0,
      at: '',
    },
    sent: Number.NaN,
    fromPage: false,
    lacks: ['response'],
  }
}
