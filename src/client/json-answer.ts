import { TransportError } from '../protocol/errors.js'
import type { Exchange } from '../protocol/http/exchange.js'
import { header, mediaType } from '../protocol/http/message.js'
import { isJsonObject, type JsonObject, parsedJson } from '../protocol/values.js'

/** The API that a request went to, for messages. */
export interface AskedApi {
  /** The kind of server, such as `the DNS API`. */
  readonly title: string
  /** The base URL. */
  readonly address: string
  /** The source of the base URL, such as `--api-url`. */
  readonly via: string
}

/** Returns the error for an answer that an API never gives: a server was reached, but its answer is unknown. */
export function unreadable(message: string, hints: readonly string[] = []): TransportError {
  return new TransportError(message, 'EBADMSG', hints)
}

/** Describes a body that is not JSON. */
function described(body: string, type: string): string {
  if (body.trim() === '') return 'nothing'
  if (/^\s*</.test(body) || type === 'text/html') return 'HTML'
  if (/^\s*[{[]/.test(body)) return 'JSON that ends too early or is broken'
  return type === '' || type === 'application/json' ? 'text that is no JSON' : `${type} that is no JSON`
}

/**
 * Returns the JSON object of an answer with any status.
 * @param asked method and path of the request, for messages
 * @throws TransportError for a redirect and for another body
 */
export function jsonObjectOf({ response }: Exchange, asked: string, api: AskedApi): JsonObject {
  const { title, address, via } = api
  if (response === undefined) throw unreadable(`${address} gave no answer`)
  const { status, body } = response
  if (status >= 300 && status < 400) {
    const to = (header(response, 'location') ?? 'nowhere').slice(0, 200)
    throw unreadable(`${address} redirects ${asked} to ${to} (HTTP ${status})`, [
      'Nothing, and no credential, was sent on.',
      `Is this the right address? It is from ${via}.`,
    ])
  }
  const value = parsedJson(body)
  if (isJsonObject(value)) return value
  if (value !== undefined) {
    throw unreadable(`${address} answered ${asked} with JSON that is no object (HTTP ${status})`)
  }
  throw unreadable(
    `${address} answered ${asked} with ${described(body, mediaType(response))} (HTTP ${status})`,
    [`Is this ${title}, or does something stand before it? The address is from ${via}.`],
  )
}
