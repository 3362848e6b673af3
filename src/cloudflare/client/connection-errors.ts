import { isForeignCertificate, isUnreachable, ProxyError } from '../../client/transport-errors.js'
import { TransportError } from '../../errors.js'
import type { ApiAccess } from './access.js'

/** The next move after a failure of the network on the way to the API. */
function hints(code: string, { via }: ApiAccess): string[] {
  if (isUnreachable(code)) {
    return [`The address is from ${via}.`, 'A DNS API of this machine:   oauth-lab serve']
  }
  if (isForeignCertificate(code)) return ['Trust the CA that signed it:   --cacert FILE']
  return [`The address is from ${via}.`]
}

/** A failure of the network with hints for the API; other errors unchanged. */
export function connectionError(error: unknown, access: ApiAccess): unknown {
  if (!(error instanceof TransportError) || error instanceof ProxyError) return error
  return new TransportError(error.message, error.code, hints(error.code, access), { cause: error.cause })
}
