import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import {
  type ClientExtras,
  type ClientMiddleware,
  clientMiddleware,
} from '../middleware/client-middleware.js'
import type { Middleware } from '../middleware/middleware.js'
import type { FlowPorts } from '../ports.js'
import type { FlowRecord } from '../step.js'

/** The middleware of a client that learns its server, and its own name, on the way. */
export interface LateClient extends ClientMiddleware {
  become(metadata: AuthorizationServerMetadata, extras: ClientExtras): void
}

async function* only(record: FlowRecord): AsyncGenerator<FlowRecord> {
  yield record
}

/** Changes nothing until `become` is called. */
export function lateClient(ports: Pick<FlowPorts, 'now' | 'random'>): LateClient {
  let current: ClientMiddleware | undefined
  const layer: Middleware = next => (request, options) => {
    const layers = current?.layers ?? []
    return layers.reduceRight((send, wrap) => wrap(send), next)(request, options)
  }
  return {
    layers: [layer],
    become(metadata, extras) {
      current = clientMiddleware(metadata, extras, ports)
    },
    async *annotate(records) {
      for await (const record of records) yield* current?.annotate(only(record)) ?? [record]
    },
  }
}
