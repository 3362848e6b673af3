import { readMcpAnswer } from '../../../flows/mcp/answers.js'
import { mcpFlow } from '../../../flows/mcp/flow.js'
import { lateClient } from '../../../flows/mcp/late-client.js'
import type { McpOptions } from '../../../flows/mcp/options.js'
import type { McpClient } from '../../../flows/mcp/register.js'
import { outgoing } from '../../../flows/middleware/middleware.js'
import type { Outcome, Step } from '../../../flows/step.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { bytes, type HttpRequest } from '../../../protocol/http/message.js'
import type { PublishedMetadata } from '../../../protocol/oauth/metadata.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { defined, isJsonObject } from '../../../protocol/values.js'
import type { OwnDocument } from '../../../session/flow/own-document.js'
import { documentLieOf, type Move } from '../../tamper/move.js'
import { documentMoves } from '../../tamper/moves/documents.js'
import { aboutCertificates } from '../../tamper/moves/proofs.js'
import { expectation, moves, whyNotIn } from '../../tamper/moves.js'
import { mcpShape } from '../../tamper/shape.js'
import { type McpFacts, tamperedMcpFlow } from '../../tamper/tampered-mcp.js'
import { examine } from '../examine.js'
import { findings } from '../facts.js'
import { type Finding, GROUPS, type Group, type Judgement, notTried } from '../finding.js'
import type { DoctorPorts } from '../ports.js'
import { reached } from '../publication.js'
import { closedToDocuments } from '../registration/document-readiness.js'
import { examineRegistration } from '../registration/examine-registration.js'
import { manageRegistration, registeredIn } from '../registration/registrar.js'
import { bounded } from '../server-under-test.js'
import { judgedMove, judgement, walk } from '../trial.js'
import { conversationChecks, NO_TOKEN, tokenOf } from './conversation-checks.js'
import type { McpConversation, McpPublication, McpServerUnderTest } from './mcp-facts.js'
import { fromForeignPage, probeMcp } from './probe-mcp.js'
import { publicationChecks } from './publication-checks.js'

/** A conversation to its end. */
interface Talk {
  readonly steps: readonly Step[]
  readonly outcome: Outcome | undefined
  /** The client that it was held as; undefined where it ended before. */
  readonly client: McpClient | undefined
}

/** Walks a conversation without any wrong move. */
async function converse(ports: DoctorPorts, wanted: McpOptions): Promise<Talk> {
  const { agentWith, now, random, signal } = ports
  const late = lateClient(ports)
  const ways = outgoing(ports.send, { client: late.layers })
  let client: McpClient | undefined
  const own = {
    send: ways.client,
    userAgent: agentWith(ways.browser),
    now,
    random,
    signal,
    become(...[metadata, extras, known]: Parameters<Parameters<typeof mcpFlow>[0]['become']>) {
      client = known
      late.become(metadata, extras)
    },
  }
  const walked = await walk(late.annotate(mcpFlow(own, wanted)))
  return { ...walked, client }
}

/** Makes one wrong move, in a conversation of its own. */
async function tryMcpMove(
  ports: DoctorPorts,
  wanted: McpOptions,
  move: Move,
  facts: McpFacts,
): Promise<Judgement> {
  const late = lateClient(ports)
  const own = { ...ports, layers: { client: late.layers }, become: late.become }
  const { outcome } = await walk(late.annotate(tamperedMcpFlow(own, wanted, move, facts)))
  return judgement(outcome, move)
}

/** The last message that the MCP server answered, as it was sent; undefined without one. */
function lastMessage(steps: readonly Step[], url: string): HttpRequest | undefined {
  const isAnswered = ({ exchange }: Step) =>
    exchange?.request.url === url && exchange.response?.status === 200
  const sent = steps.findLast(isAnswered)?.exchange?.request
  if (sent === undefined) return undefined
  const { method, headers, body } = sent
  return { method, url, headers, body: bytes(body ?? '') }
}

/** The tools of an answer to `tools/list`; none where it cannot be read. */
function toolsIn(exchange: Exchange): readonly unknown[] {
  try {
    const { id } = JSON.parse(exchange.request.body ?? '') as { readonly id: number }
    const { tools } = readMcpAnswer(exchange, id)
    return Array.isArray(tools) ? tools : []
  } catch (error) {
    if (error instanceof OAuthError || error instanceof SyntaxError) return []
    throw error
  }
}

/** The names of tools that change nothing, as the MCP server says (MCP 2026-07-28 Tools). */
function readingTools(steps: readonly Step[]): string[] {
  const exchange = steps.findLast(({ name }) => name === 'tools_request')?.exchange
  if (exchange === undefined) return []
  return toolsIn(exchange).flatMap(tool => {
    if (!isJsonObject(tool) || !isJsonObject(tool.annotations) || typeof tool.name !== 'string') return []
    return tool.annotations.readOnlyHint === true ? [tool.name] : []
  })
}

/** Most conversations that look for a message which needs more scope. */
const MAX_TOOLS = 3

/**
 * Searches for the answer to a token with too little scope: lists the tools, and calls those that change nothing, with a token for
 * another scope. Returns undefined where that is enough for all of them.
 */
async function tooNarrow(
  ports: DoctorPorts,
  wanted: McpOptions,
  scope: string,
  tools: readonly string[],
): Promise<Exchange | undefined> {
  for (const name of tools.slice(0, MAX_TOOLS)) {
    const { steps } = await converse(ports, { ...wanted, scope, call: { name, arguments: {} } })
    const refused = steps.find(
      ({ exchange }) => exchange?.request.url === wanted.url && exchange.response?.status === 403,
    )
    if (refused) return refused.exchange
  }
  return undefined
}

/** The options of a client that is known by a document. */
function asDocument(options: McpOptions, { clientId }: Pick<OwnDocument, 'clientId'>): McpOptions {
  const { given: _, key: __, ...rest } = options
  return { ...rest, register: 'document', document: clientId }
}

/** Makes every move with a client ID metadata document, each in a conversation of its own. */
async function* documentTrials(
  ports: DoctorPorts,
  { options, run }: McpServerUnderTest,
  metadata: PublishedMetadata,
  enough: AbortSignal,
): AsyncGenerator<{ readonly move: Move; readonly judgement: Judgement }, void, void> {
  const { redirectUri } = options
  const closed = await closedToDocuments(metadata, ports, redirectUri, own =>
    converse(ports, asDocument(options, own)),
  )
  for (const move of documentMoves) {
    ports.signal.throwIfAborted()
    const why = closed ?? (enough.aborted ? notTried('the examination took too long') : undefined)
    yield { move, judgement: why ?? (await tried(move)) }
  }

  async function tried(move: Move): Promise<Judgement> {
    const own = await ports.serveDocument!(redirectUri, documentLieOf(move))
    const facts = { ...run, documentAsked: own.asked }
    return tryMcpMove(ports, asDocument(options, own), move, facts).finally(own.stop)
  }
}

/** The groups of what the authorization server publishes. */
const PUBLISHED: readonly Group[] = ['discovery', 'keys', 'tls']

/** True for a move that shows the MCP server a token which it must not take, or that asks for one for an unknown resource. */
function isForMcp(move: Move): boolean {
  // A message without a token is the first one of the examination, and the client shows no certificate.
  if (move.name === 'no-token' || aboutCertificates(move)) return false
  const isAbout = move.at === 'userinfo_request' || move.name === 'unknown-resource'
  return isAbout && whyNotIn(move, mcpShape({ grant: 'authorization_code' })) === undefined
}

function moveFinding(move: Move, result: Judgement): Finding {
  const { name, does, rule } = move
  return { group: 'mcp', name, title: `refused: ${does} (${expectation(move)})`, rule, ...result }
}

/** The options of the moves: they are made as the client that is registered by now. */
function asKnown(options: McpOptions, { client }: Talk, { metadata }: McpPublication): McpOptions {
  if (client === undefined || options.document !== undefined) return options
  const { clientId, clientSecret } = client
  const { register: _, ...rest } = options
  return { ...rest, given: defined({ clientId, clientSecret, issuer: metadata?.issuer }) }
}

/** A scope of the authorization server that the MCP server did not ask for. */
function otherScope({ challenge, metadata }: McpPublication): string | undefined {
  const asked = challenge?.scope?.split(' ') ?? []
  return ['openid', 'profile'].find(
    each => metadata?.scopes_supported?.includes(each) && !asked.includes(each),
  )
}

/** Learns what only a client with a token learns. */
async function learn(
  ports: DoctorPorts,
  known: McpOptions,
  honest: Talk,
  publication: McpPublication,
): Promise<McpConversation> {
  const facts = { publication, ...honest }
  if (tokenOf(facts) === undefined) return facts
  const { send, signal } = ports
  const message = lastMessage(honest.steps, known.url)
  const scope = otherScope(publication)
  return {
    ...facts,
    foreignOrigin: message && (await reached(send(fromForeignPage(message), { signal }), signal)),
    narrow:
      scope === undefined ? undefined : await tooNarrow(ports, known, scope, readingTools(honest.steps)),
  }
}

/** Examines an MCP server by conversations with it. A client that was registered for them is deleted where the server lets it be. */
async function* talks(
  ports: DoctorPorts,
  { options, run }: McpServerUnderTest,
  publication: McpPublication,
  enough: AbortSignal,
): AsyncGenerator<Finding, void, void> {
  const honest = await converse(ports, options)
  ports.signal.throwIfAborted()
  const registration = honest.steps.findLast(({ name }) => name === 'client_registration')?.exchange
  try {
    const known = asKnown(options, honest, publication)
    const facts = await learn(ports, known, honest, publication)
    yield* findings(conversationChecks, facts)
    for (const move of moves.filter(isForMcp)) {
      ports.signal.throwIfAborted()
      const why =
        tokenOf(facts) === undefined ? NO_TOKEN : enough.aborted ? 'the examination took too long' : undefined
      yield moveFinding(move, why === undefined ? await tryMcpMove(ports, known, move, run) : notTried(why))
    }
  } finally {
    const management = registeredIn(registration)?.management
    if (management) await manageRegistration(ports, 'DELETE', management.url, management.token)
  }
}

/**
 * Examines an MCP server and what its authorization server does for it: what both publish, one honest conversation, tokens that
 * the MCP server must not take, and the registration of clients.
 * @param only the groups to examine
 * @param enough ends the moves early
 * @throws TransportError, TimeoutError where the MCP server cannot be reached at all; the reason of an aborted signal
 */
export async function* examineMcp(
  world: DoctorPorts,
  server: McpServerUnderTest,
  enough: AbortSignal,
  only: readonly Group[] = GROUPS,
): AsyncGenerator<Finding, void, void> {
  const ports = { ...world, send: bounded(world.send) }
  const { options } = server
  const publication = await probeMcp(ports, options)
  if (only.includes('mcp')) {
    yield* findings(publicationChecks, publication)
    yield* talks(ports, server, publication, enough)
  }
  const { metadata } = publication
  if (metadata === undefined) return
  const { redirectUri, info } = options
  const asked = {
    issuer: metadata.issuer,
    client: { clientId: info.name, auth: 'none' as const },
    redirectUri,
  }
  const published = PUBLISHED.filter(each => only.includes(each))
  if (published.length > 0) yield* examine(ports, asked, enough, published)
  if (!only.includes('registration')) return
  yield* examineRegistration(ports, metadata, redirectUri)
  for await (const { move, judgement } of documentTrials(ports, server, metadata, enough))
    yield judgedMove(move, judgement)
}
