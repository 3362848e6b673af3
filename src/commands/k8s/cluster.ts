import type { Exchange } from '../../protocol/http/exchange.js'
import type { ClusterAccess } from '../../servers/kubernetes/client/access.js'
import type { ApiRequest } from '../../servers/kubernetes/client/requests.js'
import { type ClusterOptions, type ClusterTarget, clusterTarget } from '../../session/targets/cluster.js'
import { withTarget } from '../../session/targets/target.js'
import { givenToken } from '../jose/jwt-input.js'
import { narrate } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import type { ClusterFlags } from './options.js'

/** How one command uses its cluster. */
export interface ClusterUse {
  /** The equal kubectl command, without the options that reach the cluster. */
  readonly kubectl?: readonly string[]
  readonly signal?: AbortSignal
  /** True for a credential plugin: kubectl passes its stderr on to its user. */
  readonly quiet?: boolean
}

/** The options of a run that name its cluster. */
export const clusterOptions = (
  { kubeconfig, context, cluster, bearerFile }: ClusterFlags,
  globals: Globals,
): ClusterOptions => ({ ...globals, kubeconfig, context, cluster, bearerFile })

/** `--show-http`: prints each exchange on stderr, with the equal kubectl and curl commands. */
async function httpNarrator({ showSecrets, cacert }: Globals, kubectl: readonly string[] | undefined) {
  const { httpLines } = await import('../../show/render/kubernetes/http-lines.js')
  const { curlLine, kubectlLine, rawWords } = await import('../../show/render/kubernetes/http-lines.js')
  let whole = kubectl
  return (exchange: Exchange, request: ApiRequest, access: ClusterAccess) => {
    for (const line of httpLines(exchange, { showSecrets })) narrate(line)
    narrate(`# kubectl  ${kubectlLine(access, whole ?? rawWords(request))}`)
    narrate(`# curl     ${curlLine(access, request, { showSecrets, cacert })}`)
    narrate('')
    whole = undefined
  }
}

/** Works with the cluster that the options name. @throws UsageError, and what `work` throws */
export async function withCluster<Result>(
  flags: ClusterFlags,
  globals: Globals,
  { kubectl, signal, quiet }: ClusterUse,
  work: (cluster: ClusterTarget) => Promise<Result>,
): Promise<Result> {
  const seen = flags.showHttp ? await httpNarrator(globals, kubectl) : undefined
  const options = { ...clusterOptions(flags, globals), namespace: flags.namespace }
  return withTarget(clusterTarget(options, { narrate, quiet, signal, seen }), work)
}

/** Largest token that is read, in bytes: less than the 3 MiB that an API server accepts as a whole request. */
const MAX_TOKEN = 2 * 1024 * 1024

/**
 * Reads the token: the argument, the file of `@FILE`, or stdin for `-` and without an argument.
 * @throws UsageError
 */
export function readToken(argument: string | undefined): Promise<string> {
  const hints = ['Give it as an argument, as @FILE, or in a pipe']
  return givenToken(argument, { limit: MAX_TOKEN, hints, again: true })
}
