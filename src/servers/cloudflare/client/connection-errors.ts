import { isForeignCertificate, isUnreachable, ProxyError } from '../../../client/transport-errors.js'
import { TransportError } from '../../../protocol/errors.js'
import type { ApiAccess } from './access.js'

/** Returns the next move after a network failure on the way to the API. */
function hints(code: string, { via }: ApiAccess): string[] {
  if (isUnreachable(code)) {
    return [`The address is from ${via}.`, 'A DNS API of this machine:   oauth-lab serve']
  }
  if (isForeignCertificate(code)) return ['Trust the CA that signed it:   --cacert FILE']
  return [`The address is from ${via}.`]
}

/** Adds hints for the API to a network failure. Returns other errors unchanged. */
export function connectionError(error: unknown, access: ApiAccess): unknown {
  if (!(error instanceof TransportError) || error instanceof ProxyError) return error
  return new TransportError(error.message, error.code, hints(error.code, access), { cause: error.cause })
}
