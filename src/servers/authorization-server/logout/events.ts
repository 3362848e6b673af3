import type { Citation } from '../../../protocol/rules/rule.js'

/** A client that is informed of the end of a session. */
type Informed = {
  readonly client_id: string
  readonly username: string
  readonly sid: string
  /** The address of the client that is called. */
  readonly url: string
}

/** One attempt to inform a client. */
type Attempt = Informed & {
  /** Number of the attempt, from 1. */
  readonly attempt: number
}

/** An event about a message that informs a client of a logout (Back-Channel Logout §2.5). It has no token. */
export type LogoutEvent =
  | ({ readonly type: 'logout_token.sent' } & Attempt)
  | ({ readonly type: 'logout_token.accepted'; readonly status: number } & Attempt)
  | ({
      readonly type: 'logout_token.failed'
      /** Absent: there was no answer. */
      readonly status?: number
      readonly description: string
      readonly rule: Citation
      /** Seconds until the next attempt. Absent: there is none. */
      readonly retry_in?: number
    } & Attempt)
  /** The logout page has a frame with an address of a client (Front-Channel Logout §3). */
  | ({ readonly type: 'logout.framed' } & Informed)
