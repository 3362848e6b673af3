import { namedFailures } from '../../flows/advice/named-failures.js'
import { readKeys } from '../../flows/answers/verify-tokens.js'
import { type ClientExtras, clientMiddleware } from '../../flows/middleware/client-middleware.js'
import { outgoing } from '../../flows/middleware/middleware.js'
import { get } from '../../flows/walk.js'
import { UsageError } from '../../protocol/errors.js'
import type { Send } from '../../protocol/http/exchange.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import { clientRequest } from '../../protocol/oauth/token.js'
import type { JwkSet } from '../../protocol/tokens/keys.js'
import type { LabOptions, LabUse } from '../targets/lab.js'
import { withNamedServer } from '../targets/named-server.js'
import {
  type ServerKnowledge,
  type ServerOptions,
  type ServerTarget,
  serverTarget,
} from '../targets/server.js'
import { withTarget } from '../targets/target.js'
import {
  type CheckedClient,
  type ClientKnowledge,
  type ClientOptions,
  checkedClient,
  clientNetwork,
  clientSetup,
  knownWith,
} from './setup.js'

/** The options that name a server and a client, and say how the client proves itself. */
export type EndpointOptions = ServerOptions & ClientOptions

/** A client that knows its server, and can send requests to the endpoints. */
export interface EndpointClient {
  readonly target: ServerTarget
  readonly server: ServerKnowledge
  readonly checked: CheckedClient
  readonly options: ClientKnowledge
  readonly extras: ClientExtras
  /** Sends requests as they are. */
  readonly network: Send
  /** Sends requests with what the client adds to them: its assertion, its certificate. */
  readonly send: Send
  readonly signal: AbortSignal
}

/** The surroundings of a client. */
export interface EndpointWorld {
  readonly lab: LabOptions & { readonly timeoutMs: number }
  readonly narrate: LabUse['narrate']
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/**
 * Works as a client at the endpoints of its server.
 * @param hasAuthorizationRequest true for a client that may get a token through the browser
 * @throws UsageError, OAuthError, TransportError, TimeoutError
 */
export async function asClient<Result>(
  options: EndpointOptions,
  { lab, narrate, env, signal }: EndpointWorld,
  work: (client: EndpointClient) => Promise<Result>,
  hasAuthorizationRequest = false,
): Promise<Result> {
  const named = await withNamedServer(options, { ...lab, narrate })
  const checked = await checkedClient(named, { hasAuthorizationRequest })
  return withTarget(serverTarget(named, lab, { narrate }, env), async target => {
    const { now, caPem, reach } = target
    const requestOn = target.lab?.embedded?.requestOn
    const wires = { timeoutMs: lab.timeoutMs, now, caPem, requestOn, ...reach }
    const transport = clientNetwork(wires, checked.certificate)
    const network = namedFailures(transport.send)
    try {
      const { server: found, error } = await target.discover(network, signal)
      if (found === undefined) throw error
      const server = knownWith(found, checked)
      const { options: known, extras } = await clientSetup(target, checked, server)
      const { layers } = clientMiddleware(server.metadata, extras, target)
      const { client: send } = outgoing(network, { client: layers })
      return await work({ target, server, checked, options: known, extras, network, send, signal })
    } finally {
      transport.close()
    }
  })
}

/** Makes a form request with the credentials of the client, and the parameters of `--param token:NAME=VALUE`. */
export function endpointRequest(
  { extras, options, checked }: Pick<EndpointClient, 'extras' | 'options' | 'checked'>,
  endpoint: string,
  parameters: ReadonlyArray<readonly [name: string, value: string | undefined]>,
): HttpRequest {
  const { auth = 'none', clientSecret } = options
  const more = checked.parameters.token
  const taken = more.find(([name]) => parameters.some(([own]) => own === name))
  if (taken) {
    throw new UsageError(`--param token:${taken[0]} is a parameter that this request has already`, [
      'Leave it out: parameters are added, and never replaced',
    ])
  }
  return clientRequest({
    endpoint,
    clientId: extras.clientId,
    auth,
    ...(clientSecret !== undefined && { clientSecret }),
    parameters: [...parameters, ...more],
  })
}

/** Fetches the published keys of the server. Returns undefined for a server that publishes none. */
export async function publishedKeys({
  server: { metadata },
  network,
  signal,
}: Pick<EndpointClient, 'server' | 'network' | 'signal'>): Promise<JwkSet | undefined> {
  const { jwks_uri: url } = metadata
  return url === undefined ? undefined : readKeys(await network(get(url), { signal }))
}
