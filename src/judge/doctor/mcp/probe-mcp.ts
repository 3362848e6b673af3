import { streamHasAnswer } from '../../../flows/mcp/answers.js'
import { type McpChallenge, readMcpChallenge } from '../../../flows/mcp/challenge.js'
import { issuerMetadataUrls } from '../../../flows/mcp/find-server.js'
import { mcpRequest } from '../../../flows/mcp/messages.js'
import { type MetadataPlace, metadataPlaces } from '../../../flows/mcp/metadata-places.js'
import type { McpOptions } from '../../../flows/mcp/options.js'
import { readResourceDocument } from '../../../flows/mcp/resource-document.js'
import { LATEST, LATEST_WITH_HANDSHAKE, type Revision, RULES } from '../../../flows/mcp/revisions.js'
import { turnsOf } from '../../../flows/mcp/turns.js'
import { discoverIssuer } from '../../../flows/metadata/discovery.js'
import { get } from '../../../flows/walk.js'
import type { Exchange, Send } from '../../../protocol/http/exchange.js'
import type { HttpRequest } from '../../../protocol/http/message.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { defined, unless } from '../../../protocol/values.js'
import { STRANGER } from '../../tamper/messages.js'
import { reached } from '../publication.js'
import { UNKNOWN_TOKEN } from '../requester.js'
import type { McpPublication, PlaceFacts } from './mcp-facts.js'

/** The world of the questions that need no token. */
export interface McpNetwork {
  readonly send: Send
  readonly signal: AbortSignal
}

/** The origin of a page that has nothing to do with the MCP server. */
const FOREIGN_ORIGIN = `https://${STRANGER}`

/** The same message, as a page of another site would make a browser send it. */
export function fromForeignPage(request: HttpRequest): HttpRequest {
  return { ...request, headers: [...request.headers, ['origin', FOREIGN_ORIGIN]] }
}

/** The first message of a revision. */
function firstMessage(options: McpOptions, revision: Revision, accessToken?: string): HttpRequest {
  const { url, info } = options
  const [first] = turnsOf(revision, {})
  return mcpRequest(first!.message, { url, info, revision, accessToken }, 1)
}

const enough = (stream: string) => streamHasAnswer(stream, 1)

/**
 * Sends a message without a token, in the revision in force; where it is not answered 401, also in an older one, whose servers
 * may know no other.
 * @throws TransportError, TimeoutError where the server cannot be reached
 */
async function withoutToken(
  { send, signal }: McpNetwork,
  options: McpOptions,
): Promise<{ readonly revision: Revision; readonly bare: Exchange }> {
  const wanted = options.revision ?? LATEST
  const bare = await send(firstMessage(options, wanted), { signal, enough })
  if (bare.response?.status === 401 || options.revision !== undefined) return { revision: wanted, bare }
  const older = await send(firstMessage(options, LATEST_WITH_HANDSHAKE), { signal, enough })
  return older.response?.status === 401
    ? { revision: LATEST_WITH_HANDSHAKE, bare: older }
    : { revision: wanted, bare }
}

/** Reads a challenge; undefined for one that names metadata at an address that may not be asked. */
const challengeIn = (exchange: Exchange, url: string): McpChallenge | undefined =>
  unless(OAuthError, () => readMcpChallenge(exchange, url))

/** Asks a place for the metadata of the MCP server. */
async function lookAt({ send, signal }: McpNetwork, url: string, place: MetadataPlace): Promise<PlaceFacts> {
  const exchange = await reached(send(get(place.url), { signal }), signal)
  if (exchange === undefined) return { place, problem: `${place.url} does not answer` }
  try {
    return { place, exchange, document: readResourceDocument(exchange, url, place) }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return { place, exchange, problem: error.description, foreign: error.code === 'resource_mismatch' }
  }
}

/** Every place for metadata, each once. */
function everyPlace(url: string, named: string | undefined): MetadataPlace[] {
  const all = [...(named === undefined ? [] : metadataPlaces(url, named)), ...metadataPlaces(url, undefined)]
  return all.filter((each, i) => all.findIndex(other => other.url === each.url) === i)
}

/** Learns what an MCP server and its authorization server say to a client without a token. */
export async function probeMcp(network: McpNetwork, options: McpOptions): Promise<McpPublication> {
  const { send, signal } = network
  const { url, given } = options
  const { revision, bare } = await withoutToken(network, options)
  const ask = (request: HttpRequest) => reached(send(request, { signal, enough }), signal)
  const challenge = challengeIn(bare, url)
  const places: PlaceFacts[] = []
  for (const place of everyPlace(url, challenge?.metadataUrl)) places.push(await lookAt(network, url, place))
  // A client asks where the challenge says, and nowhere else.
  const used = challenge?.metadataUrl === undefined ? places : places.slice(0, 1)
  const document = used.find(each => each.document)?.document
  const issuer = given?.issuer ?? document?.issuers[0]
  const discovery =
    issuer === undefined
      ? undefined
      : await discoverIssuer(issuer, send, signal, issuerMetadataUrls(issuer, RULES[revision].discovery))
  return defined({
    url,
    bare,
    madeUp: await ask(firstMessage(options, revision, UNKNOWN_TOKEN)),
    foreignOrigin: await ask(fromForeignPage(firstMessage(options, revision))),
    challenge,
    places,
    document,
    issuer,
    metadata: discovery?.metadata,
    issuerProblem: discovery?.metadata ? undefined : problemOf(discovery?.error),
  })
}

function problemOf(error: unknown): string | undefined {
  if (error === undefined) return undefined
  return error instanceof OAuthError ? error.description : 'it does not answer'
}
