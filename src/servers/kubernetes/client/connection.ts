import { createTransport, type Transport, type TransportOptions } from '../../../client/transport.js'
import type { ClusterAccess } from './access.js'
import { connectionError } from './connection-errors.js'

/** The largest answer that is read, in body bytes. A list of all accounts of a large cluster fits. */
const MAX_ANSWER = 16 * 1024 * 1024

/** The limits of a connection. */
export type ConnectionLimits = Pick<TransportOptions, 'timeoutMs' | 'now' | 'env'>

/** Returns the transport to one cluster. The hints in its errors name the kubeconfig or option that led to the cluster. */
export function createConnection(access: ClusterAccess, limits: ConnectionLimits): Transport {
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
  })
  return {
    async send(request, options) {
      try {
        return await send(request, options)
      } catch (error) {
        throw connectionError(error, access)
      }
    },
    close,
  }
}
