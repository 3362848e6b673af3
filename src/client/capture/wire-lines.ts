import { defined, isJsonObject, type JsonObject, parsedJson } from '../../protocol/values.js'
import type { WireAnswer, WireBody, WireHeaders, WireRequest } from './wire.js'

/** Longest line of a hook, in characters: two bodies of base64 are shorter, and headers of 256 kB have room. */
const MAX_LINE = 1024 * 1024

/** Most headers of a message. */
const MAX_HEADERS = 2000

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

function headersIn(value: unknown): WireHeaders | undefined {
  if (!Array.isArray(value) || value.length > MAX_HEADERS) return undefined
  const pairs = (value as unknown[]).filter(
    (pair): pair is readonly [string, string] =>
      Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string',
  )
  return pairs.length === value.length ? pairs : undefined
}

function bodyIn(value: unknown): WireBody | undefined {
  if (!isJsonObject(value) || !isNumber(value.size)) return undefined
  const { size, copy } = value
  return typeof copy === 'string' ? { size, copy } : { size }
}

function requestIn(value: JsonObject): WireRequest | undefined {
  const { id, side, at, method, url } = value
  const [headers, body] = [headersIn(value.headers), bodyIn(value.body)]
  if (!isNumber(id) || !isNumber(at) || headers === undefined || body === undefined) return undefined
  if (typeof method !== 'string' || typeof url !== 'string') return undefined
  if (side !== 'client' && side !== 'server') return undefined
  return { type: 'request', id, side, at, method, url, headers, body }
}

function answerIn(value: JsonObject): WireAnswer | undefined {
  const { id, ms, status, failure, dropped } = value
  if (!isNumber(id) || !isNumber(ms) || !isNumber(dropped)) return undefined
  return defined({
    type: 'answer',
    id,
    ms,
    dropped,
    status: isNumber(status) ? status : undefined,
    headers: headersIn(value.headers),
    body: bodyIn(value.body),
    failure: typeof failure === 'string' ? failure : undefined,
  })
}

/** Reads a line of a hook; undefined for any other text. Every program of this user could write to the socket. */
export function readWireLine(line: string): WireRequest | WireAnswer | undefined {
  const value = parsedJson(line)
  if (!isJsonObject(value)) return undefined
  return value.type === 'request' ? requestIn(value) : value.type === 'answer' ? answerIn(value) : undefined
}

/** Splits text that comes in pieces into lines. A line that is too long is dropped. */
export function lineSplitter(take: (line: string) => void): (piece: string) => void {
  let rest = ''
  let tooLong = false
  return piece => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!tooLong && line.length <= MAX_LINE) take(line)
      tooLong = false
    }
    if (rest.length > MAX_LINE) [rest, tooLong] = ['', true]
  }
}
