import { createHash } from 'node:crypto'
import { type HttpRequest, type HttpResponse, headerValues, jsonResponse } from './message.js'

/** Time for which clients may keep a published document, in seconds. Short, so that a rotated key is seen soon. */
const MAX_AGE = 60

/**
 * Returns the response to a GET of a public JSON document, with an entity tag and a maximum age (RFC 9110 §8.8.3,
 * RFC 9111 §5.2.2.1). A client that has the document already gets 304 (RFC 9110 §13.1.2).
 */
export function publishedJson(request: HttpRequest, document: unknown): HttpResponse {
  const response = jsonResponse(200, document)
  const tag = `"${createHash('sha256').update(response.body).digest('base64url').slice(0, 22)}"`
  const validators = [
    ['cache-control', `public, max-age=${MAX_AGE}`],
    ['etag', tag],
  ] as const
  const known = headerValues(request, 'if-none-match').flatMap(line => line.split(','))
  const has = known.some(each => ['*', tag, `W/${tag}`].includes(each.trim()))
  if (has) return { status: 304, headers: validators, body: new Uint8Array() }
  return { ...response, headers: [...response.headers, ...validators] }
}
