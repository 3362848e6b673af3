import { type BoundCredential, originsOf } from '../../../client/bound-credentials.js'
import { createTransport, type Transport, type TransportOptions } from '../../../client/transport.js'
import { isForeignCertificate, isUnreachable, withHints } from '../../../client/transport-errors.js'
import type { ClusterAccess } from './access.js'

/** The largest answer that is read, in body bytes. A list of all accounts of a large cluster fits. */
const MAX_ANSWER = 16 * 1024 * 1024

/** Returns the transport to one cluster. The hints in its errors name the kubeconfig or option that led to the cluster. */
export function createConnection(
  access: ClusterAccess,
  limits: Pick<TransportOptions, 'timeoutMs' | 'now' | 'env'>,
): Transport {
  const { caPem, pinned, insecure, serverName, proxyUrl, credential, via } = access
  const { send, close } = createTransport({
    ...limits,
    caPem,
    pinned,
    insecure,
    serverName,
    certificate: credential.kind === 'certificate' ? credential : undefined,
    proxy: proxyUrl === undefined ? undefined : { url: proxyUrl, from: `proxy-url of ${via}` },
    maxBody: MAX_ANSWER,
    credentials: boundTo(access),
  })
  return {
    async send(request, options) {
      try {
        return await send(request, options)
      } catch (error) {
        throw withHints(error, code => hints(code, access))
      }
    },
    close,
  }
}

/** The credential of a cluster, for its API server alone. */
function boundTo({ server, credential }: ClusterAccess): BoundCredential[] {
  const origins = originsOf([server])
  if (credential.kind === 'bearer')
    return [{ what: `the token of ${credential.from}`, value: credential.token, origins }]
  if (credential.kind === 'basic')
    return [{ what: `the password of ${credential.from}`, value: credential.password, origins }]
  return []
}

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
