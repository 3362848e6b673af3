import type { ClientExtras } from '../../flows/middleware/client-middleware.js'
import { outgoing } from '../../flows/middleware/middleware.js'
import type { FlowOptions } from '../../flows/options.js'
import type { NetworkPorts } from '../../flows/ports.js'
import type { Send } from '../../protocol/http/exchange.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'

/** The means of a client for the metadata of its server: how it authenticates and asks, and what its requests show. */
export interface Equipment {
  readonly options: Partial<FlowOptions> & Pick<FlowOptions, 'auth'>
  readonly extras: ClientExtras
}

/** Chooses the means of a client by the metadata of its server. */
export type Equip = (metadata: AuthorizationServerMetadata) => Promise<Equipment>

/** The way from the client to its server: with its proofs and assertions. */
export function sentAs({ send, layers }: Pick<NetworkPorts, 'send' | 'layers'>): Send {
  return outgoing(send, layers).client
}
