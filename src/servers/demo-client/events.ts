import type { RequestContext } from '../../protocol/http/site.js'
import type { Check } from '../../protocol/oauth/check.js'
import type { Citation } from '../../protocol/rules/rule.js'

/** The account that a request acts for. */
type OfAccount = { readonly issuer: string; readonly sub: string }

/** An event of the demo client. Codes, tokens, states and nonces are cut in the middle; notes are not in it. */
export type DemoClientEvent =
  | {
      /** The demo client sent a browser to an authorization server. */
      readonly type: 'demo_client.login_started'
      readonly issuer: string
      readonly client_id: string
      readonly response_type: string
      readonly redirect_uri: string
      readonly state?: string
      readonly nonce?: string
      readonly pkce: 'S256' | 'none'
      /** The address on this site that the login leads back to. */
      readonly return_to: string
    }
  | ({
      /** The demo client accepted an authorization response, and started a session. */
      readonly type: 'demo_client.logged_in'
      readonly client_id: string
      /** The name under which the notes are kept. */
      readonly account: string
      /** The code that was redeemed; absent where tokens came through the browser. */
      readonly code?: string
      /** The checks, in the order they ran. */
      readonly checks: readonly Check[]
    } & OfAccount)
  | {
      /** The demo client refused to start or to finish a login. */
      readonly type: 'demo_client.login_refused'
      readonly error: string
      readonly description: string
      /** The rule that was broken, such as `RFC 6749 §10.12`. */
      readonly rule: Citation
      readonly evidence?: string
    }
  | {
      /** A login stopped, because the authorization server could not be reached. */
      readonly type: 'demo_client.login_failed'
      readonly description: string
    }
  | ({ readonly type: 'demo_client.logged_out' } & OfAccount)
  | {
      /** An issuer ended sessions here: by a logout token, or by a frame of its logout page. */
      readonly type: 'demo_client.logout_accepted'
      readonly channel: 'back' | 'front'
      readonly issuer: string
      /** The session at the issuer. Absent: all sessions of the person end. */
      readonly sid?: string
      readonly sub?: string
      /** The checks of a logout token, in the order they ran. */
      readonly checks?: readonly Check[]
    }
  | {
      /** The demo client refused a message about a logout. No session ended. */
      readonly type: 'demo_client.logout_refused'
      readonly channel: 'back' | 'front'
      readonly description: string
      readonly rule: Citation
    }
  | ({ readonly type: 'demo_client.notes_read'; readonly notes: number } & OfAccount)
  | ({
      readonly type: 'demo_client.note_added'
      readonly note: string
      /** Length of the note in UTF-16 units. */
      readonly length: number
    } & OfAccount)
  | ({ readonly type: 'demo_client.note_deleted'; readonly note: string } & OfAccount)
  | {
      /** The demo client refused another request, such as a form of another site. */
      readonly type: 'demo_client.request_refused'
      readonly method: string
      readonly path: string
      readonly status: number
      readonly description: string
      readonly rule: Citation
    }

/** The context of a request to the demo client. */
export type Context = RequestContext<DemoClientEvent>

/** Publishes an event of a request. */
export type Publish = Context['publish']
