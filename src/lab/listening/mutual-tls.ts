import { splitUrl } from '../../protocol/http/message.js'
import type { Site } from '../../protocol/http/site.js'
import { usesCertificates } from '../../protocol/oauth/client.js'
import { MTLS_PATHS } from '../../servers/authorization-server/endpoints/mutual-tls.js'
import type { LabOptions } from '../model.js'
import { LISTENERS } from './listeners.js'

/** The port of the listener for client certificates, which a client that uses them opens too. Undefined: it stays closed. */
export function mutualTlsPort({ ports, config }: Pick<LabOptions, 'ports' | 'config'>): number | undefined {
  const { clients, profile, stage } = config
  // The reference behaviour and the first stage have no endpoint that reads certificates.
  const reads = profile !== 'reference' && stage !== 'login-only'
  if (ports.mtls !== undefined || !reads || !clients.some(usesCertificates)) return ports.mtls
  return ports.authorization === 0 ? 0 : LISTENERS.mtls.port
}

/**
 * The site behind the listener that asks for client certificates: the endpoints of the authorization server that clients
 * call (RFC 8705 §5), and a resource server for everything else.
 */
export function createMutualTlsSite(authorization: Site, resource: Site): Site {
  const paths = new Set<string>(Object.values(MTLS_PATHS))
  return {
    name: 'mtls',
    handle: (request, context) =>
      (paths.has(splitUrl(request.url).path) ? authorization : resource).handle(request, context),
  }
}
