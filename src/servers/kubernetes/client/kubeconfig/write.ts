import { defined } from '../../../../protocol/values.js'
import type { ClusterAccess } from '../access.js'

type User = Readonly<Record<string, unknown>>

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64')

/** Returns the credential of an access in the form of a kubeconfig. */
export function userOf({ credential }: ClusterAccess): User {
  switch (credential.kind) {
    case 'bearer':
      return { token: credential.token }
    case 'certificate':
      return { 'client-certificate-data': base64(credential.cert), 'client-key-data': base64(credential.key) }
    case 'basic':
      return { username: credential.username, password: credential.password }
    default:
      return {}
  }
}

/** Returns a user whose credential plugin is this program, with these arguments. */
export function execUser(command: string, args: readonly string[], home: string): User {
  return {
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command,
      args,
      env: [{ name: 'OAUTH_LAB_HOME', value: home }],
      interactiveMode: 'Never',
      provideClusterInfo: false,
    },
  }
}

/** Returns a user who logged in at an issuer. kubectl renews the ID token by the refresh token. */
export function oidcUser(login: {
  readonly issuer: string
  readonly clientId: string
  readonly idToken: string
  readonly refreshToken?: string
  readonly caPem?: string | undefined
}): User {
  const config = {
    'idp-issuer-url': login.issuer,
    'idp-certificate-authority-data': login.caPem === undefined ? undefined : base64(login.caPem),
    'client-id': login.clientId,
    'id-token': login.idToken,
    'refresh-token': login.refreshToken,
  }
  return { 'auth-provider': { name: 'oidc', config: defined(config) } }
}

/** Returns the cluster of an access in the form of a kubeconfig. Members without a value are left out. */
export const clusterOf = ({
  server,
  caPem,
  insecure,
  serverName,
  proxyUrl,
}: Omit<ClusterAccess, 'credential'>) =>
  defined({
    server,
    'certificate-authority-data': caPem === undefined ? undefined : base64(caPem),
    'insecure-skip-tls-verify': insecure || undefined,
    'tls-server-name': serverName,
    'proxy-url': proxyUrl,
  })

/** Returns a kubeconfig with one cluster, one user and one context. */
export function kubeconfigOf(access: ClusterAccess, namespace: string, name: string, user: User): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'oauth-lab', cluster: clusterOf(access) }],
    users: [{ name, user }],
    contexts: [{ name: 'oauth-lab', context: { cluster: 'oauth-lab', user: name, namespace } }],
    'current-context': 'oauth-lab',
  }
}
