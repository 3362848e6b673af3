import { type HeaderList, type HttpResponse, jsonResponse } from '../../../protocol/http/message.js'

/** The scope that each tool needs; an empty one for a tool that any accepted token may call. */
const TOOL_SCOPES = {
  whoami: '',
  records: 'records:read',
  write_record: 'records:write',
} as const

/** The name of a tool. */
export type ToolName = keyof typeof TOOL_SCOPES

/** The scopes of all tools, which the metadata lists (RFC 9728 §2). */
export const MCP_SCOPES: readonly string[] = Object.values(TOOL_SCOPES).filter(each => each !== '')

/** The scope that a challenge suggests to a client whose request needs none yet. */
export const FIRST_SCOPE = TOOL_SCOPES.records

/** Returns the scope that calls of tools need together; undefined when they need none. Unknown tools need none. */
export function scopeOfTools(names: readonly string[]): string | undefined {
  const known = names.filter((name): name is ToolName => Object.hasOwn(TOOL_SCOPES, name))
  const scopes = new Set(known.map(name => TOOL_SCOPES[name]).filter(each => each !== ''))
  return scopes.size === 0 ? undefined : [...scopes].join(' ')
}

/** Returns an error response whose body is a JSON-RPC error. Without an id, because no message was read. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  headers: HeaderList = [],
): HttpResponse {
  return jsonResponse(status, { jsonrpc: '2.0', error: { code, message }, id: null }, [
    ['cache-control', 'no-store'],
    ...headers,
  ])
}

/** Path of the MCP endpoint of a resource server. */
export const MCP_PATH = '/mcp'

/**
 * Returns the resource identifier of the MCP server at a resource server, which is its address too (RFC 8707 §2).
 * @param baseUrl the base URL of the resource server, without a trailing slash
 */
export function mcpResource(baseUrl: string): string {
  return `${baseUrl}${MCP_PATH}`
}
