import { header } from '../../protocol/http/message.js'
import { defined } from '../../protocol/values.js'
import { FetchFailure } from '../../servers/authorization-server/client-documents/fetch-failure.js'
import type { DocumentKind, FetchDocument } from '../../servers/authorization-server/settings.js'
import { type ClientNetwork, strangerAddresses } from './client-addresses.js'
import { createClientSender, type SenderLimits, type SendToClient } from './client-sender.js'

/** Longest document, in bytes. */
const MAX_DOCUMENT = 64 * 1024

/** Longest client ID metadata document, in bytes (draft-ietf-oauth-client-id-metadata-document-02 §8.7). */
const MAX_METADATA = 5 * 1024

/** The surroundings of a lab that fetches documents of clients. */
export interface DocumentNetwork extends ClientNetwork {
  /** Hosts that clients which introduce themselves may have at addresses of private networks. Absent: none. */
  readonly allowed?: readonly string[] | undefined
}

/**
 * Creates the function that fetches documents of clients, over https with a checked certificate and without redirects. Each
 * kind of document has its own queue, so that strangers with slow servers hold up no client of the lab file.
 */
export function createClientDocuments(network: DocumentNetwork): FetchDocument {
  const addresses = strangerAddresses(network.allowed ?? [], network.hosts)
  const limits: SenderLimits = { maxBody: MAX_DOCUMENT, atOnce: 4, waiting: 40 }
  const senders: Readonly<Record<DocumentKind, SendToClient>> = {
    registered: createClientSender(network, limits),
    introduced: createClientSender(network, { ...limits, addresses }),
    metadata: createClientSender(network, { ...limits, addresses, maxBody: MAX_METADATA, atOnce: 8 }),
  }

  return async (url, accept, kind = 'registered') => {
    const request = { method: 'GET', url, headers: [['accept', accept]], body: new Uint8Array() } as const
    const { status, headers, body } = await senders[kind](request)
    if (status >= 300 && status < 400) {
      throw new FetchFailure('status', `it answered ${status}; redirects are not followed`)
    }
    if (status !== 200) throw new FetchFailure('status', `it answered ${status}`)
    return defined({ body, contentType: header({ headers }, 'content-type'), headers })
  }
}
