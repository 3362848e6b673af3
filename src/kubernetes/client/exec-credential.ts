import type { TokenRequest } from '../shapes.js'

const NEWEST = 'client.authentication.k8s.io/v1'

/** The version that the caller of a credential plugin asks for; the newest when it does not say. */
function wantedVersion(info: string | undefined): string {
  try {
    const { apiVersion } = JSON.parse(info ?? '') ?? {}
    return /^client\.authentication\.k8s\.io\/v1(beta1)?$/.test(apiVersion) ? apiVersion : NEWEST
  } catch {
    return NEWEST
  }
}

/**
 * A token in the form that kubectl expects from a credential plugin.
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
