import { UsageError } from '../../errors.js'
import type { Credential } from '../../kubernetes/client/access.js'
import type { Globals } from '../globals.js'
import { narrate } from '../output.js'
import type { ChosenAccess } from './chosen-access.js'
import type { TargetFlags } from './target-options.js'

const real = { now: Date.now, embedded: false, stop: async () => {} } as const

/** The token in `--bearer-file`. */
export async function bearerIn(file: string | undefined): Promise<Credential> {
  if (file === undefined) return { kind: 'none' }
  const { bearerCredential } = await import('../../kubernetes/client/kubeconfig/credential.js')
  if (file === '-') {
    const { readStdin } = await import('../../input/stdin.js')
    return bearerCredential((await readStdin('your own token')).toString('utf8'), 'stdin')
  }
  const { readInputFile } = await import('../../input/input-file.js')
  return bearerCredential(await readInputFile('your own token', file), file)
}

function clusterUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new UsageError(`--cluster ${JSON.stringify(text)} is not the address of an API server`, [
      'It looks like https://10.0.0.1:6443',
    ])
  }
  return text.replace(/\/+$/, '')
}

async function explicitAccess(flags: TargetFlags, globals: Globals, cluster: string): Promise<ChosenAccess> {
  const { trustedPem } = await import('../../targets/trust.js')
  const server = clusterUrl(cluster)
  const caPem = await trustedPem(globals, server)
  const credential = await bearerIn(flags.bearerFile)
  if (server.startsWith('http:') && credential.kind !== 'none') {
    narrate('warning: this is plain http, so that your token is not sent')
  }
  return {
    ...real,
    access: {
      server,
      via: '--cluster',
      ...(caPem !== undefined && { caPem }),
      credential,
      kubectl: [
        ...['--server', server],
        ...(globals.cacert === undefined ? [] : ['--certificate-authority', globals.cacert]),
        ...(flags.bearerFile === undefined || flags.bearerFile === '-'
          ? []
          : ['--token', { shell: `"$(cat ${JSON.stringify(flags.bearerFile)})"` }]),
      ],
    },
  }
}

async function kubeconfigAccess(
  { kubeconfig, context, bearerFile }: TargetFlags,
  globals: Globals,
): Promise<ChosenAccess> {
  const { loadKubeconfig } = await import('../../kubernetes/client/kubeconfig/load.js')
  const { accessOf, chooseContext } = await import('../../kubernetes/client/kubeconfig/access.js')
  const config = await loadKubeconfig({
    env: process.env,
    ...(kubeconfig !== undefined && { file: kubeconfig }),
  })
  const chosen = chooseContext(config, context)
  const ports = {
    now: Date.now,
    timeoutMs: globals.timeoutMs,
    env: process.env,
    interactive: process.stdin.isTTY === true,
  }
  // Somebody who brings a token of his own does not need the one of the kubeconfig.
  const { user: _, ...nobody } = chosen
  const access = await accessOf(bearerFile === undefined ? chosen : nobody, ports, {
    ...(kubeconfig !== undefined && { kubeconfigOption: kubeconfig }),
    ...(context !== undefined && { contextOption: context }),
  })
  const own = bearerFile === undefined ? {} : { credential: await bearerIn(bearerFile) }
  const { readCa } = await import('../../targets/trust.js')
  const ca = globals.cacert === undefined ? {} : { caPem: await readCa(globals.cacert), pinned: true }
  return { ...real, access: { ...access, ...own, ...ca } }
}

/** The in-cluster way is for processes that were not told of a lab. */
async function podAccess({ bearerFile }: TargetFlags, globals: Globals): Promise<ChosenAccess | undefined> {
  if (!process.env.KUBERNETES_SERVICE_HOST || globals.server !== undefined) return undefined
  const { inClusterAccess } = await import('../../kubernetes/client/in-cluster.js')
  const access = await inClusterAccess(process.env)
  if (access === undefined) return undefined
  narrate(`The cluster this runs in: ${access.server}  (--server or --cluster names another one)`)
  const own = bearerFile === undefined ? {} : { credential: await bearerIn(bearerFile) }
  return { ...real, access: { ...access, ...own } }
}

/**
 * The cluster that the options name: `--cluster`, else a kubeconfig, else the files of the pod this runs in, else the
 * cluster of the lab in use, as its administrator.
 * @throws UsageError
 */
export async function chooseAccess(flags: TargetFlags, globals: Globals): Promise<ChosenAccess> {
  const { cluster, kubeconfig, context, bearerFile } = flags
  if (cluster !== undefined && (kubeconfig !== undefined || context !== undefined)) {
    throw new UsageError('--cluster and a kubeconfig are two clusters', ['Leave one out'])
  }
  if (cluster !== undefined) return explicitAccess(flags, globals, cluster)
  if (kubeconfig !== undefined || context !== undefined) return kubeconfigAccess(flags, globals)
  const pod = await podAccess(flags, globals)
  if (pod !== undefined) return pod
  const { labAccess } = await import('./lab-access.js')
  return labAccess(globals, await bearerIn(bearerFile), bearerFile)
}
