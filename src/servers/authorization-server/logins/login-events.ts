import type { AuthorizationDetails } from '../../../protocol/oauth/authorization-details.js'
import type { Citation } from '../../../protocol/rules/rule.js'

/** The client and the user of an event, as far as they are known. */
type About = { readonly client_id?: string; readonly username?: string }

/** The client, the user and the scope of a decision. */
type Decided = { readonly client_id: string; readonly username: string; readonly scope: string }

/** An event of the login page, of its sessions and of the consent page. */
export type LoginEvent =
  | { readonly type: 'login.shown'; readonly client_id: string; readonly scope: string }
  | ({
      readonly type: 'login.failed'
      readonly reason: 'credentials' | 'csrf' | 'busy' | 'limited'
      readonly description: string
      readonly rule: Citation
    } & About)
  | {
      readonly type: 'login.succeeded'
      readonly username: string
      /** Absent: the person logged in at a page of the server itself. */
      readonly client_id?: string
    }
  | {
      readonly type: 'session.resumed' | 'session.ended'
      readonly username: string
      readonly client_id?: string
    }
  | {
      readonly type: 'consent.shown'
      readonly client_id: string
      readonly username: string
      readonly scope: string
      readonly redirect_uri: string
      readonly authorization_details?: AuthorizationDetails
      /**
       * `client`: the person allowed nothing to this client in this session. `scope`: the person allowed less.
       * `native`: anyone can imitate this client. `prompt`: the request has prompt=consent.
       * `details`: each request with authorization details is asked about.
       */
      readonly reason: 'client' | 'scope' | 'native' | 'prompt' | 'details'
      readonly rule: Citation
    }
  | {
      readonly type: 'consent.granted'
      readonly client_id: string
      readonly username: string
      readonly scope: string
      /** False for a native client: the person is asked again the next time. */
      readonly kept: boolean
    }
  | ({ readonly type: 'consent.denied' } & Decided)
  /** `source`: the session kept an earlier consent, the client has `consent: granted`, or a weak mode asks nobody. */
  | {
      readonly type: 'consent.applied'
      readonly client_id: string
      readonly username: string
      readonly scope: string
      readonly source: 'session' | 'client' | 'weak'
    }
  | {
      readonly type: 'consent.failed'
      readonly client_id: string
      readonly username: string
      readonly reason: 'csrf'
      readonly description: string
      readonly rule: Citation
    }
