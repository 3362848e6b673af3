import { textResponse } from '../../../protocol/http/message.js'
import { createPageKey, PRIVATE_PAGE } from '../../../protocol/http/page-key.js'
import type { Route, RouteHandler } from '../../../protocol/http/site.js'
import type { RecentEvents } from '../../../protocol/recent-events.js'
import { dashboardPage } from '../pages/dashboard-page.js'
import { shownEvent } from '../pages/front-page.js'
import { eventStream } from './event-stream.js'

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
