import { bounded } from '../../../protocol/events.js'
import { isUrl } from '../../../protocol/http/address.js'
import { type HttpRequest, type HttpResponse, headerValues } from '../../../protocol/http/message.js'
import type { Handle, RequestContext } from '../../../protocol/http/site.js'
import { withCrossOrigin } from '../../../protocol/http/site.js'
import { isDeeper } from '../../../protocol/values.js'
import type { AnswerSettings } from '../answers.js'
import type { Access } from '../authenticator.js'
import type { Context, RpcCall } from '../events.js'
import type { Guard } from '../guard.js'
import type { RecordStore } from '../record-store.js'
import { MAX_BODY_BYTES } from '../settings.js'
import { FIRST_SCOPE, MCP_PATH, mcpResource, rpcError, scopeOfTools } from './tools.js'

/** The parts that the MCP endpoint uses. */
interface McpParts {
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

/** Most messages of a batch. */
export const MAX_MESSAGES = 20

/** Deepest nesting of a body. Parsers behind this one are recursive. */
export const MAX_DEPTH = 64

/** Most names of methods or tools that an event has. */
const MAX_NAMES = 3

const MAX_NAME = 60

/** The JSON-RPC messages of a body. The MCP package gets `json` itself, so both read the same members. */
type Messages =
  | {
      readonly ok: true
      readonly json: unknown
      readonly methods: readonly string[]
      /** The names of the called tools. */
      readonly tools: readonly string[]
    }
  | { readonly ok: false; readonly code: -32700 | -32600; readonly problem: string }

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads the methods and tools that a body names. Everything else in it is for the MCP package to judge. */
export function readMessages(body: Uint8Array): Messages {
  let json: unknown
  try {
    json = JSON.parse(decoder.decode(body))
  } catch {
    return { ok: false, code: -32700, problem: 'Parse error: the body is not JSON in UTF-8' }
  }
  if (isDeeper(json, MAX_DEPTH)) return invalid(`the body is nested more than ${MAX_DEPTH} levels deep`)
  const messages: readonly unknown[] = Array.isArray(json) ? json : [json]
  if (messages.length > MAX_MESSAGES) return invalid(`a batch has at most ${MAX_MESSAGES} messages`)
  const methods: string[] = []
  const tools: string[] = []
  for (const message of messages) {
    const method = member(message, 'method')
    if (typeof method !== 'string') continue
    methods.push(method)
    const name = method === 'tools/call' ? member(member(message, 'params'), 'name') : undefined
    if (typeof name === 'string') tools.push(name)
  }
  return { ok: true, json, methods, tools }
}

const invalid = (problem: string): Messages => ({
  ok: false,
  code: -32600,
  problem: `Invalid Request: ${problem}`,
})

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

/** Returns the members of an event that name what a body calls, cut to a bounded length. */
function callOf({ methods, tools }: Messages & { readonly ok: true }): RpcCall {
  const call: { rpc_method?: string; tool?: string } = {}
  if (methods.length > 0) call.rpc_method = named(methods)
  if (tools.length > 0) call.tool = named(tools)
  return call
}

function named(names: readonly string[]): string {
  const different = [...new Set(names)]
  const shown = different.slice(0, MAX_NAMES).map(each => bounded(each, MAX_NAME))
  return (different.length > shown.length ? [...shown, '…'] : shown).join(' ')
}

/** Hosts of this computer. A page of one was served from here, such as the page of a developer's tool. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** GET and DELETE are answered 405, which a script can only see when it may send them. */
const ACCESS = { methods: 'GET, POST, DELETE', exposed: 'Mcp-Session-Id, MCP-Protocol-Version' }

/**
 * Refuses pages of foreign origins, because DNS rebinding makes a foreign page reach servers on its reader's computer (MCP,
 * Streamable HTTP §1). Scripts of this computer may call the server and read its answers.
 */
export function withMcpOrigins(baseUrl: string, handle: Handle): Handle {
  const open = withCrossOrigin(ACCESS, handle)
  return async (request, context: RequestContext) => {
    const foreign = foreignOrigin(request, baseUrl)
    if (foreign === undefined) return open(request, context)
    const { publish }: Context = context
    const { method } = request
    const description = `a page of ${foreign} may not call this server`
    const rule = 'MCP 2026-07-28 Transport §1'
    publish({ type: 'resource.refused', method, path: MCP_PATH, status: 403, description, rule })
    return rpcError(403, -32000, `Forbidden: ${description}`, [['x-content-type-options', 'nosniff']])
  }
}

/** Returns a foreign Origin; undefined for a request without Origin, and for pages of this computer or of this server. */
function foreignOrigin(request: HttpRequest, baseUrl: string): string | undefined {
  const own = new URL(baseUrl).origin
  const foreign = headerValues(request, 'origin').find(origin => origin !== own && !isLocal(origin))
  return foreign === undefined ? undefined : bounded(foreign, 100)
}

function isLocal(origin: string): boolean {
  if (!isUrl(origin)) return false
  const url = new URL(origin)
  return /^https?:$/.test(url.protocol) && LOOPBACK.has(url.hostname) && url.origin === origin
}
