import type { Send } from '../../protocol/http/exchange.js'
import type { Html, PageScript } from '../../protocol/http/page.js'
import type { AuthorizationRequest } from '../../protocol/oauth/authorization-request.js'
import type { Check } from '../../protocol/oauth/check.js'
import type { Login } from './logins.js'
import type { Person } from './person.js'

/** A person, and the checks that say who it is. */
export interface Identified {
  readonly person: Person
  readonly checks: readonly Check[]
}

/** The tools of a grant. */
export interface GrantTools {
  readonly send: Send
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** An authorization response whose state and iss are right. */
export interface ReadAnswer {
  /** The code, where the response has one. */
  readonly code?: string
  /** Learns who logged in. @throws OAuthError, TransportError, TimeoutError */
  readonly identify: (tools: GrantTools) => Promise<Identified>
}

/** The way in which this client learns who logged in. */
export interface Grant {
  readonly responseType: string
  /** Returns the page for a callback without parameters; undefined: such a request is read as an answer. */
  readonly relay: () => { readonly content: Html; readonly script: PageScript } | undefined
  /**
   * Reads an authorization response.
   * @param parameters the response as it came, form-encoded
   * @param expected the request to compare it with
   * @throws OAuthError
   */
  readonly read: (parameters: string, login: Login, expected: AuthorizationRequest) => ReadAnswer
}
