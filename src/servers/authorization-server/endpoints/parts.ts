import type { Grant } from '../grants/grant.js'
import type { EndSession } from '../logout/end-session.js'
import type { Abilities } from '../registration/members.js'
import type { OpenRequests } from '../request-objects/open-request.js'
import type { TokenParts } from '../tokens/token-parts.js'
import type { ResponseSender } from './authorization/authorization-response.js'
import type { AuthenticateClient } from './client-authentication.js'
import type { DpopProofs } from './dpop.js'

/** Everything that the endpoints of one server share. */
export interface ServerParts extends TokenParts {
  readonly grants: ReadonlyMap<string, Grant>
  readonly abilities: Abilities
  readonly authenticateClient: AuthenticateClient
  /** As `authenticateClient`, with the clients that may only introspect tokens. */
  readonly authenticateIntrospector: AuthenticateClient
  readonly dpop: DpopProofs
  readonly requests: OpenRequests
  readonly endSession: EndSession
  readonly sender: ResponseSender
}
