import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../../../../protocol/errors.js'
import { baseUrl, parsedUrl, quotedUrl, urlHost } from '../../../../protocol/http/address.js'
import { defined, withoutEnd } from '../../../../protocol/values.js'
import type { ClusterAccess, KubectlWord } from '../access.js'
import {
  bearerCredential,
  type CredentialPorts,
  credentialOf,
  isPemCertificate,
  readNamed,
} from './credential.js'
import { type In, type Kubeconfig, type Value, wrongIn } from './parse.js'

const list = (names: Iterable<string>): string => [...names].slice(0, 20).join(', ') || 'none'

/**
 * Returns the named context with its cluster and its user, or the current context.
 * @throws UsageError when the context, its cluster or its user does not exist
 */
export function chooseContext(config: Kubeconfig, wanted: string | undefined) {
  const where = config.files.join(', ')
  const there = list(config.contexts.keys())
  const name = wanted ?? config.currentContext
  if (name === undefined) {
    throw new UsageError(`the kubeconfig ${where} has no current-context`, [
      `Name one:   --context NAME   (there are: ${there})`,
    ])
  }
  const context = config.contexts.get(name)?.value
  if (context === undefined) {
    const problem = `the kubeconfig ${where} has no context ${JSON.stringify(name)}`
    throw new UsageError(problem, [`There are: ${there}`])
  }
  const names = (what: string, missing: string, gone: string) =>
    new UsageError(`the context ${name} of ${where} names the ${what} ${JSON.stringify(missing)}, ${gone}`)
  const { cluster: clusterName = '', user: userName = '' } = context
  const cluster = config.clusters.get(clusterName)
  if (cluster === undefined) throw names('cluster', clusterName, 'which is not there')
  /** Absent for anonymous requests. */
  const user = userName === '' ? undefined : config.users.get(userName)
  if (userName !== '' && user === undefined) throw names('user', userName, 'who is not there')
  return { name, context, cluster, user }
}

type Whole = ReturnType<typeof chooseContext>

/** A context with its cluster, and its user where that is to send requests. */
type Chosen = Omit<Whole, 'user'> & Partial<Pick<Whole, 'user'>>

function serverOf({ value: { server = '' }, file }: In<Value<'cluster'>>): string {
  const url = baseUrl(server)
  if (url !== undefined) return withoutEnd(`${url.origin}${url.pathname}`, '/')
  throw wrongIn(file, `server ${quotedUrl(server)} is not the address of an API server`, [
    'It is http or https, without user, password, query and fragment, such as https://10.0.0.1:6443',
  ])
}

/** Returns the proxy of a cluster. kubectl also supports socks5; this program does not. */
function proxyOf({ value: { 'proxy-url': proxy }, file }: In<Value<'cluster'>>): { proxyUrl?: string } {
  if (proxy === undefined || proxy === '') return {}
  const url = parsedUrl(proxy)
  if (url !== undefined && /^https?:$/.test(url.protocol)) return { proxyUrl: proxy }
  throw wrongIn(file, 'the proxy-url is no http or https address')
}

async function caOf({ value, file }: In<Value<'cluster'>>): Promise<{ caPem?: string; pinned?: true }> {
  const { 'certificate-authority-data': data, 'certificate-authority': path } = value
  if (!data && !path) return {}
  if (value['insecure-skip-tls-verify']) {
    const problem = 'names a certificate authority and insecure-skip-tls-verify: one has to go'
    throw new UsageError(`the kubeconfig ${file} ${problem}`)
  }
  const caPem = data
    ? Buffer.from(data, 'base64').toString('utf8')
    : await readNamed(path ?? '', file, 'certificate-authority')
  if (isPemCertificate(caPem)) return { caPem, pinned: true }
  throw wrongIn(
    file,
    data
      ? 'certificate-authority-data holds no PEM certificate in base64'
      : `certificate-authority ${resolve(dirname(file), path ?? '')} holds no PEM certificate`,
  )
}

/**
 * Returns the access that a context of a kubeconfig describes. Reads the files that the context names, and runs its credential plugin.
 * @param options.kubeconfigOption the file as typed, for kubectl commands
 * @throws UsageError; TimeoutError when the plugin takes too long
 */
export async function accessOf(
  { name, context, cluster, user }: Chosen,
  ports: CredentialPorts,
  options: { readonly kubeconfigOption?: string | undefined; readonly contextOption?: string | undefined },
): Promise<ClusterAccess> {
  const { namespace, user: userName = '' } = context
  const { kubeconfigOption, contextOption } = options
  const kubectl: KubectlWord[] = [
    ...(kubeconfigOption === undefined ? [] : ['--kubeconfig', kubeconfigOption]),
    ...(contextOption === undefined ? [] : ['--context', contextOption]),
  ]
  const base = defined({
    server: serverOf(cluster),
    via: `the context ${name} of ${cluster.file}`,
    namespace: namespace || undefined,
    ...(await caOf(cluster)),
    insecure: cluster.value['insecure-skip-tls-verify'] || undefined,
    serverName: cluster.value['tls-server-name'] || undefined,
    ...proxyOf(cluster),
    kubectl,
  })
  if (user === undefined) return { ...base, credential: { kind: 'none' } }
  return { ...base, credential: await credentialOf(user, userName, { ...base, ...ports }) }
}

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
  const server = `https://${urlHost(host)}:${port}`
  return {
    server,
    via: `the files of this pod in ${folder}`,
    ...(namespace && { namespace: namespace.trim() }),
    ...(caPem !== undefined && { caPem, pinned: true }),
    credential: bearerCredential(token, join(folder, 'token')),
    kubectl: [
      '--server',
      server,
      ...(caPem === undefined ? [] : ['--certificate-authority', join(folder, 'ca.crt')]),
      '--token',
      { shell: `"$(cat ${join(folder, 'token')})"` },
    ],
  }
}
