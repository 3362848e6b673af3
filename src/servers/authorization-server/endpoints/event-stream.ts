import type { LabEvent } from '../../../protocol/events.js'
import { lineStream, openStreams } from '../../../protocol/http/line-stream.js'
import { bytes, type HttpResponse, header, splitUrl } from '../../../protocol/http/message.js'
import type { RouteHandler } from '../../../protocol/http/site.js'
import type { NumberedEvent, RecentEvents } from '../../../protocol/recent-events.js'

/** Most open streams of events: a browser has six connections to a server for all its tabs. */
const MAX_STREAMS = 4

/**
 * Streams the events of the lab (HTML, "server-sent events"): after the one that `Last-Event-ID` or `after` names, then as
 * they come.
 * @param shown returns the data of an event
 */
export function eventStream(events: RecentEvents, shown: (event: LabEvent) => object): RouteHandler {
  const open = openStreams()
  const message = ({ number, event }: NumberedEvent): Uint8Array =>
    bytes(`id: ${number}\ndata: ${JSON.stringify(shown(event))}\n\n`)
  return request => {
    const notStored = ['cache-control', 'no-store'] as const
    // A browser does not connect again after 204 (HTML, "server-sent events").
    if (open.total() >= MAX_STREAMS) return { status: 204, headers: [notStored], body: new Uint8Array() }
    const headers = [['content-type', 'text/event-stream'] as const, notStored]
    const answer: HttpResponse = { status: 200, headers, body: new Uint8Array() }
    if (request.method === 'HEAD') return answer
    const asked = /(?:^|&)after=(\d+)/.exec(splitUrl(request.url).query)?.[1]
    const last = Number(header(request, 'last-event-id') ?? asked)
    const stream = lineStream(({ write }) => {
      const leave = open.enter('')
      for (const each of events.after(last || 0)) write(message(each))
      const unsubscribe = events.subscribe(each => write(message(each)))
      return () => {
        unsubscribe()
        leave()
      }
    })
    return { ...answer, stream }
  }
}
