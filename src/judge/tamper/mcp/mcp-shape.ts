import type { McpOptions } from '../../../flows/mcp/options.js'
import type { FlowShape } from '../shape.js'

/** The shape of the MCP flow, by its grant. */
export function mcpShape({ grant }: Pick<McpOptions, 'grant'>): FlowShape {
  switch (grant) {
    case 'authorization_code':
      return { asks: 'code', brings: ['code'], grants: ['code'], mcp: true }
    case 'client_credentials':
      return { grants: ['client-credentials'], mcp: true }
    default:
      return { grants: ['assertion'], mcp: true }
  }
}
