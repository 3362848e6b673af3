import type { TokenRequest } from '../../kubernetes/shapes.js'

const NEWEST = 'client.authentication.k8s.io/v1'

/** The version that the caller of a credential plugin wants; the newest where nobody says. */
function wantedVersion(env: Readonly<Record<string, string | undefined>>): string {
  try {
    const info = JSON.parse(env.KUBERNETES_EXEC_INFO ?? '') as { apiVersion?: unknown } | null
    const version = info?.apiVersion
    return typeof version === 'string' && /^client\.authentication\.k8s\.io\/v1(beta1)?$/.test(version)
      ? version
      : NEWEST
  } catch {
    return NEWEST
  }
}

/** A token as kubectl wants it from a credential plugin. */
export function execCredential(
  status: TokenRequest['status'],
  env: Readonly<Record<string, string | undefined>>,
): object {
  return {
    kind: 'ExecCredential',
    apiVersion: wantedVersion(env),
    spec: { interactive: false },
    status: { expirationTimestamp: status?.expirationTimestamp, token: status?.token },
  }
}
