import { resolve } from 'node:path'
import type { LabConfig } from '../../lab/lab-file/config.js'
import { UsageError } from '../../protocol/errors.js'
import { baseUrl, isUrl, quotedUrl } from '../../protocol/http/address.js'
import type { Exchange, Send } from '../../protocol/http/exchange.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import { defined, withoutEnd } from '../../protocol/values.js'
import type { ClusterAccess, Credential } from '../../servers/kubernetes/client/access.js'
import { createConnection } from '../../servers/kubernetes/client/connection.js'
import { type ApiRequest, type AskCluster, askCluster } from '../../servers/kubernetes/client/requests.js'
import { type Published, readPublished } from '../../servers/kubernetes/client/verify-token.js'
import { EMBEDDED_ISSUER } from '../../servers/kubernetes/emulator/settings.js'
import { readFileOrStdin } from '../input/input.js'
import { type LabOptions, type LabUse, labTarget, neighbour } from './lab.js'
import { outside, readCa, type Target, targetFrom, trustedPem } from './target.js'

/** A Kubernetes cluster: the lab's or a real one. */
export interface ClusterTarget extends Target {
  readonly access: ClusterAccess
  /** `-n`, else the namespace of the context, else `default`. */
  readonly namespace: string
  readonly ask: AskCluster
  readonly send: Send
  /** True when the cluster ends with this run. */
  readonly embedded: boolean
}

/** The callbacks of a run that uses a cluster. */
interface ClusterUse {
  /** Reports in one line that a lab was started, and warnings. */
  readonly narrate: (line: string) => void
  readonly quiet?: LabUse['quiet']
  readonly signal?: AbortSignal | undefined
  /** Called with each exchange, refused ones included. */
  readonly seen?: ((exchange: Exchange, request: ApiRequest, access: ClusterAccess) => void) | undefined
}

/** Checks a name or a namespace (RFC 1123). @throws UsageError */
export function checkName(what: string, name: string): void {
  if (/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(name)) return
  throw new UsageError(`${what} ${JSON.stringify(name)} is no name in a cluster`, [
    'Names have lower-case letters, digits, - and .',
  ])
}

/**
 * Finds the cluster of a run.
 * @throws UsageError; TimeoutError for a credential plugin that takes too long
 */
export async function clusterTarget(
  options: ClusterOptions & { readonly namespace?: string | undefined },
  { narrate, quiet, signal, seen }: ClusterUse,
): Promise<ClusterTarget> {
  if (options.namespace !== undefined) checkName('the namespace', options.namespace)
  return targetFrom(findCluster(options, { narrate, quiet }), found => {
    const { access, now, stop } = found
    if (access.insecure) narrate(`warning: the certificate of ${access.server} is not checked`)
    const connection = createConnection(access, { timeoutMs: options.timeoutMs, now })
    const ask = askCluster(access, connection.send, {
      signal,
      seen: seen && ((exchange, request) => seen(exchange, request, access)),
    })
    return {
      ...found,
      namespace: options.namespace ?? access.namespace ?? 'default',
      ask,
      send: connection.send,
      async stop() {
        connection.close()
        await stop()
      },
    }
  })
}

/** Reads the public documents of an issuer, without credentials. The well-known roots, `--cacert` and the CA of the lab are trusted. */
export async function publishedAt(
  issuer: string,
  options: Pick<ClusterOptions, 'cacert' | 'home' | 'timeoutMs'>,
): Promise<Published> {
  const caPem = await trustedPem(options, issuer)
  const server = isUrl(issuer) ? new URL(issuer).origin : issuer
  const access = {
    server,
    via: 'the issuer of the token',
    credential: { kind: 'none' } as const,
    kubectl: [],
  }
  const connection = createConnection(caPem === undefined ? access : { ...access, caPem }, {
    timeoutMs: options.timeoutMs,
  })
  try {
    return await readPublished(issuer, connection.send)
  } finally {
    connection.close()
  }
}

/** The options that name a cluster, and the caller's own token. */
export interface ClusterOptions extends LabOptions {
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
  readonly cluster?: string | undefined
  readonly bearerFile?: string | undefined
  readonly timeoutMs: number
}

/** A cluster and the access to it, before the connection is made. */
interface FoundCluster extends Target {
  readonly access: ClusterAccess
  /** True when the cluster ends with this run. */
  readonly embedded: boolean
}

type Narrate = LabUse['narrate']

type ClusterLabUse = Pick<LabUse, 'narrate' | 'quiet'>

const remote = (access: ClusterAccess): FoundCluster => ({
  ...outside,
  address: access.server,
  access,
  embedded: false,
})

/** Reads the token of `--bearer-file`. */
async function ownBearer({ bearerFile }: ClusterOptions): Promise<Credential | undefined> {
  if (bearerFile === undefined) return undefined
  const { bearerCredential } = await import('../../servers/kubernetes/client/kubeconfig/credential.js')
  const text = await readFileOrStdin('your own token', bearerFile)
  return bearerCredential(text, bearerFile === '-' ? 'stdin' : bearerFile)
}

/** @throws UsageError */
function clusterUrl(text: string): string {
  if (baseUrl(text)) return withoutEnd(text, '/')
  throw new UsageError(`--cluster ${quotedUrl(text)} is not the address of an API server`, [
    'It looks like https://10.0.0.1:6443',
  ])
}

async function namedCluster(options: ClusterOptions, cluster: string, narrate: Narrate) {
  const { cacert, bearerFile } = options
  const server = clusterUrl(cluster)
  const caPem = await trustedPem(options, server)
  const credential = (await ownBearer(options)) ?? { kind: 'none' }
  if (server.startsWith('http:') && credential.kind !== 'none') {
    narrate('warning: this is plain http, so your token is not sent')
  }
  const token =
    bearerFile === undefined || bearerFile === '-'
      ? []
      : ['--token', { shell: `"$(cat ${JSON.stringify(bearerFile)})"` }]
  const ca = cacert === undefined ? [] : ['--certificate-authority', cacert]
  const kubectl = ['--server', server, ...ca, ...token]
  const access = { server, via: '--cluster', credential, kubectl }
  return remote(caPem === undefined ? access : { ...access, caPem })
}

async function kubeconfigCluster(options: ClusterOptions) {
  const { loadKubeconfig } = await import('../../servers/kubernetes/client/kubeconfig/parse.js')
  const { accessOf, chooseContext } = await import('../../servers/kubernetes/client/kubeconfig/access.js')
  const { kubeconfig, context, timeoutMs, cacert } = options
  const config = await loadKubeconfig({ env: process.env, file: kubeconfig })
  const chosen = chooseContext(config, context)
  const interactive = process.stdin.isTTY === true
  const ports = { now: Date.now, timeoutMs, env: process.env, interactive }
  // The caller's own token replaces the user of the context. The plugin of that user must not run then.
  const { user: _, ...nobody } = chosen
  const named = { kubeconfigOption: kubeconfig, contextOption: context }
  const access = await accessOf(options.bearerFile === undefined ? chosen : nobody, ports, named)
  const credential = (await ownBearer(options)) ?? access.credential
  if (cacert === undefined) return remote({ ...access, credential })
  return remote({ ...access, credential, caPem: await readCa(cacert), pinned: true })
}

/** Finds the cluster of the pod that this process runs in. With `--server`, which names a lab, the pod does not count. */
async function podCluster(options: ClusterOptions, narrate: Narrate) {
  if (!process.env.KUBERNETES_SERVICE_HOST || options.server !== undefined) return undefined
  const { inClusterAccess } = await import('../../servers/kubernetes/client/kubeconfig/access.js')
  const access = await inClusterAccess(process.env)
  if (access === undefined) return undefined
  narrate(`The cluster this runs in: ${access.server}  (--server or --cluster names another one)`)
  return remote({ ...access, credential: (await ownBearer(options)) ?? access.credential })
}

/** The administrator's bearer of a lab, from its lab file. */
function adminBearer({ effective }: LabConfig): Credential {
  const tokens = effective.cluster?.tokens ?? []
  const admin = tokens.find(({ groups = [] }) => groups.includes('system:masters')) ?? tokens[0]
  if (admin === undefined) return { kind: 'none' }
  return { kind: 'bearer', token: admin.token, from: `${admin.username} in the lab file` }
}

/** The options that have a value, as words of a command line. */
const optionWords = (options: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))

/** The options that name the same lab and the same caller to another command. */
function sameLab({ server, config, bearerFile }: ClusterOptions): string {
  const words = optionWords({ server, config, 'bearer-file': bearerFile === '-' ? undefined : bearerFile })
  return words.map(word => ` ${shellWord(word)}`).join('')
}

/** The options that name the same cluster and the same caller to another program, which may run in another folder. */
export function sameCluster(options: ClusterOptions): string[] {
  const { kubeconfig, context, cluster, bearerFile, cacert, server, config } = options
  return optionWords({
    kubeconfig: kubeconfig && resolve(kubeconfig),
    context,
    cluster,
    'bearer-file': bearerFile && resolve(bearerFile),
    cacert,
    server,
    config,
  })
}

async function labCluster(options: ClusterOptions, use: ClusterLabUse): Promise<FoundCluster> {
  const own = await ownBearer(options)
  return targetFrom(labTarget(options, { ...use, cluster: true }), lab => {
    const { urls, config, caPem } = lab
    if (urls.cluster === undefined) {
      throw new UsageError(`the lab at ${urls.authorization} does not say where its cluster is`, [
        `Name it:   --cluster ${neighbour(urls.authorization, 8445)} --bearer-file FILE`,
      ])
    }
    const embedded = lab.embedded !== undefined
    const access = {
      server: urls.cluster,
      via: embedded ? 'the lab of this command' : `the lab at ${urls.authorization}`,
      credential: own ?? adminBearer(config),
      kubectl: ['--kubeconfig', { shell: `<(oauth-lab k8s kubeconfig${sameLab(options)})` }],
    }
    const trusting = defined({ ...access, caPem, namespace: lab.ofRoom?.namespace })
    return { ...lab, address: urls.cluster, access: trusting, embedded }
  })
}

/**
 * Finds the cluster of a run: that of `--cluster`, else of a kubeconfig, else of the pod that this process runs in, else of the lab in
 * use, as its administrator.
 * @throws UsageError
 */
async function findCluster(options: ClusterOptions, use: ClusterLabUse): Promise<FoundCluster> {
  const { narrate } = use
  const { cluster, kubeconfig, context } = options
  const byKubeconfig = kubeconfig !== undefined || context !== undefined
  if (cluster !== undefined && byKubeconfig) {
    throw new UsageError('--cluster and a kubeconfig are two clusters', ['Leave one out'])
  }
  if (cluster !== undefined) return namedCluster(options, cluster, narrate)
  if (byKubeconfig) return kubeconfigCluster(options)
  return (await podCluster(options, narrate)) ?? labCluster(options, use)
}

/**
 * Returns the access to the lab that `oauth-lab serve` will start, for a kubeconfig: an embedded lab would be gone before kubectl reads
 * the file.
 * @returns undefined when the options name another cluster, or a lab runs
 */
export async function plannedLabAccess(options: ClusterOptions): Promise<ClusterAccess | undefined> {
  const { kubeconfig, context, cluster, server, config, home } = options
  if (kubeconfig ?? context ?? cluster ?? server) return undefined
  if (process.env.KUBERNETES_SERVICE_HOST) return undefined
  const { findRunningLab } = await import('../../lab/state/running.js')
  if (await findRunningLab(home, lab => config === undefined || config === lab.config)) return undefined
  const { loadLabConfig } = await import('../../lab/lab-file/config.js')
  const { ensureCertificates } = await import('../../lab/certificates/certificates.js')
  const { caPem } = await ensureCertificates(home, ['localhost'], Date.now())
  return {
    server: EMBEDDED_ISSUER,
    via: 'the lab that oauth-lab serve starts',
    caPem,
    credential: (await ownBearer(options)) ?? adminBearer(await loadLabConfig(config)),
    kubectl: [],
  }
}
