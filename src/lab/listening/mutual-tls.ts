import { splitUrl } from '../../protocol/http/message.js'
import type { Site } from '../../protocol/http/site.js'
import { usesCertificates } from '../../protocol/oauth/client.js'
import { MTLS_PATHS } from '../../servers/authorization-server/endpoints/mutual-tls.js'
import type { LabOptions } from '../model.js'
import { LISTENERS } from './listeners.js'

/** Clients with certificates open the port too. Undefined: closed. */
export function mutualTlsPort({ ports, config }: Pick<LabOptions, 'ports' | 'config'>): number | undefined {
  const { clients, profile, stage } = config
  // The reference and the first stage read no certificates.
  const reads = profile !== 'reference' && stage !== 'login-only'
  if (ports.mtls !== undefined || !reads || !clients.some(usesCertificates)) return ports.mtls
  return ports.authorization === 0 ? 0 : LISTENERS.mtls.port
}

/** The called endpoints of the authorization server (RFC 8705 §5), and a resource server for everything else. */
export function createMutualTlsSite(authorization: Site, resource: Site): Site {
  const paths = new Set<string>(Object.values(MTLS_PATHS))
  return {
    name: 'mtls',
    handle: (request, context) =>
      (paths.has(splitUrl(request.url).path) ? authorization : resource).handle(request, context),
  }
}
