import type { HttpRequest } from '../protocol/http/message.js'
import { check } from '../protocol/oauth/check.js'
import { MAC_DRAFT, type MacCredentials, macAuthorization } from '../protocol/oauth/mac.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import { stepToken } from './answers/verify-tokens.js'
import { codePlan } from './code.js'
import { readChallenge, readResourceMetadata } from './metadata/resource-metadata.js'
import type { FlowOptions } from './options.js'
import { failedCheck } from './outcome.js'
import { type PlanOptions, resourceSteps } from './plans/plan-parts.js'
import type { FlowPorts } from './ports.js'
import type { PlannedStep, StepName } from './step.js'
import { unguessable } from './steps/front-channel.js'
import { obtainByCode } from './steps/obtain-by-code.js'
import { callResource, present, resourceRequest } from './steps/resource-step.js'
import { callOrStepUp } from './steps/step-up.js'
import { flowOf, get, type Steps, type Walk } from './walk.js'

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
async function* callWithMac(
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

/** The steps of a client that knows only the address of a resource (RFC 9728 §5). */
export function resourcePlan(options: PlanOptions): PlannedStep[] {
  const [last] = resourceSteps(options)
  const title = last?.title ?? 'GET /resource'
  return [
    {
      name: 'unauthenticated_request',
      from: 'client',
      to: 'resource_server',
      title,
      rfc: '6750 §3',
      why: 'The client asks without a token, and hears which kind of token is wanted.',
    },
    {
      name: 'resource_metadata_request',
      from: 'client',
      to: 'resource_server',
      title: 'GET /.well-known/oauth-protected-resource',
      rfc: '9728 §5',
      why: 'The resource server says whom it trusts; the client goes nowhere else for a token.',
    },
    ...(options.accessToken === undefined ? codePlan(options) : resourceSteps(options)),
  ]
}

/** Gets a token for a resource with only its address known (RFC 9728 §5). */
export const resourceFlow = flowOf(resourcePlan, steps)

async function* steps(walk: Walk, ports: FlowPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const { resource } = wanted
  if (resource === undefined) {
    const description = 'there is no resource server to ask'
    throw new OAuthError('no_resource', { description, rule: 'RFC 6749 §7' })
  }
  yield* discoverResource(walk, resource, wanted)
  if (wanted.accessToken !== undefined) {
    yield* callResource(walk, wanted, wanted.accessToken)
    return { access_token: wanted.accessToken, token_type: 'Bearer' }
  }
  const { tokens } = yield* obtainByCode(walk, ports, wanted)
  if (wanted.tokenType === 'mac') yield* callWithMac(walk, ports, resource, tokens)
  else return yield* callOrStepUp(walk, ports, wanted, tokens)
  return tokens
}

async function* discoverResource(walk: Walk, resource: string, wanted: FlowOptions): Steps<void> {
  const exchange = await walk.send(resourceRequest(resource))
  const { metadataUrl, ...asked } = readChallenge(exchange, resource)
  const token =
    wanted.accessToken === undefined ? {} : { token: stepToken('access_token', wanted.accessToken) }
  yield walk.step('unauthenticated_request', { exchange, ...asked, ...token })
  const answer = await walk.send(get(metadataUrl))
  const read = yield* walk.orRefused('resource_metadata_request', answer, () =>
    readResourceMetadata(answer, resource, wanted.metadata.issuer),
  )
  yield walk.step('resource_metadata_request', { exchange: answer, ...read })
}
