import type { Status } from '../shapes.js'
import type { ClusterAccess } from './access.js'
import { ownTokenHints } from './own-token.js'

function caller({ credential, server, via }: ClusterAccess): string {
  if (credential.kind !== 'none' && !server.startsWith('https:'))
    return 'nobody: credentials are not sent over http'
  return credential.kind === 'none'
    ? `nobody: ${via} names no credentials`
    : `the ${credential.kind} of ${credential.from}`
}

/**
 * Returns the next moves after a refusal of the API server. Such a refusal concerns the caller's own credential, rights or request.
 * @param now milliseconds since the epoch
 */
export function refusalHints(status: Status, code: number, access: ClusterAccess, now: number): string[] {
  const { message = '', details } = status
  if (code === 401) {
    const own = ownTokenHints(access, now)
    return [
      `These are your own credentials, ${caller(access)}: expired, of another cluster, or for another audience.`,
      ...(own.length > 0
        ? own
        : ['Take a token apart:   oauth-lab k8s inspect @FILE   (its aud must name the API server)']),
    ]
  }
  if (code === 403) {
    const anonymous = message.includes('system:anonymous')
    if (/cannot get path "\/(openid|\.well-known)/.test(message)) {
      return [
        'Service accounts may read this by the binding system:service-account-issuer-discovery; federation needs it for everybody:',
        'kubectl create clusterrolebinding oidc-reviewer --clusterrole=system:service-account-issuer-discovery --group=system:unauthenticated',
      ]
    }
    return anonymous
      ? [`The cluster knows you as system:anonymous: you came as ${caller(access)}.`]
      : [
          'Who you are there:   oauth-lab k8s whoami',
          'Another administrator can bind the right to you (RBAC).',
        ]
  }
  if (code === 404 && details?.kind === 'serviceaccounts') {
    return ['Those that are there:   oauth-lab k8s accounts list -A']
  }
  if (code === 404 && details?.kind === 'pods') return ['Those that are there:   oauth-lab k8s pods list -A']
  if (code === 404 && details?.kind === 'namespaces') return ['Name another one:   -n NAMESPACE']
  if (code === 409 && /UID in the bound object reference/.test(message)) {
    return ['The object was made again: leave the uid out, or name the new one.']
  }
  if (code === 422 && /expirationSeconds/.test(message))
    return ['Ask for 10m or more, up to about 136 years.']
  return []
}
