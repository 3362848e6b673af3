import type { TokenResponse } from '../../protocol/oauth/token.js'

/** A flow, by the name that `oauth-lab flow` has for it. */
export type LabFlowName =
  | 'code'
  | 'implicit'
  | 'resource'
  | 'password'
  | 'client-credentials'
  | 'refresh'
  | 'device'
  | 'token-exchange'

/** The parties of a flow and what they want. */
export interface FlowRequest {
  /** `client_id`; left out: the first client that may use the grant. Its secret is known to the lab. */
  readonly client?: string
  /** The user who logs in: a user of the lab, or with another password; left out: the first user. */
  readonly user?: string | { readonly username: string; readonly password: string }
  readonly scope?: string
  /** Left out: the first registered one, a loopback address before others. Nobody has to listen there. */
  readonly redirectUri?: string
  /** Binds the code to the client by a code_challenge; default true. */
  readonly pkce?: boolean
  /** Ends the flow. */
  readonly signal?: AbortSignal
}

/** A token response, by its names on the wire. */
export type Tokens = TokenResponse
