import { codeFlow } from '../../flows/code.js'
import type { NetworkPorts } from '../../flows/ports.js'
import { resourceRequest } from '../../flows/steps/resource-step.js'
import { TimeoutError, TransportError } from '../../protocol/errors.js'
import { isUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { mediaType } from '../../protocol/http/message.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { defined } from '../../protocol/values.js'
import { STRANGER } from '../tamper/messages.js'
import type { Facts, HonestFlow, Publication, Reflection } from './facts.js'
import { askDirectly, carried, honestRequest, type RequestChange } from './honest-request.js'
import { reached } from './publication.js'
import { type Examined, flowOptions, flowPorts, type Place, placesOf, sentAs } from './server-under-test.js'
import { askForLogins, askInSession } from './session-checks.js'
import { walk } from './trial.js'

/** A value that ends an attribute and begins a tag, where a page repeats it without escaping. */
export const REFLECTED = 'oauth-lab-mark" oauth-lab-attribute="<oauth-lab-tag>'

/** The beginning of the value as the value of an attribute, with its quotation mark as it was sent. */
const ATTRIBUTE = /="[^"<>]{0,2000}oauth-lab-mark" oauth-lab-attribute="/

/** The longest page that is searched, in characters. */
const MAX_PAGE = 256 * 1024

/** Parameters that pages like to repeat: of a request that is good otherwise, and of one that is not. */
const CHANGES: readonly (readonly [parameter: string, change: (registered: string) => RequestChange])[] = [
  ['state', () => ({ state: REFLECTED })],
  ['nonce', () => ({ nonce: REFLECTED })],
  ['login_hint', () => ({ extra: [['login_hint', REFLECTED]] })],
  ['scope', () => ({ scope: REFLECTED })],
  ['client_id', () => ({ clientId: REFLECTED })],
  ['redirect_uri', registered => ({ redirectUri: `${registered}?${REFLECTED}` })],
  ['response_type', () => ({ responseType: REFLECTED })],
  ['error', () => ({ extra: [['error', REFLECTED]] })],
  ['error_description', () => ({ extra: [['error_description', REFLECTED]] })],
]

/** The pages that repeat parameters, each asked for once. */
async function reflections(on: Examined): Promise<Reflection[]> {
  const { send, signal } = on.ports
  const found: Reflection[] = []
  for (const [parameter, change] of CHANGES) {
    const honest = honestRequest(on, change(on.server.redirectUri))
    const way = honest && (await carried(on, honest))
    if (honest === undefined || way === undefined) continue
    // The page that refuses a request may repeat it as well.
    const { url } = 'refused' in way ? honest : way.request
    const request = {
      method: 'GET',
      url,
      headers: [['accept', 'text/html']],
      body: new Uint8Array(),
    } as const
    const exchange = await reached(send(request, { signal }), signal)
    if (!exchange?.response) break
    found.push({ parameter, exchange })
  }
  return found
}

/** True for a page of HTML that repeats the value as it was sent. */
export function isRaw({ exchange: { response } }: Reflection): boolean {
  if (response === undefined) return false
  const type = mediaType(response)
  if (type !== '' && !/html|xml/.test(type)) return false
  const page = response.body.slice(0, MAX_PAGE)
  return page.includes('<oauth-lab-tag>') || ATTRIBUTE.test(page)
}

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
