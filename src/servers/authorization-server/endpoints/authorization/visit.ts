import type { BrowserSecret } from '../../../../protocol/http/csrf.js'
import type { HttpRequest, HttpResponse } from '../../../../protocol/http/message.js'
import type { Publish } from '../../events.js'
import type { AcceptedRequest } from './authorization-request.js'

/** A browser's visit with a valid request. */
export interface Visit {
  readonly http: HttpRequest
  readonly request: AcceptedRequest
  readonly publish: Publish
  readonly browser: BrowserSecret
  /** Address of the form. Undefined: the page's own URL. */
  readonly action: string | undefined
}

/** The response to a visit. `answered` is false for a page that asks the person for more. */
export interface Reply {
  readonly response: HttpResponse
  readonly answered: boolean
}
