import { bounded } from '../../../protocol/events.js'
import { documentKind } from '../client-documents/document-kind.js'
import type { Publish } from '../events.js'
import type { ClientCalls } from '../settings.js'
import type { BackchannelRequest } from './requests.js'

/** Informs a client that the person has decided. Never fails: the client may poll as well. */
export type PingClient = (request: BackchannelRequest, publish: Publish) => Promise<void>

const RULE = 'OpenID Connect CIBA Core §10.2'

/** Longest part of a problem that an event repeats, in UTF-16 units. */
const MAX_PROBLEM = 200

/**
 * Makes the function that pings clients (OpenID Connect CIBA Core §10.2). The message has no result: the client asks the
 * token endpoint for it. It is sent once.
 * @param calls absent: nobody is called
 */
export function createPing(calls: ClientCalls | undefined): PingClient {
  return async ({ client, username, authReqId, notificationToken }, publish) => {
    const { client_id, backchannel_client_notification_endpoint: url } = client
    if (calls === undefined || notificationToken === undefined || url === undefined) return
    const about = { client_id, username, url }
    publish({ type: 'ciba_ping.sent', ...about })
    try {
      const kind = documentKind(client)
      const { status } = await calls.postJson(url, { auth_req_id: authReqId }, notificationToken, kind)
      if (status === 200 || status === 204) {
        publish({ type: 'ciba_ping.accepted', ...about, status })
        return
      }
      const description = `it answered ${status} in place of 204; the client may still poll`
      publish({ type: 'ciba_ping.failed', ...about, status, description, rule: RULE })
    } catch (error) {
      const description = bounded((error as Error).message, MAX_PROBLEM)
      publish({ type: 'ciba_ping.failed', ...about, description, rule: RULE })
    }
  }
}
