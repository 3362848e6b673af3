import type { LabEvent } from '../../protocol/events.js'
import { splitUrl } from '../../protocol/http/message.js'
import { isJsonObject, type JsonObject } from '../../protocol/values.js'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The client that a request names in its query or in its form. */
function clientOf(query: string, body: string): string | undefined {
  const named = [query, body].flatMap(each => new URLSearchParams(each).get('client_id') ?? [])
  return named[0]?.slice(0, 200)
}

/**
 * Returns a line of `record --json` as the event of an answered request, which the dashboard lists. Its site is the
 * host. The query is left out, because it may hold a code. Undefined for any other line.
 */
export function recordedExchange({ type, at, ms, request, response }: JsonObject): LabEvent | undefined {
  if (type !== 'exchange' || !isJsonObject(request) || Number.isNaN(Date.parse(textOf(at)))) return undefined
  const { origin, path, query } = splitUrl(textOf(request.url))
  const answer = isJsonObject(response) ? response : {}
  const bytes = Buffer.byteLength(textOf(answer.body))
  const clientId = clientOf(query, textOf(request.body))
  return {
    type: 'request.answered',
    at: textOf(at),
    site: origin.replace(/^https?:\/\//, ''),
    method: textOf(request.method).slice(0, 20),
    path: path.slice(0, 400),
    status: typeof answer.status === 'number' ? answer.status : 0,
    wireBytes: bytes,
    bodyBytes: bytes,
    ms: typeof ms === 'number' ? Math.round(ms * 10) / 10 : 0,
    ...(clientId !== undefined && { client_id: clientId }),
  } as LabEvent
}

/** True for the last line of `record --json`, which is about the whole recording. */
export const isRecordedEnd = ({ type }: JsonObject): boolean => type === 'recorded'
