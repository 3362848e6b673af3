import { isJsonObject, type JsonObject } from '../../../protocol/values.js'
import { plural } from '../explanation.js'
import type { Recorded } from '../recorded.js'
import { exchangeOf, type Lab } from './exchange.js'
import { textOf } from './findings.js'

/** Most requests whose answer is awaited. The requests of a lab are short, but for streams, which no login needs. */
const MAX_OPEN = 1000

/** Most events that are kept of one request. */
const MAX_EVENTS = 50

/** Most kinds of failed handshakes that are counted. */
const MAX_HANDSHAKES = 100

/** Most sentences about failed handshakes. */
const MAX_SENTENCES = 3

/** Folds the events of a lab, line by line, into exchanges. */
export interface EventFold {
  /** Takes an event. Returns the exchange that it completes. */
  readonly add: (event: JsonObject) => Recorded | undefined
  /** Sentences about what the events do not show, or show beside exchanges. */
  readonly remarks: () => readonly string[]
  /** The number of exchanges. */
  readonly exchanges: () => number
}

/** Creates a fold. The events of a request come together or between those of others; its answer ends it. */
export function createEventFold(): EventFold {
  const open = new Map<number, JsonObject[]>()
  /** The last answered requests: what follows their answer, such as a logout that goes on, belongs to no exchange. */
  const ended = new Set<number>()
  const handshakes = new Map<string, number>()
  let lab: Lab = { n: 1, before: 0, urls: {} }
  let [highest, exchanges, dropped, unnumbered] = [0, 0, 0, 0]

  /** Another lab numbers its requests from 1 again. */
  function begin(event: JsonObject): void {
    dropped += open.size
    open.clear()
    ended.clear()
    const isFirst = lab.n === 1 && highest === 0
    lab = { n: isFirst ? 1 : lab.n + 1, before: highest, urls: isJsonObject(event.urls) ? event.urls : {} }
  }

  function end(number: number): void {
    open.delete(number)
    ended.add(number)
    const [oldest] = ended
    if (ended.size > MAX_OPEN && oldest !== undefined) ended.delete(oldest)
  }

  function keep(number: number, event: JsonObject): void {
    if (ended.has(number)) return
    const events = open.get(number) ?? []
    if (events.length === 0) open.set(number, events)
    if (events.length < MAX_EVENTS) events.push(event)
    const [oldest] = open.keys()
    if (open.size <= MAX_OPEN || oldest === undefined) return
    end(oldest)
    dropped += 1
  }

  function handshake(event: JsonObject): void {
    const hint = textOf(event, 'hint')
    const text = `${textOf(event, 'description') ?? 'no reason named'}${hint === undefined ? '' : ` (${hint})`}`
    if (handshakes.has(text) || handshakes.size < MAX_HANDSHAKES)
      handshakes.set(text, (handshakes.get(text) ?? 0) + 1)
  }

  function add(event: JsonObject): Recorded | undefined {
    const type = textOf(event, 'type') ?? ''
    if (type.endsWith('.ready')) {
      begin(event)
      return undefined
    }
    if (type === 'handshake.failed') handshake(event)
    const { request } = event
    if (typeof request !== 'number' || !Number.isSafeInteger(request) || request < 1) {
      if (type === 'request.answered') unnumbered += 1
      return undefined
    }
    highest = Math.max(highest, lab.before + request)
    if (type !== 'request.answered') {
      keep(request, event)
      return undefined
    }
    const events = open.get(request) ?? []
    end(request)
    exchanges += 1
    return exchangeOf(events, event, lab)
  }

  function remarks(): string[] {
    const lost = dropped + open.size
    const most = [...handshakes].sort(([, a], [, b]) => b - a).slice(0, MAX_SENTENCES)
    return [
      ...most.map(([text, count]) => `${plural(count, 'TLS handshake')} of the lab failed: ${text}.`),
      ...(lost === 0
        ? []
        : [`${plural(lost, 'request')} had no answer in the recording, and cannot be drawn.`]),
      ...(unnumbered === 0
        ? []
        : [
            `${plural(unnumbered, 'event')} had no number of a request, as those of an older oauth-lab, and cannot be sorted.`,
          ]),
    ]
  }

  return { add, remarks, exchanges: () => exchanges }
}
