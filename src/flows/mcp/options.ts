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

/** A grant by which a client gets a token for an MCP server. */
export type McpGrant = (typeof MCP_GRANTS)[number]

/** The identity provider of an organisation, and the client that it knows. */
export interface IdentityProvider extends GivenClient {
  readonly issuer: string
}

/** The options of the MCP flow. */
export interface McpOptions extends Introductions {
  /** The address of the MCP server. */
  readonly url: string
  /** The revision to speak. Absent: the one in force, and an older one where the server speaks no newer one. */
  readonly revision?: Revision
  readonly redirectUri: string
  /** The scope that the person names, in place of that of the challenge. */
  readonly scope?: string
  /** True for a client that wants a refresh token. */
  readonly offline?: boolean
  readonly grant: McpGrant
  /** The key of the client, which signs its assertions. */
  readonly key?: ClientKey
  /** Binds the tokens to this key (RFC 9449). */
  readonly dpop?: DpopKey
  /** The assertion of `jwt-bearer`, or the ID token of `enterprise`. */
  readonly assertion?: string
  readonly idp?: IdentityProvider
  /** The tool to call at the end. Absent: none. */
  readonly call?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
  readonly info: ClientInfo
}

/** The world of the MCP flow. */
export interface McpPorts extends FlowPorts {
  /** Adds to further requests what this client adds at this server: proofs and assertions. */
  readonly become: (metadata: PublishedMetadata, extras: ClientExtras, client: McpClient) => void
}
