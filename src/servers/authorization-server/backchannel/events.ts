import type { AuthorizationDetails } from '../../../protocol/oauth/authorization-details.js'
import type { DeliveryMode } from '../../../protocol/oauth/client.js'
import type { Citation } from '../../../protocol/rules/rule.js'

/** The client and the person of a request. */
type About = { readonly client_id: string; readonly username: string }

/** A message to the notification endpoint of a client. */
type Ping = About & {
  /** The address of the client that is called. */
  readonly url: string
}

/** An event of backchannel authentication (CIBA). It has neither the auth_req_id nor the notification token. */
export type BackchannelEvent =
  | ({
      readonly type: 'ciba.requested'
      readonly scope: string
      readonly mode: DeliveryMode
      /** The text that both devices show. */
      readonly binding_message?: string
      readonly authorization_details?: AuthorizationDetails
      /** Lifetime of the request, in seconds. */
      readonly expires_in: number
      /** The address at which the person decides. */
      readonly page: string
      /** Names of parameters that have no effect. */
      readonly ignored?: readonly string[]
    } & About)
  /** The person opened the page with the waiting requests. */
  | { readonly type: 'ciba.shown'; readonly username: string; readonly waiting: number }
  | ({ readonly type: 'ciba.approved' | 'ciba.denied' } & About & { readonly scope: string })
  /** The client asked for the result after the end of the request, and nobody had decided. */
  | ({ readonly type: 'ciba.expired' } & About)
  | ({ readonly type: 'ciba_ping.sent' } & Ping)
  | ({ readonly type: 'ciba_ping.accepted'; readonly status: number } & Ping)
  | ({
      readonly type: 'ciba_ping.failed'
      /** Absent: there was no answer. */
      readonly status?: number
      readonly description: string
      readonly rule: Citation
    } & Ping)
  | {
      readonly type: 'ciba.failed'
      readonly username: string
      readonly client_id?: string
      /** `gone`: the request was decided before, or has expired. */
      readonly reason: 'csrf' | 'gone'
      readonly description: string
      readonly rule: Citation
    }
