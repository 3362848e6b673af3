import type { NewEvent } from '../../src/protocol/events.js'
import { boundedEvent, createBus, type EventBus } from '../../src/protocol/events.js'
import {
  bytes,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
} from '../../src/protocol/http/message.js'
import type { RequestContext, Site } from '../../src/protocol/http/site.js'

/** An answer in HTML. */
export const page = (html: string, status = 200, headers: HeaderList = []): HttpResponse => ({
  status,
  headers: [['content-type', 'text/html; charset=utf-8'], ...headers],
  body: bytes(html),
})

/** A server that tests call without a socket. */
export type Ask = (request: HttpRequest) => Promise<HttpResponse>

/** A context that appends the events of its request to `events`, bounded as the bus does. */
export function recordingContext(events: NewEvent[]): RequestContext {
  return { publish: event => events.push(boundedEvent({ ...event })) }
}

/** The site without the need of a context. What its requests cause is appended to `events`. */
export function recordingSite(
  { name, handle }: Site,
  events: NewEvent[] = [],
): { readonly name: string; readonly handle: Ask } {
  return { name, handle: request => handle(request, recordingContext(events)) }
}

/** A bus that appends every event to `events`. */
export function recordingBus(events: NewEvent[] = []): EventBus {
  const bus = createBus(Date.now)
  bus.subscribe(event => events.push(event))
  return bus
}
