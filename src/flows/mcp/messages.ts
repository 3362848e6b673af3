import { bytes, type Header, type HttpRequest } from '../../protocol/http/message.js'
import { type Revision, RULES } from './revisions.js'

export interface ClientInfo {
  readonly name: string
  readonly version: string
}

export interface McpMessage {
  readonly method: 'initialize' | 'notifications/initialized' | 'tools/list' | 'tools/call'
  readonly params?: Readonly<Record<string, unknown>>
}

export interface McpContext {
  readonly url: string
  readonly revision: Revision
  readonly info: ClientInfo
  readonly session?: string | undefined
  readonly accessToken?: string | undefined
}

/** As it is, or in Base64 where a header could not carry it. */
export function headerValue(text: string): string {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
  const sentinel = text.startsWith('=?base64?') && text.endsWith('?=')
  return plain && !sentinel ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
}

function paramsOf(
  { method, params }: McpMessage,
  { revision, info }: McpContext,
): Record<string, unknown> | undefined {
  if (method === 'initialize') return { protocolVersion: revision, capabilities: {}, clientInfo: info }
  if (!RULES[revision].stateless) return params
  return {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': info,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  }
}

/** The headers that copy members of the body. */
function copiedHeaders({ method, params }: McpMessage, { revision }: McpContext): Header[] {
  const { stateless, versionHeader } = RULES[revision]
  const version: Header[] =
    stateless || (versionHeader && method !== 'initialize') ? [['mcp-protocol-version', revision]] : []
  if (!stateless) return version
  const name = method === 'tools/call' && typeof params?.name === 'string' ? params.name : undefined
  const named: Header[] = name === undefined ? [] : [['mcp-name', headerValue(name)]]
  return [...version, ['mcp-method', method], ...named]
}

/** The POST of a message (MCP 2026-07-28 Transport §2). @param id of a request; absent for a notification */
export function mcpRequest(message: McpMessage, context: McpContext, id?: number): HttpRequest {
  const { url, session, accessToken } = context
  const params = paramsOf(message, context)
  const body = {
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    method: message.method,
    ...(params !== undefined && { params }),
  }
  return {
    method: 'POST',
    url,
    headers: [
      ['accept', 'application/json, text/event-stream'],
      ['content-type', 'application/json'],
      ...copiedHeaders(message, context),
      ...(session === undefined ? [] : [['mcp-session-id', session] as const]),
      ...(accessToken === undefined ? [] : [['authorization', `Bearer ${accessToken}`] as const]),
    ],
    body: bytes(JSON.stringify(body)),
  }
}
