import { TransportError } from '../protocol/errors.js'

/** Error codes of Node for a certificate chain whose authority is not trusted. */
const foreignCertificate = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'INVALID_CA',
])

const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
])

const cutOff = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE'])

const LAB_IS_LOCAL = 'The lab needs none:   oauth-lab flow code --client demo'

/** True when the authority that signed the certificate is not trusted. */
export function isForeignCertificate(code: string): boolean {
  return foreignCertificate.has(code)
}

/** True when no connection was made: the name is unknown, or no program listens. */
export function isUnreachable(code: string): boolean {
  return unreachable.has(code)
}

/** Returns hints on what to do after a network failure with this code. */
export function transportHints(code: string): string[] {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return ['The name could not be looked up: is it spelt right, and is there a network?', LAB_IS_LOCAL]
  }
  if (unreachable.has(code)) {
    return [
      'Is it running, and is this its address and port? The lab’s own server:   oauth-lab serve',
      'A lab for one command alone:   oauth-lab flow code --client demo',
    ]
  }
  if (foreignCertificate.has(code)) {
    return ['Trust it for this run:   oauth-lab flow code --cacert FILE   (the CA that signed it)']
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return ['Use a name that is in the certificate, or serve with:   oauth-lab serve --san NAME']
  }
  if (/^CERT_/.test(code)) return ['Make a new one:   oauth-lab ca renew']
  if (code === 'EADDRINUSE') {
    return ['Leave --redirect-uri out, or give it the port 0, and a free port is chosen.']
  }
  if (code === 'ELISTEN') {
    return ['Leave --redirect-uri out, and an address of this computer with a free port is chosen.']
  }
  return []
}

/** The origin without its scheme, as certificates name hosts. */
function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, '')
}

function sentence(code: string, origin: string, detail: string): string {
  const host = hostOf(origin)
  if (unreachable.has(code)) return `cannot reach ${origin} (${code})`
  if (foreignCertificate.has(code))
    return `the certificate of ${host} is signed by an unknown authority (${code})`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of ${host} is for other names (${code})`
  if (code === 'CERT_HAS_EXPIRED') return `the certificate of ${host} has expired (${code})`
  if (code === 'CERT_NOT_YET_VALID') return `the certificate of ${host} is not valid yet (${code})`
  if (/^CERT_/.test(code)) return `the certificate of ${host} is refused (${code})`
  if (cutOff.has(code)) return `${origin} closed the connection before its answer was complete (${code})`
  if (/^(ERR_SSL_|EPROTO)/.test(code))
    return `${host} does not speak TLS, or no version that this program supports (${code})`
  if (/^HPE_/.test(code)) {
    return `${origin} does not answer in HTTP (${code})`
  }
  return `no answer from ${origin}: ${detail} (${code})`
}

/** The code of an error of Node; the first code inside where the error only wraps others. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return codeOf(error.cause)
}

/** A proxy on the way did not answer, or refused. The hints name the setting that the proxy is from. */
export class ProxyError extends TransportError {
  override name = 'ProxyError'
}

/**
 * A failure of the network in a sentence, with its next move.
 * @param place the server that was to be reached: an origin, or the words for a proxy
 */
export function transportError(error: unknown, place: string): TransportError {
  const code = codeOf(error) ?? 'EUNKNOWN'
  const detail = error instanceof Error ? error.message : String(error)
  return new TransportError(sentence(code, place, detail), code, transportHints(code), { cause: error })
}

/** Gives a network failure the hints of an API that was to be reached. Returns other errors unchanged. */
export function withHints(error: unknown, hintsFor: (code: string) => readonly string[]): unknown {
  if (!(error instanceof TransportError) || error instanceof ProxyError) return error
  return new TransportError(error.message, error.code, hintsFor(error.code), { cause: error.cause })
}
