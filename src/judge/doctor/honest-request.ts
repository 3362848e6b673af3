import { codePlan } from '../../flows/code.js'
import type { FlowOptions } from '../../flows/options.js'
import { asCarried } from '../../flows/steps/front-channel.js'
import { createWalk } from '../../flows/walk.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import type { FormPairs } from '../../protocol/http/form.js'
import {
  type AuthorizationRequest,
  type AuthorizationRequestOptions,
  authorizationRequest,
} from '../../protocol/oauth/authorization-request.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { reached } from './publication.js'
import { type Examined, flowOptions, sentAs } from './server-under-test.js'

/** The parts of an authorization request that a check changes. */
export type RequestChange = Partial<
  Pick<
    AuthorizationRequestOptions,
    'responseType' | 'responseMode' | 'clientId' | 'redirectUri' | 'scope' | 'state' | 'nonce' | 'extra'
  >
>

/** The authorization request of the honest flow, changed. Undefined without an authorization endpoint. */
export function honestRequest(
  { server, metadata }: Omit<Examined, 'ports'>,
  change: RequestChange = {},
  client = server.client,
): AuthorizationRequest | undefined {
  const { scope, clientId, redirectUri } = flowOptions(server, metadata, client)
  const endpoint = metadata.authorization_endpoint
  if (endpoint === undefined) return undefined
  return authorizationRequest({
    endpoint,
    issuer: server.issuer,
    responseType: 'code',
    clientId,
    redirectUri,
    state: 'oauth-lab',
    issPromised: false,
    codeVerifier: 'oauth-lab-doctor-asks-and-redeems-nothing-00',
    ...(scope !== undefined && { scope, nonce: 'oauth-lab-doctor' }),
    ...change,
  })
}

/** A request as a browser carries it, or the reason why the server did not take it before. */
export type Carried =
  | { readonly request: AuthorizationRequest }
  | { readonly refused: OAuthError; readonly exchange: Exchange | undefined }

/**
 * Sends a request the way of the client: in a request object, or pushed, where the client does so.
 * Undefined where no answer came.
 */
export async function carried(
  { ports, server, metadata }: Examined,
  request: AuthorizationRequest,
  more: Pick<FlowOptions, 'push'> = {},
): Promise<Carried | undefined> {
  const { signal, now, random } = ports
  const wanted = { ...flowOptions(server, metadata), ...more }
  const walk = createWalk({ send: sentAs(ports), signal }, codePlan(wanted))
  const steps = asCarried(walk, { now, random }, request, wanted)
  let exchange: Exchange | undefined
  const read = async (): Promise<AuthorizationRequest> => {
    for (;;) {
      const { value, done } = await steps.next()
      if (done) return value
      exchange = value.exchange
    }
  }
  try {
    const taken = await reached(read(), signal)
    return taken && { request: taken }
  } catch (refused) {
    if (refused instanceof OAuthError) return { refused, exchange }
    throw refused
  }
}

/** Asks the authorization endpoint as the client, without following any redirect. Undefined where no answer came. */
export async function askDirectly(
  on: Examined,
  change: RequestChange,
  headers: FormPairs,
): Promise<Exchange | undefined> {
  const request = honestRequest(on, change)
  const way = request && (await carried(on, request))
  if (way === undefined) return undefined
  if ('refused' in way) return way.exchange
  const { url } = way.request
  const { send, signal } = on.ports
  return reached(send({ method: 'GET', url, headers, body: new Uint8Array() }, { signal }), signal)
}
