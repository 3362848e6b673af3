import { readMcpAnswer } from '../../../flows/mcp/answers.js'
import { mcpFlow } from '../../../flows/mcp/flow.js'
import { lateClient } from '../../../flows/mcp/late-client.js'
import type { McpOptions } from '../../../flows/mcp/options.js'
import type { McpClient } from '../../../flows/mcp/register.js'
import { outgoing } from '../../../flows/middleware/middleware.js'
import type { Outcome, Step } from '../../../flows/step.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { bytes, type HttpRequest } from '../../../protocol/http/message.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { isJsonObject } from '../../../protocol/values.js'
import type { Move } from '../../tamper/move.js'
import { type McpFacts, tamperedMcpFlow } from '../../tamper/tampered-mcp.js'
import type { Judgement } from '../finding.js'
import type { DoctorPorts } from '../ports.js'
import { judgement, walk } from '../trial.js'

/** A conversation to its end. */
export interface Talk {
  readonly steps: readonly Step[]
  readonly outcome: Outcome | undefined
  /** The client that it was held as; undefined where it ended before. */
  readonly client: McpClient | undefined
}

/** Walks a conversation without any wrong move. */
export async function converse(ports: DoctorPorts, wanted: McpOptions): Promise<Talk> {
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
export async function tryMcpMove(
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
export function lastMessage(steps: readonly Step[], url: string): HttpRequest | undefined {
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
export function readingTools(steps: readonly Step[]): string[] {
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
export async function tooNarrow(
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
