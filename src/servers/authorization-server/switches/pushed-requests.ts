import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { clauseOf } from '../profiles/profiles.js'

/** The facts that decide whether a request has to be pushed. */
export interface PushedNeed {
  /** True for a request that was pushed, or is being pushed. */
  readonly pushed: boolean
  /** True when every client of the server pushes its requests (RFC 9126 §5). */
  readonly requirePushed?: boolean | undefined
}

/** @throws OAuthError `invalid_request` for a request that had to be pushed (RFC 9126 §5, §6) */
export function requirePushed(client: Client, { pushed, requirePushed: always = false }: PushedNeed): void {
  if (pushed) return
  const own = client.require_pushed_authorization_requests === true
  if (!own && !always) return
  const who = own ? 'this client' : 'this server'
  throw new OAuthError('invalid_request', {
    description: `${who} takes pushed authorization requests only: send the parameters to /par, and its request_uri here`,
    rule: clauseOf(client, 'pushed', own ? 'RFC 9126 §6' : 'RFC 9126 §5'),
  })
}
