import { header } from '../../protocol/http/message.js'
import { defined } from '../../protocol/values.js'
import { FetchFailure } from '../../servers/authorization-server/client-documents/fetch-failure.js'
import type { DocumentKind, FetchDocument } from '../../servers/authorization-server/settings.js'
import { type ClientNetwork, strangerAddresses } from './client-addresses.js'
import { createClientSender, type SenderLimits, type SendToClient } from './client-sender.js'

/** Bytes. */
const MAX_DOCUMENT = 64 * 1024

/** Bytes (draft-ietf-oauth-client-id-metadata-document-02 §8.7). */
const MAX_METADATA = 5 * 1024

export interface DocumentNetwork extends ClientNetwork {
  /** Private hosts of clients that introduce themselves. */
  readonly allowed?: readonly string[] | undefined
}

/** Fetches over https without redirects. Each kind of document has its own queue, so that slow strangers hold up nobody. */
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
