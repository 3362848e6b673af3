import type { Exchange } from '../protocol/http/exchange.js'
import type { AuthorizationRequest } from '../protocol/oauth/authorization-request.js'
import type { Check } from '../protocol/oauth/check.js'
import type { LogoutRequest } from '../protocol/oauth/logout-request.js'

/** A step of the user agent on its way to the redirect_uri. */
export interface Visit {
  readonly name: 'login_form' | 'login' | 'authorization_response'
  /** The exchange of the visit. Absent for the person's own browser, whose exchanges are not recorded. */
  readonly exchange?: Exchange
  /** The address for the person to open in their own browser. */
  readonly url?: string
  /** The redirect_uri with the parameters of the response, on the last visit. */
  readonly landed?: string
  /** A remark for a person, such as `in your browser`. */
  readonly note?: string
  /** True when the same visit follows again: the login was refused, or leads to another page. */
  readonly repeats?: true
}

/** The task of a user agent. */
export interface AgentTask {
  readonly request: AuthorizationRequest
  readonly signal: AbortSignal
  /** True for a further request in the session that the last one left behind. */
  readonly again?: true
  /** True for a request with `prompt=none`. Nobody logs in, so a page is an error. */
  readonly silent?: true
}

/** A step of the user agent on its way through a logout. */
export interface LogoutVisit {
  readonly name: 'logout_request' | 'logout_confirmation' | 'frontchannel_logout' | 'logout_response'
  /** The exchange of the visit. Absent for the person's own browser. */
  readonly exchange?: Exchange
  /** The address for the person to open in their own browser. */
  readonly url?: string
  /** The post_logout_redirect_uri with its parameters, on the last visit. */
  readonly landed?: string
  readonly note?: string
  readonly checks?: readonly Check[]
  /** True when the same visit follows again. */
  readonly repeats?: true
}

/** A logout, in the session that the last login left behind. */
export interface LogoutTask {
  readonly request: LogoutRequest
  readonly signal: AbortSignal
}

/** Carries an authorization request to the server and brings the response back, one exchange at a time. */
export interface UserAgent {
  /** Yields each visit when it happens. The last visit has `landed`, unless the server showed an error page. @throws OAuthError for an error page */
  authorize(task: AgentTask): AsyncGenerator<Visit, void, void>
  /**
   * Logs out. Yields each visit when it happens. The last visit has `landed`, unless the server keeps the browser.
   * @throws OAuthError for an error page, and for a page that only a person can answer
   */
  logout?(task: LogoutTask): AsyncGenerator<LogoutVisit, void, void>
}
