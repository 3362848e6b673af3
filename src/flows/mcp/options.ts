import type { PublishedMetadata } from '../../protocol/oauth/metadata.js'
import type { ClientKey } from '../../protocol/tokens/client-assertion.js'
import type { DpopKey } from '../../protocol/tokens/dpop.js'
import type { ClientExtras } from '../middleware/client-middleware.js'
import type { FlowPorts } from '../ports.js'
import type { ClientInfo } from './messages.js'
import type { GivenClient, Introductions, McpClient } from './register.js'
import type { Revision } from './revisions.js'

/** The grants by which a client gets a token for an MCP server. */
export const MCP_GRANTS = ['authorization_code', 'client_credentials', 'jwt-bearer', 'enterprise'] as const

export type McpGrant = (typeof MCP_GRANTS)[number]

export interface IdentityProvider extends GivenClient {
  readonly issuer: string
}

/** The options of the MCP flow. */
export interface McpOptions extends Introductions {
  readonly url: string
  /** Absent: the revision in force, or an older one where the server speaks no newer one. */
  readonly revision?: Revision
  readonly redirectUri: string
  readonly scope?: string
  readonly offline?: boolean
  readonly grant: McpGrant
  readonly key?: ClientKey
  readonly dpop?: DpopKey
  /** The assertion of `jwt-bearer`, or the ID token of `enterprise`. */
  readonly assertion?: string
  readonly idp?: IdentityProvider
  readonly call?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
  readonly info: ClientInfo
}

/** The world of the MCP flow. */
export interface McpPorts extends FlowPorts {
  /** Adds to further requests what this client adds at this server. */
  readonly become: (metadata: PublishedMetadata, extras: ClientExtras, client: McpClient) => void
}
