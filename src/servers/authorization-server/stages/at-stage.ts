import { textResponse } from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { canKeyHs256 } from '../tokens/client-responses.js'
import type { Stage } from './stages.js'

/** The token endpoint at a stage that has none: answers 500 to every method (interface specification, Errors). */
export function unbuiltTokenEndpoint(): Route {
  const answer = () =>
    textResponse(500, 'The token endpoint is not implemented at the stage login-only.\n', [
      ['cache-control', 'no-store'],
    ])
  return { path: '/token', methods: { GET: answer, POST: answer }, otherMethod: answer }
}

/** Returns a client without algorithms of its own: a server that publishes no keys signs by one algorithm. */
function withoutAlgorithms(client: Client): Client {
  const isAlgorithm = (name: string) => /_response_(alg|enc)$|^access_token_signing_alg$/.test(name)
  return Object.fromEntries(
    Object.entries(client).filter(([name]) => !isAlgorithm(name)),
  ) as unknown as Client
}

/**
 * Returns a client as it is registered at a stage. Without signatures it has only the response type `code`. A client
 * that could not verify an id_token has no scope `openid`.
 */
export function clientAt(stage: Stage, client: Client, scopes: readonly string[]): Client {
  if (stage.signing === 'nothing') {
    return { ...client, response_types: client.response_types.filter(type => type === 'code') }
  }
  if (stage.published) return client
  const plain = withoutAlgorithms(client)
  if (stage.signing !== 'HS256' || canKeyHs256(client)) return plain
  const { allowed_scopes: allowed = scopes } = client
  return { ...plain, allowed_scopes: allowed.filter(scope => scope !== 'openid') }
}
