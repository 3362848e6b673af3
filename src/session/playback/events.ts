import type { LabEvent } from '../../protocol/events.js'
import { splitUrl } from '../../protocol/http/message.js'
import { isJsonObject, type JsonObject, parsedObject } from '../../protocol/values.js'

/** Longest line that is read, in UTF-16 units: an exchange of `record --json` has both bodies. */
const LONGEST = 1024 * 1024

/** Largest number of broken lines that are named. The others are only counted. */
const NAMED = 8

/** Reads an event of `serve --json`, or an exchange of `record --json` as one; undefined for any other line. */
export function parseEvent(line: string): LabEvent | undefined {
  const value = parsedObject(line)
  if (value === undefined) return undefined
  const { type, at } = value
  if (type === 'exchange') return recordedExchange(value)
  if (typeof type !== 'string' || !/^[a-z][a-z_]*(\.[a-z_]+)+$/.test(type) || type.length > 80)
    return undefined
  // The first line of a server has no time.
  if (type.endsWith('.ready')) return { at: '', ...value } as LabEvent
  return typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? (value as LabEvent) : undefined
}

/** True when the beginning of a text holds events, and not a recorded flow. */
export function holdsEvents(beginning: string): boolean {
  return beginning.split('\n').some(line => parseEvent(line) !== undefined)
}

/** Lines that are no events. */
export interface BrokenLines {
  readonly count: number
  /** The numbers of the first broken lines. */
  readonly lines: readonly number[]
}

/** Broken lines as text: `2 broken lines (3, 17)`. */
export function brokenText({ count, lines }: BrokenLines): string {
  const more = count > lines.length ? ', …' : ''
  return `${count} broken line${count === 1 ? '' : 's'} (${lines.join(', ')}${more})`
}

/** Creates a reader of events. It counts broken lines and goes on after them. It keeps at most a line of 1 Mi characters. */
export function createEventReader(listener: {
  readonly event: (event: LabEvent) => void
  readonly broken: (broken: BrokenLines) => void
}): { readonly add: (piece: string) => void; readonly end: () => void } {
  let rest = ''
  let tooLong = false
  let number = 0
  let broken: BrokenLines = { count: 0, lines: [] }

  function take(line: string, cut: boolean): void {
    number += 1
    if (!cut && line.trim() === '') return
    const event = cut || line.length > LONGEST ? undefined : parseEvent(line)
    if (event !== undefined) {
      listener.event(event)
      return
    }
    if (!cut && isRecordedEnd(parsedObject(line) ?? {})) return
    const { count, lines } = broken
    broken = { count: count + 1, lines: lines.length < NAMED ? [...lines, number] : lines }
    listener.broken(broken)
  }

  return {
    add(piece) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        take(line, tooLong)
        tooLong = false
      }
      if (rest.length > LONGEST) {
        tooLong = true
        rest = ''
      }
    },
    end() {
      if (rest !== '' || tooLong) take(rest, tooLong)
      rest = ''
      tooLong = false
    },
  }
}

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
function recordedExchange({ type, at, ms, request, response }: JsonObject): LabEvent | undefined {
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
const isRecordedEnd = ({ type }: JsonObject): boolean => type === 'recorded'
