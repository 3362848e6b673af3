import type { TokenRequest } from '../shapes.js'

const NEWEST = 'client.authentication.k8s.io/v1'

/** Returns the version that the caller of a credential plugin requests. Returns the newest version when the caller names none. */
function wantedVersion(info: string | undefined): string {
  try {
    const { apiVersion } = JSON.parse(info ?? '') ?? {}
    return /^client\.authentication\.k8s\.io\/v1(beta1)?$/.test(apiVersion) ? apiVersion : NEWEST
  } catch {
    return NEWEST
  }
}

/**
 * Returns a token in the form that kubectl expects from a credential plugin.
 * @param info the value of KUBERNETES_EXEC_INFO
 */
export function execCredential(status: TokenRequest['status'], info: string | undefined): object {
  return {
    kind: 'ExecCredential',
    apiVersion: wantedVersion(info),
    spec: { interactive: false },
    status: { expirationTimestamp: status?.expirationTimestamp, token: status?.token },
  }
}
