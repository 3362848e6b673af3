import type { EventBus } from '../../protocol/events.js'
import { publishedJson } from '../../protocol/http/message.js'
import { createRouter } from '../../protocol/http/site.js'
import { defined } from '../../protocol/values.js'
import type { Certificates } from '../certificates/certificates.js'
import { openMounts } from '../listening/mounts.js'

export interface DocumentServerOptions {
  /** The state folder, for certificates. */
  readonly home: string
  /** Absent: this machine only. */
  readonly host?: string | undefined
  /** 0 picks a free one. */
  readonly port: number
  readonly path: string
  /** Returns the document for its address. */
  readonly document: (url: string) => object
}

export interface RunningDocumentServer {
  readonly url: string
  readonly certificates: Certificates
  readonly events: EventBus
  /** Finishes the requests in flight, 5 s at most. */
  stop(): Promise<void>
}

/** Serves a document with a certificate of the lab. @throws UsageError, or TransportError for a busy port */
export async function startDocumentServer(options: DocumentServerOptions): Promise<RunningDocumentServer> {
  const { home, host, port, path, document } = options
  const mounts = await openMounts(defined({ home, command: 'client-document', host }))
  const site = (baseUrl: string) => {
    const route = { path, methods: { GET: publishedJson(document(baseUrl + path)) } }
    return { name: 'document', handle: createRouter([route]) }
  }
  try {
    const { baseUrl } = await mounts.mount({ port, portOption: '--port', bodyLimit: 0, site })
    const { certificates, events, stop } = mounts
    return { url: baseUrl + path, certificates, events, stop }
  } catch (error) {
    await mounts.stop()
    throw error
  }
}
