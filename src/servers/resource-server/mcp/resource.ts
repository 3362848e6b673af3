/** Path of the MCP endpoint of a resource server. */
export const MCP_PATH = '/mcp'

/**
 * Returns the resource identifier of the MCP server at a resource server, which is its address too (RFC 8707 §2).
 * @param baseUrl the base URL of the resource server, without a trailing slash
 */
export function mcpResource(baseUrl: string): string {
  return `${baseUrl}${MCP_PATH}`
}
