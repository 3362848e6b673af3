import { bounded } from '../../../protocol/events.js'
import { isUrl } from '../../../protocol/http/address.js'
import { type HttpRequest, headerValues } from '../../../protocol/http/message.js'
import type { Handle, RequestContext } from '../../../protocol/http/site.js'
import { withCrossOrigin } from '../../../protocol/http/site.js'
import type { Context } from '../events.js'
import { MCP_PATH } from './resource.js'
import { rpcError } from './rpc-error.js'

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
