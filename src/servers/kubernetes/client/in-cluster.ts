import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClusterAccess } from './access.js'
import { bearerCredential } from './kubeconfig/credential.js'

/** The folder where the kubelet mounts the files that a pod needs for its cluster. */
const IN_CLUSTER_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount'

/**
 * Returns the access to the cluster that this process runs in, from the environment and the mounted files.
 * @returns undefined outside of a cluster
 * @throws UsageError when the token is not a bearer token
 */
export async function inClusterAccess(
  env: Readonly<Record<string, string | undefined>>,
  folder = IN_CLUSTER_FOLDER,
): Promise<ClusterAccess | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env
  if (!host) return undefined
  const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => undefined)
  const [token, caPem, namespace] = await Promise.all([read('token'), read('ca.crt'), read('namespace')])
  if (token === undefined) return undefined
  const ca = join(folder, 'ca.crt')
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  return {
    server,
    via: `the files of this pod in ${folder}`,
    ...(namespace && { namespace: namespace.trim() }),
    ...(caPem !== undefined && { caPem, pinned: true }),
    credential: bearerCredential(token, join(folder, 'token')),
    kubectl: [
      ...['--server', server],
      ...(caPem === undefined ? [] : ['--certificate-authority', ca]),
      ...['--token', { shell: `"$(cat ${join(folder, 'token')})"` }],
    ],
  }
}
