import { codeOf, transportError } from '../../client/transport-errors.js'
import { TransportError } from '../../errors.js'
import type { ClusterAccess } from './access.js'

/** The next move after a failure of the network on the way to a cluster. */
function hints(code: string, { via, credential, proxyUrl }: ClusterAccess): string[] {
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|EHOSTDOWN|EADDRNOTAVAIL)$/.test(code)) {
    const through = proxyUrl === undefined ? '' : ` through the proxy ${new URL(proxyUrl).host}`
    return [`The address is from ${via}${through}.`, 'A cluster of this machine:   oauth-lab serve']
  }
  if (/SELF_SIGNED|UNABLE_TO|CERT_(SIGNATURE|UNTRUSTED)|INVALID_CA/.test(code)) {
    return [
      `Trusted was only what ${via} names: is it of another cluster, or was the cluster made anew?`,
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

/** A failure of the network on the way to a cluster, in words, with its next move. */
export function connectionError(error: unknown, access: ClusterAccess): TransportError {
  const { message, code } = transportError(error, new URL(access.server).origin)
  return new TransportError(message, codeOf(error) ?? code, hints(code, access), { cause: error })
}
