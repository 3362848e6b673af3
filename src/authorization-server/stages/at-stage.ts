import { textResponse } from '../../http/message.js'
import type { Route } from '../../http/routes.js'
import type { Client } from '../../oauth/client.js'
import { canKeyHs256 } from '../tokens/id-token-key.js'
import type { Stage } from './stages.js'

/** The token endpoint before it is built (interface specification, Errors): to every method. */
export function unbuiltTokenEndpoint(): Route {
  const answer = () =>
    textResponse(500, 'The token endpoint is not implemented at the stage login-only.\n', [
      ['cache-control', 'no-store'],
    ])
  return { path: '/token', methods: { GET: answer, POST: answer }, otherMethod: answer }
}

/**
 * A client as it is registered at a stage: without response types that need a signature where nothing signs,
 * without `openid` where it could not verify an id_token.
 */
export function clientAt(stage: Stage, client: Client, scopes: readonly string[]): Client {
  if (stage.signing === 'nothing') {
    return { ...client, response_types: client.response_types.filter(type => type === 'code') }
  }
  if (stage.signing !== 'HS256' || canKeyHs256(client)) return client
  const { allowed_scopes: allowed = scopes } = client
  return { ...client, allowed_scopes: allowed.filter(scope => scope !== 'openid') }
}
