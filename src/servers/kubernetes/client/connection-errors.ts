import { isForeignCertificate, isUnreachable, ProxyError } from '../../../client/transport-errors.js'
import { TransportError } from '../../../protocol/errors.js'
import type { ClusterAccess } from './access.js'

/** Returns the next move after a network failure on the way to a cluster. */
function hints(code: string, { via, credential }: ClusterAccess): string[] {
  if (isUnreachable(code)) {
    return [`The address is from ${via}.`, 'A cluster of this machine:   oauth-lab serve']
  }
  if (isForeignCertificate(code)) {
    return [
      `Only the authorities that ${via} names were trusted. Does the file belong to another cluster, or was the cluster made again?`,
      'Trust another CA:   --cacert FILE',
    ]
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return ['A kubeconfig names the right one with tls-server-name.']
  }
  if (/ALERT/.test(code) && credential.kind === 'certificate') {
    return [`The server refused the client certificate of ${credential.from}.`]
  }
  return []
}

/** Adds hints for a cluster to a network failure. Returns other errors unchanged. */
export function connectionError(error: unknown, access: ClusterAccess): unknown {
  if (!(error instanceof TransportError) || error instanceof ProxyError) return error
  return new TransportError(error.message, error.code, hints(error.code, access), { cause: error.cause })
}
