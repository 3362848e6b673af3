import { codeFlow } from '../../flows/code.js'
import type { NetworkPorts } from '../../flows/ports.js'
import { resourceRequest } from '../../flows/steps/resource-step.js'
import { TimeoutError, TransportError } from '../../protocol/errors.js'
import { isUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { defined } from '../../protocol/values.js'
import { STRANGER } from '../tamper/messages.js'
import type { Facts, HonestFlow, Publication } from './facts.js'
import { askDirectly, carried, honestRequest } from './honest-request.js'
import { askForLogins } from './login-demand-checks.js'
import { reached } from './publication.js'
import { reflections } from './reflection.js'
import { type Examined, flowOptions, flowPorts, type Place, placesOf, sentAs } from './server-under-test.js'
import { askInSession } from './session-probe.js'
import { walk } from './trial.js'

/** Every printable character that a state may have and an address may not (RFC 6749 Appendix A.5). */
const ODD_STATE = 'oauth-lab +/=&%?#"<>\\^`{|}~'

/** Learns about a server before any wrong move, by an honest flow and a few unusual but correct requests. */
export async function probe(on: Examined, publication: Publication): Promise<Omit<Facts, 'answers'>> {
  const flow = await honestFlow(on)
  on.ports.signal.throwIfAborted()
  const foreignOrigin = await asForeignPage(on)
  const strangerInSession = await askInSession(on, flow)
  const loginDemands = await askForLogins(on, flow)
  const answered = flow.steps.some(({ name, url }) => name === 'authorization_response' && url !== undefined)
  const oddState = answered ? await withOddState(on) : undefined
  return defined({
    publication,
    flow,
    reflections: await reflections(on),
    taken: await showEverywhere(on, flow),
    foreignOrigin,
    tokenPreflight: await preflight(on),
    strangerInSession,
    loginDemands,
    oddState,
  })
}

async function honestFlow({ ports, server, metadata }: Examined): Promise<HonestFlow> {
  const { steps, outcome } = await walk(codeFlow(flowPorts(ports), flowOptions(server, metadata)))
  return { client: server.client, steps, outcome: outcome ?? { type: 'outcome', outcome: 'failed' } }
}

/** Asks for the login page as a script of a foreign page would (RFC 9700 §2.6). */
async function asForeignPage(on: Examined): Promise<Exchange | undefined> {
  const asked = await askDirectly(on, {}, [['origin', `https://${STRANGER}`]])
  // A refused push is no page.
  return asked?.request.method === 'GET' ? asked : undefined
}

/** Asks the token endpoint as a browser does before a page of the client may call it (Fetch standard, "CORS-preflight request"). */
async function preflight({ ports, server, metadata }: Examined): Promise<Exchange | undefined> {
  const { send, signal } = ports
  const { redirectUri } = server
  const url = metadata.token_endpoint
  if (url === undefined || !isUrl(redirectUri) || !/^https?:/i.test(redirectUri)) return undefined
  const headers = [
    ['origin', new URL(redirectUri).origin],
    ['access-control-request-method', 'POST'],
  ] as const
  return reached(send({ method: 'OPTIONS', url, headers, body: new Uint8Array() }, { signal }), signal)
}

async function withOddState(on: Examined): Promise<Facts['oddState']> {
  const { agentWith, send, signal } = on.ports
  const honest = honestRequest(on, { state: ODD_STATE })
  const way = honest && (await carried(on, honest))
  if (way === undefined || 'refused' in way) return undefined
  const { request } = way
  try {
    for await (const { landed } of agentWith(
      send,
      'has a state with every character that a state may have',
    ).authorize({ request, signal })) {
      if (landed !== undefined) return { sent: ODD_STATE, landed }
    }
  } catch (error) {
    signal.throwIfAborted()
    const known = [OAuthError, TransportError, TimeoutError].some(each => error instanceof each)
    if (!known) throw error
  }
  return undefined
}

/** Shows the honest flow's access token wherever one can be shown. */
async function showEverywhere(on: Examined, { steps }: HonestFlow): Promise<Facts['taken']> {
  const taken = new Map<Place['kind'], Exchange>()
  const token = steps.find(({ name }) => name === 'token_request')?.token?.value
  if (token === undefined) return taken
  for (const { kind, url } of placesOf(on)) {
    const exchange = await showToken(on.ports, url, token)
    if (exchange) taken.set(kind, exchange)
  }
  return taken
}

/** Shows an access token, as the client does. */
export async function showToken(
  ports: NetworkPorts,
  url: string,
  token: string,
): Promise<Exchange | undefined> {
  const { signal } = ports
  return reached(sentAs(ports)(resourceRequest(url, token), { signal }), signal)
}
