import http from 'node:http'
import https from 'node:https'
import { rootCertificates } from 'node:tls'
import type { FetchJson } from '../resource-server/settings.js'

/** Longest document. Metadata and keys have some kilobytes. */
const MAX_BYTES = 256 * 1024

/** What to trust. */
export interface FetchJsonOptions {
  /** PEM. */
  readonly caPem?: string | undefined
  /** Whether the well-known roots are trusted too. */
  readonly roots: boolean
  /** Ends every question under way. */
  readonly ended?: AbortSignal
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ECONNRESET: 'the connection was cut',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is by nobody who is trusted here; name its CA with --cacert',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is by nobody who is trusted here; name its CA with --cacert',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate signs itself; name it with --cacert',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

/** What stood in the way, in words where there are some. */
function inWords(error: unknown): Error {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: readonly unknown[] }
  // One error for each address of the host.
  const found = code ?? (errors?.[0] as NodeJS.ErrnoException | undefined)?.code
  if (found === undefined) return new Error(message || 'no answer')
  const reason = reasons[found]
  return new Error(reason === undefined ? found : `${reason} (${found})`)
}

/** The JSON of a body, whatever its content type says; undefined where it is none. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * The way of a resource server to its authority: GETs a document in JSON. Every question has a connection of its
 * own, no redirect is followed, and an answer that is too long is none.
 */
export function createFetchJson({ caPem, roots, ended }: FetchJsonOptions): FetchJson {
  const ca = [...(roots ? rootCertificates : []), ...(caPem === undefined ? [] : [caPem])]
  return (url, { signal }) =>
    new Promise((resolve, reject) => {
      const fail = (error: unknown) => reject(inWords(error))
      const request = (url.startsWith('http:') ? http : https).get(url, {
        ...{ ca, agent: false, maxHeaderSize: 16 * 1024 },
        // Kubernetes answers 406 to who takes no JWK Set (RFC 7517 §8.5).
        headers: { accept: 'application/json, application/jwk-set+json' },
        signal: ended ? AbortSignal.any([signal, ended]) : signal,
      })
      request.on('error', fail)
      request.once('response', response => {
        const chunks: Buffer[] = []
        let length = 0
        response.on('data', (chunk: Buffer) => {
          length += chunk.length
          chunks.push(chunk)
          if (length <= MAX_BYTES) return
          fail(new Error(`the answer is longer than ${MAX_BYTES} bytes`))
          request.destroy()
        })
        response.on('error', fail)
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, body: parsed(Buffer.concat(chunks)) }),
        )
      })
    })
}
