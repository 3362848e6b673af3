import { type HttpRequest, type HttpResponse, jsonResponse, mediaType } from '../../protocol/http/message.js'
import type { Access } from './authenticator.js'
import { refused } from './claim-checks.js'

/** A stored value. It is kept in memory while the server runs. */
interface StoredRecord {
  readonly id: string
  /** ISO 8601 UTC. */
  readonly at: string
  /** `sub` of the token; null for a token without a `sub`. */
  readonly by: string | null
  readonly value: unknown
}

/** The records of all subjects. */
export interface RecordStore {
  /** Returns the records of one subject, oldest first. */
  readonly of: (claims: Claims) => readonly StoredRecord[]
  readonly add: (claims: Claims, value: unknown) => StoredRecord
}

type Claims = Readonly<Record<string, unknown>>

/** Most records kept. A new record replaces the oldest. */
const MAX_RECORDS = 100

const subjectOf = ({ sub }: Claims): string | null => (typeof sub === 'string' ? sub : null)

/** Makes an empty store, which `/records` and the MCP tools share. */
export function createRecordStore(ports: {
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): RecordStore {
  const records: StoredRecord[] = []
  return {
    of(claims) {
      const by = subjectOf(claims)
      return records.filter(each => each.by === by)
    },
    add(claims, value) {
      const record: StoredRecord = {
        id: Buffer.from(ports.random(9)).toString('base64url'),
        at: new Date(ports.now()).toISOString(),
        by: subjectOf(claims),
        value,
      }
      records.push(record)
      if (records.length > MAX_RECORDS) records.shift()
      return record
    },
  }
}

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
