import { sameResource } from '../../protocol/oauth/scope.js'
import { MCP_SCOPES, mcpResource } from '../../servers/resource-server/mcp/tools.js'
import { routeScopes } from '../../servers/resource-server/publication.js'
import type { ResourceServerSettings } from '../../servers/resource-server/settings.js'

/** None for a resource of somebody else. */
export function scopesOfResource(
  resource: string,
  baseUrls: readonly string[],
  routes: ResourceServerSettings['routes'],
): readonly string[] {
  if (baseUrls.some(url => sameResource(url, resource))) return routeScopes(routes)
  return baseUrls.some(url => sameResource(mcpResource(url), resource)) ? MCP_SCOPES : []
}
