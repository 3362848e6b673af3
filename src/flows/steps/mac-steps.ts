import type { HttpRequest } from '../../protocol/http/message.js'
import { check } from '../../protocol/oauth/check.js'
import { MAC_DRAFT, type MacCredentials, macAuthorization } from '../../protocol/oauth/mac.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../../protocol/oauth/token.js'
import { failedCheck } from '../outcome.js'
import type { FlowPorts } from '../ports.js'
import type { StepName } from '../step.js'
import type { Steps, Walk } from '../walk.js'
import { unguessable } from './front-channel.js'
import { present, resourceRequest } from './resource-step.js'

function credentialsOf({
  access_token: id,
  mac_key: key,
  mac_algorithm: algorithm,
}: TokenResponse): MacCredentials {
  if (key !== undefined && algorithm !== undefined) return { id, key, algorithm }
  throw new OAuthError('invalid_response', {
    description: 'the token has no mac_key',
    rule: `${MAC_DRAFT} §5.1`,
  })
}

/** Presents a token of type `mac`, then attacks with the captured request. */
export async function* callWithMac(
  walk: Walk,
  { random }: Pick<FlowPorts, 'random'>,
  resource: string,
  tokens: TokenResponse,
): Steps<void> {
  const bare = resourceRequest(resource)
  // The age of the key in seconds stands before the colon (§3.1).
  const nonce = `0:${unguessable(random)}`
  const authorization = macAuthorization(bare, credentialsOf(tokens), { nonce })
  const signed: HttpRequest = { ...bare, headers: [...bare.headers, ['authorization', authorization]] }
  yield* present(walk, signed)
  yield* expectRefused(walk, 'replay_request', signed, 'the nonce was used before')
  yield* expectRefused(
    walk,
    'bearer_request',
    resourceRequest(resource, tokens.access_token),
    'a name without its key',
  )
}

async function* expectRefused(walk: Walk, name: StepName, request: HttpRequest, good: string): Steps<void> {
  const exchange = await walk.send(request)
  const status = exchange.response?.status
  if (status === 401) {
    const checks = [check('refused', true, `${MAC_DRAFT} §4`, String(status))]
    yield walk.step(name, { exchange, checks, note: `refused as it should be: ${good}` })
    return
  }
  const description = `the resource server answered ${status}: anyone who reads the request can use it`
  const error = new OAuthError('replay_accepted', { description, rule: `${MAC_DRAFT} §4` })
  yield walk.step(name, { exchange, checks: [failedCheck(error, 'refused')] })
  throw error
}
