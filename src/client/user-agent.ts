import type { Exchange } from '../http/exchange.js'
import type { AuthorizationRequest } from '../oauth/authorization.js'

/** Something the user agent did on its way to the redirect_uri. */
export interface Visit {
  readonly name: 'login_form' | 'login' | 'authorization_response'
  /** Absent where this program cannot see it: the person's own browser made it. */
  readonly exchange?: Exchange
  /** The address to open, for the person's own browser. */
  readonly url?: string
  /** The URL of the redirect_uri with its parameters, on the last visit. */
  readonly landed?: string
  /** One remark for a person, such as `in your browser`. */
  readonly note?: string
  /** The same visit comes again: the login was refused, or leads on to another page. */
  readonly repeats?: true
}

/**
 * True when the answer to a request is behind the `#` (OAuth 2.0 Multiple Response Type Encoding Practices §2.1).
 */
export function answersInFragment({ responseType }: Pick<AuthorizationRequest, 'responseType'>): boolean {
  return responseType !== 'code' && responseType !== 'none'
}

/** The task of a user agent. */
export interface Errand {
  readonly request: AuthorizationRequest
  readonly signal: AbortSignal
}

/** Carries an authorization request to the server and the answer back, one exchange at a time. */
export interface UserAgent {
  /**
   * Yields each visit as it happens; the last one has `landed`, unless the server showed an error page, which is
   * thrown as an OAuthError.
   */
  authorize(errand: Errand): AsyncGenerator<Visit, void, void>
}
