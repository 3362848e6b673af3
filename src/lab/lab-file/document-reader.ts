import { createTransport } from '../../client/transport.js'
import { isForeignCertificate } from '../../client/transport-errors.js'
import { TransportError } from '../../protocol/errors.js'
import { encodeForm } from '../../protocol/http/form.js'
import { bytes, type Header, type HttpRequest } from '../../protocol/http/message.js'
import { parsedJson } from '../../protocol/values.js'
import type { FetchJson, FetchJsonOptions, PostForm } from '../../servers/resource-server/settings.js'
import type { RequestTrace } from '../listening/request-trace.js'

/** Bytes. Metadata and keys have some kilobytes. */
const MAX_BYTES = 256 * 1024

export interface DocumentReader {
  readonly fetchJson: FetchJson
  readonly postForm: PostForm
  /** Ends the requests under way. */
  close(): void
}

/**
 * Reads metadata and keys of an authorization server, for a resource server.
 * @param caPem trusted beside the authorities of Node
 * @param trace names the causing request to the lab; left out for another program
 */
export function createDocumentReader(
  caPem: string | undefined,
  trace?: Pick<RequestTrace, 'headerFor'>,
): DocumentReader {
  const { send, close } = createTransport({ caPem, maxBody: MAX_BYTES })

  async function exchanged(request: HttpRequest, { signal, cause }: FetchJsonOptions) {
    const traced = trace !== undefined && cause !== undefined ? [trace.headerFor(cause)] : []
    try {
      const { response } = await send({ ...request, headers: [...request.headers, ...traced] }, { signal })
      return response
    } catch (error) {
      if (!(error instanceof TransportError) || !isForeignCertificate(error.code)) throw error
      throw new TransportError(`${error.message}; name its CA with --cacert`, error.code)
    }
  }

  return {
    async fetchJson(url, options) {
      // Kubernetes answers 406 to a request that does not accept a JWK Set (RFC 7517 §8.5).
      const headers: Header[] = [['accept', 'application/json, application/jwk-set+json']]
      const response = await exchanged({ method: 'GET', url, headers, body: new Uint8Array() }, options)
      return { status: response?.status ?? 0, body: parsedJson(response?.body ?? '') }
    },
    async postForm(url, form, { headers, ...options }) {
      const response = await exchanged(
        { method: 'POST', url, headers, body: bytes(encodeForm(form)) },
        options,
      )
      return {
        status: response?.status ?? 0,
        headers: response?.headers ?? [],
        body: bytes(response?.body ?? ''),
      }
    },
    close,
  }
}
