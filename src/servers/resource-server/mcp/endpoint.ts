import { type HttpRequest, type HttpResponse, headerValues } from '../../../protocol/http/message.js'
import type { AnswerSettings } from '../answers.js'
import type { Access } from '../authenticator.js'
import type { Context } from '../events.js'
import type { Guard } from '../guard.js'
import { MAX_BODY_BYTES } from '../limits.js'
import type { RecordStore } from '../record-store.js'
import { callOf, type Messages, readMessages } from './messages.js'
import { MCP_PATH, mcpResource } from './resource.js'
import { rpcError } from './rpc-error.js'
import { FIRST_SCOPE, scopeOfTools } from './tools.js'

/** The parts that the MCP endpoint uses. */
export interface McpParts {
  /** The base URL of the resource server. */
  readonly baseUrl: string
  readonly guard: Guard
  /** The settings of error responses, with the address of the MCP server's own metadata. */
  readonly answers: AnswerSettings
  readonly records: RecordStore
}

type AnswerMessages = (request: HttpRequest, access: Access, json: unknown) => Promise<HttpResponse>

/**
 * Makes the MCP endpoint (Streamable HTTP). It decides by itself who may call: token, audience and the scopes of the called
 * tools. The MCP package answers what remains, and is loaded for the first such request.
 */
export function createMcpEndpoint({ baseUrl, guard, answers, records }: McpParts) {
  let loading: Promise<AnswerMessages> | undefined

  function practiceServer(): Promise<AnswerMessages> {
    loading ??= import('./practice-server.js').then(
      ({ createPracticeServer }) => createPracticeServer(records),
      error => {
        loading = undefined
        throw error
      },
    )
    return loading
  }

  async function answer(request: HttpRequest, access: Access, messages: Messages): Promise<HttpResponse> {
    if (request.method !== 'POST') {
      // No stream is offered to GET, and no session that DELETE could end.
      return rpcError(405, -32000, 'Method not allowed: send every message by POST', [['allow', 'POST']])
    }
    if (!messages.ok) return rpcError(400, messages.code, messages.problem)
    if (Array.isArray(messages.json) && !takesBatches(request)) {
      return rpcError(400, -32600, 'Invalid Request: this revision has no batches, send one message')
    }
    return (await practiceServer())(request, access, messages.json)
  }

  return async (request: HttpRequest, context: Context): Promise<HttpResponse> => {
    const body = request.method === 'POST' && request.body.length <= MAX_BODY_BYTES ? request.body : NO_BODY
    const messages = readMessages(body)
    const scope = messages.ok ? scopeOfTools(messages.tools) : undefined
    return guard(request, context, {
      route: { path: MCP_PATH, ...(scope !== undefined && { scope }) },
      suggestedScope: FIRST_SCOPE,
      answers,
      audiences: [mcpResource(baseUrl)],
      ...(messages.ok && { call: callOf(messages) }),
      answer: access => answer(request, access, messages),
    })
  }
}

const NO_BODY = new Uint8Array()

/** True for the only revision with batches, which has no header for its name yet. */
function takesBatches(request: HttpRequest): boolean {
  return headerValues(request, 'mcp-protocol-version').every(each => each === '2025-03-26')
}
