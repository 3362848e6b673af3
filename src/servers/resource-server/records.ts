import { type HttpRequest, type HttpResponse, jsonResponse, mediaType } from '../../protocol/http/message.js'
import type { Access } from './authenticator.js'
import type { RecordStore } from './record-store.js'
import { refused } from './refusal.js'

const MAX_VALUE_BYTES = 4096

const decoder = new TextDecoder('utf-8', { fatal: true })

/** @throws OAuthError `invalid_request` for a body that is not JSON, `content_too_large` for one that is too long */
function readValue(request: HttpRequest): unknown {
  if (request.body.length > MAX_VALUE_BYTES) {
    throw refused('content_too_large', `a record has at most ${MAX_VALUE_BYTES} bytes`, 'RFC 9110 §15.5.14')
  }
  if (mediaType(request) !== 'application/json') {
    throw refused('invalid_request', 'the content type must be application/json', 'RFC 9110 §15.5.16')
  }
  try {
    return JSON.parse(decoder.decode(request.body))
  } catch {
    throw refused('invalid_request', 'the body is not JSON in UTF-8', 'RFC 8259 §8.1')
  }
}

/**
 * Answers a request to `/records`: GET lists the records of the token's subject, POST adds one. Returns undefined for other
 * methods.
 */
export function answerRecords(
  records: RecordStore,
  request: HttpRequest,
  { claims }: Access,
): HttpResponse | undefined {
  const headers = [['cache-control', 'no-store']] as const
  if (request.method === 'POST') return jsonResponse(201, records.add(claims, readValue(request)), headers)
  return request.method === 'GET' || request.method === 'HEAD'
    ? jsonResponse(200, { records: records.of(claims) }, headers)
    : undefined
}
