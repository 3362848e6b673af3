import type { LabEvent } from '../../../protocol/events.js'
import { lineStream, openStreams } from '../../../protocol/http/line-stream.js'
import { bytes, type HttpResponse, header, splitUrl, textResponse } from '../../../protocol/http/message.js'
import { html } from '../../../protocol/http/page.js'
import { linkedScript, linkedStyle } from '../../../protocol/http/page-files.js'
import { createPageKey, PRIVATE_PAGE } from '../../../protocol/http/page-key.js'
import type { Route, RouteHandler } from '../../../protocol/http/site.js'
import type { NumberedEvent, RecentEvents } from '../../../protocol/recent-events.js'
import { shownEvent } from '../pages/front-page.js'
import { page } from '../pages/page.js'

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

const content = html`<header class="top">
<h1>What happens at this lab</h1>
<p id="count"></p>
<p id="state" role="status">Connecting…</p>
<p><label for="filter">List only</label> <input id="filter" type="search" autocomplete="off" placeholder="/token, 400, demo"> <button type="button" id="pause" aria-pressed="false">Pause</button> <button type="button" id="keys">Keys</button></p>
</header>
<div class="columns">
<section aria-labelledby="requests-heading"><h2 id="requests-heading">Requests</h2>
<div class="scroll" role="region" aria-label="List of requests" tabindex="0"><table><thead><tr><th scope="col">Time</th><th scope="col">Request</th><th scope="col">Status</th><th scope="col">Client</th><th scope="col">Took</th></tr></thead><tbody id="rows"></tbody></table></div></section>
<section aria-labelledby="details-heading"><h2 id="details-heading">No request is selected</h2><ul id="details"></ul></section>
</div>
<dialog id="help" aria-labelledby="help-heading"></dialog>
<noscript><p>This page needs JavaScript. Without it, the terminal shows the same.</p></noscript>`

/** The dashboard of a lab as a page: it follows `/web/events`. */
const dashboardPage = (): HttpResponse =>
  page(200, 'Dashboard', content, {
    script: linkedScript('dashboard.js'),
    style: linkedStyle('dashboard.css'),
  })

/** The query parameter with the key. Its name is one of a secret, so that no event shows the key. */
const KEY = 'access_key'

/** Returns the address that a person opens to see the dashboard. @param issuer without a slash at its end */
export const dashboardAddress = (issuer: string, key: string): string =>
  `${issuer}/web?${KEY}=${encodeURIComponent(key)}`

/**
 * `/web`: the dashboard of the lab as a page, for the holder of a key, and the stream of all that happened. The key becomes a
 * cookie, so that it stays in no address.
 */
export function dashboardRoutes(issuer: string, key: string, events: RecentEvents): readonly Route[] {
  const pageKey = createPageKey({
    key,
    parameter: KEY,
    // Cookies know no ports, and two labs may run on one machine.
    cookieName: `__Host-web-${new URL(issuer).port}`,
    purpose: 'web',
    path: '/web',
  })
  const refused = () =>
    textResponse(
      401,
      'This page needs its key: open the address that oauth-lab serve --web prints.\n',
      PRIVATE_PAGE,
    )
  const withCookie =
    (answer: RouteHandler): RouteHandler =>
    (request, context, parameters) =>
      pageKey.isHolder(request) ? answer(request, context, parameters) : refused()

  const page = withCookie(dashboardPage)
  const first: RouteHandler = (request, context, parameters) => {
    const sent = pageKey.read(request)
    if (sent.kind === 'none') return page(request, context, parameters)
    return sent.kind === 'right' ? sent.response : refused()
  }
  const stream = eventStream(events, event => {
    const { text, refused: isRefusal } = shownEvent(event)
    return { event, text, refused: isRefusal }
  })
  return [
    { path: '/web', methods: { GET: first } },
    { path: '/web/events', methods: { GET: withCookie(stream) } },
  ]
}
