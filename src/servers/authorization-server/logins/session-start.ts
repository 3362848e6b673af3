import type { HeaderList, HttpRequest } from '../../../protocol/http/message.js'
import type { Publish } from '../events.js'
import type { EndSession } from '../logout/end-session.js'
import type { Session, Sessions } from './sessions.js'

/** Starts a session in the browser that sent a request. Returns the headers that set its cookies. */
export type StartSession = (
  visit: { readonly http: HttpRequest; readonly publish: Publish },
  session: Session,
) => Promise<HeaderList>

/** Makes the start of sessions. A session of another person in the browser ends for its clients too. */
export function createSessionStart({
  sessions,
  endSession,
}: {
  readonly sessions: Sessions
  readonly endSession: EndSession
}): StartSession {
  return async ({ http, publish }, session) => {
    const former = sessions.find(http)
    const headers = sessions.start(http, session)
    if (former !== undefined && former.browser !== session.browser) await endSession(former, publish)
    return headers
  }
}
