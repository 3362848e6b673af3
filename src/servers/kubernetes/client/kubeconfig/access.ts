import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { UsageError } from '../../../../protocol/errors.js'
import { baseUrl, parsedUrl, quotedUrl } from '../../../../protocol/http/address.js'
import { withoutEnd } from '../../../../protocol/values.js'
import type { ClusterAccess, KubectlWord } from '../access.js'
import { isPemCertificate } from '../certificate-dates.js'
import { credentialOf } from './credential.js'
import type { CredentialPorts } from './credential-ports.js'
import type { ChosenContext, ClusterEntry, Entry, Kubeconfig } from './shape.js'

const list = (names: Iterable<string>): string => [...names].slice(0, 20).join(', ') || 'none'

/**
 * Returns the named context, or the current context.
 * @throws UsageError when the context, its cluster or its user does not exist
 */
export function chooseContext(config: Kubeconfig, wanted: string | undefined): ChosenContext {
  const where = config.files.join(', ')
  const name = wanted ?? config.currentContext
  if (name === undefined) {
    throw new UsageError(`the kubeconfig ${where} has no current-context`, [
      `Name one:   --context NAME   (there are: ${list(config.contexts.keys())})`,
    ])
  }
  const context = config.contexts.get(name)
  if (context === undefined) {
    throw new UsageError(`the kubeconfig ${where} has no context ${JSON.stringify(name)}`, [
      `There are: ${list(config.contexts.keys())}`,
    ])
  }
  const { cluster: clusterName = '', user: userName = '' } = context.value
  const cluster = config.clusters.get(clusterName)
  if (cluster === undefined) {
    throw new UsageError(
      `the context ${name} of ${where} names the cluster ${JSON.stringify(clusterName)}, which is not there`,
    )
  }
  const user = userName === '' ? undefined : config.users.get(userName)
  if (userName !== '' && user === undefined) {
    throw new UsageError(
      `the context ${name} of ${where} names the user ${JSON.stringify(userName)}, who is not there`,
    )
  }
  return { name, context: context.value, cluster, ...(user && { user }) }
}

function serverOf({ value: { server = '' }, file }: Entry<ClusterEntry>): string {
  const url = baseUrl(server)
  if (url !== undefined) return withoutEnd(`${url.origin}${url.pathname}`, '/')
  throw new UsageError(
    `the kubeconfig ${file}: server ${quotedUrl(server)} is not the address of an API server`,
    ['It is http or https, without user, password, query and fragment, such as https://10.0.0.1:6443'],
  )
}

/** Returns the proxy of a cluster. kubectl also supports socks5; this program does not. */
function proxyOf({ value: { 'proxy-url': proxy }, file }: Entry<ClusterEntry>): { proxyUrl?: string } {
  if (proxy === undefined || proxy === '') return {}
  const url = parsedUrl(proxy)
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`the kubeconfig ${file}: the proxy-url is no http or https address`)
  }
  return { proxyUrl: proxy }
}

async function caOf({ value, file }: Entry<ClusterEntry>): Promise<{ caPem?: string; pinned?: true }> {
  const { 'certificate-authority-data': data, 'certificate-authority': path } = value
  if (value['insecure-skip-tls-verify'] && (data || path)) {
    throw new UsageError(
      `the kubeconfig ${file} names a certificate authority and insecure-skip-tls-verify: one has to go`,
    )
  }
  if (data) {
    const caPem = Buffer.from(data, 'base64').toString('utf8')
    if (isPemCertificate(caPem)) return { caPem, pinned: true }
    throw new UsageError(
      `the kubeconfig ${file}: certificate-authority-data holds no PEM certificate in base64`,
    )
  }
  if (!path) return {}
  const full = resolve(dirname(file), path)
  const caPem = await readFile(full, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`the kubeconfig ${file}: cannot read certificate-authority ${full} (${error.code})`)
  })
  if (isPemCertificate(caPem)) return { caPem, pinned: true }
  throw new UsageError(`the kubeconfig ${file}: certificate-authority ${full} holds no PEM certificate`)
}

/**
 * Returns the access that a context of a kubeconfig describes. Reads the files that the context names, and runs its credential plugin.
 * @param options.kubeconfigOption the file as typed, for kubectl commands
 * @throws UsageError; TimeoutError when the plugin takes too long
 */
export async function accessOf(
  chosen: ChosenContext,
  ports: CredentialPorts,
  options: { readonly kubeconfigOption?: string | undefined; readonly contextOption?: string | undefined },
): Promise<ClusterAccess> {
  const { name, context, cluster, user } = chosen
  const { namespace } = context
  const { kubeconfigOption, contextOption } = options
  const kubectl: KubectlWord[] = [
    ...(kubeconfigOption === undefined ? [] : ['--kubeconfig', kubeconfigOption]),
    ...(contextOption === undefined ? [] : ['--context', contextOption]),
  ]
  const serverName = cluster.value['tls-server-name']
  const base = {
    server: serverOf(cluster),
    via: `the context ${name} of ${cluster.file}`,
    ...(namespace && { namespace }),
    ...(await caOf(cluster)),
    ...(cluster.value['insecure-skip-tls-verify'] && { insecure: true }),
    ...(serverName && { serverName }),
    ...proxyOf(cluster),
    kubectl,
  }
  const credential =
    user === undefined
      ? ({ kind: 'none' } as const)
      : await credentialOf(user, { ...chosen, user }, { ...base, ...ports })
  return { ...base, credential }
}
