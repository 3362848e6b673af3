import { bytes, type Header, type HttpRequest } from '../../../../src/protocol/http/message.js'
import { baseUrl, server, tokenOf } from '../support.js'

/** The identifier of the MCP server. */
export const resource = `${baseUrl}/mcp`

/** An access token for the MCP server. */
export const mcpToken = (scope = 'records:read', more: Readonly<Record<string, unknown>> = {}) =>
  tokenOf({ aud: resource, scope, ...more })

/** The headers that every revision asks for. */
const POSTED: readonly Header[] = [
  ['content-type', 'application/json'],
  ['accept', 'application/json, text/event-stream'],
]

/** A JSON-RPC request. */
export const rpc = (method: string, params: unknown = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

/** A call of a tool. */
export const call = (name: string, args: unknown = {}, id: number | string = 1) =>
  rpc('tools/call', { name, arguments: args }, id)

/** A request of the stateless revision: its message and the headers that repeat its members. */
export function stateless(method: string, params: Readonly<Record<string, unknown>> = {}) {
  const revision = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const headers: Header[] = [
    ['mcp-protocol-version', revision],
    ['mcp-method', method],
  ]
  if (typeof params.name === 'string') headers.push(['mcp-name', params.name])
  return { message: rpc(method, { ...params, _meta }), headers }
}

/** A resource server whose MCP endpoint is called. */
export function mcpServer(...options: Parameters<typeof server>) {
  const made = server(...options)
  const post = (token: string | undefined, message: unknown, headers: readonly Header[] = []) =>
    made.send('/mcp', posted(token, message, headers))
  return { ...made, post }
}

/** The parts of a request that posts a message. */
export function posted(
  token: string | undefined,
  message: unknown,
  headers: readonly Header[] = [],
): Partial<HttpRequest> {
  const authorization: Header[] = token === undefined ? [] : [['authorization', `Bearer ${token}`]]
  const body = message instanceof Uint8Array ? message : bytes(JSON.stringify(message))
  return { method: 'POST', headers: [...POSTED, ...authorization, ...headers], body }
}
