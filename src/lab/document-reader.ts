import { createTransport } from '../client/transport.js'
import { isForeignCertificate } from '../client/transport-errors.js'
import { TransportError } from '../errors.js'
import type { Header } from '../http/message.js'
import type { FetchJson } from '../resource-server/settings.js'
import type { RequestTrace } from './request-trace.js'

/** Longest document in bytes. Metadata and keys have some kilobytes. */
const MAX_BYTES = 256 * 1024

/** Reads the published documents of an authorization server. */
export interface DocumentReader {
  readonly fetchJson: FetchJson
  /** Ends the requests under way. */
  close(): void
}

/** The JSON of a body of any content type; undefined for other text. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/**
 * Creates the reader with which a resource server fetches the metadata and keys of its authorization server.
 * @param caPem certificate authorities to trust, PEM, beside those that Node trusts
 * @param trace names the causing request to the authorization server; left out: that is another program
 */
export function createDocumentReader(
  caPem: string | undefined,
  trace?: Pick<RequestTrace, 'headerFor'>,
): DocumentReader {
  const { send, close } = createTransport({ caPem, maxBody: MAX_BYTES })
  return {
    async fetchJson(url, { signal, cause }) {
      // Kubernetes answers 406 to a request that does not accept a JWK Set (RFC 7517 §8.5).
      const headers: Header[] = [['accept', 'application/json, application/jwk-set+json']]
      if (trace !== undefined && cause !== undefined) headers.push(trace.headerFor(cause))
      try {
        const { response } = await send({ method: 'GET', url, headers, body: new Uint8Array() }, { signal })
        return { status: response?.status ?? 0, body: parsed(response?.body ?? '') }
      } catch (error) {
        if (!(error instanceof TransportError) || !isForeignCertificate(error.code)) throw error
        throw new TransportError(`${error.message}; name its CA with --cacert`, error.code)
      }
    },
    close,
  }
}
