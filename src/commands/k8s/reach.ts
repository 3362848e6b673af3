import type { Transport } from '../../client/transport.js'
import { UsageError } from '../../errors.js'
import type { ClusterAccess } from '../../kubernetes/client/access.js'
import { type AskCluster, askCluster } from '../../kubernetes/client/answers.js'
import { createConnection } from '../../kubernetes/client/connection.js'
import type { Globals } from '../globals.js'
import { narrate } from '../output.js'
import { chooseAccess } from './choose-access.js'
import { httpNarrator } from './show-http.js'
import type { TargetFlags } from './target-options.js'

/** A cluster that can be asked. */
export interface ReachedCluster {
  readonly access: ClusterAccess
  /** `-n`, else that of the context, else `default`. */
  readonly namespace: string
  readonly ask: AskCluster
  readonly connection: Transport
  /** Milliseconds since the epoch, by the clock of the lab where there is one. */
  readonly now: () => number
  /** Whether the cluster ends with this command. */
  readonly embedded: boolean
}

/** A namespace is a DNS label (RFC 1123). */
export function checkName(what: string, name: string): string {
  if (/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(name)) return name
  throw new UsageError(`${what} ${JSON.stringify(name)} is no name in a cluster`, [
    'Names have lower-case letters, digits, - and .',
  ])
}

/** What one command does with a cluster. */
export interface ClusterUse {
  /** The equal kubectl command, without the options that reach the cluster. */
  readonly kubectl?: readonly string[]
  readonly signal?: AbortSignal
}

/**
 * Finds the cluster that the options mean, runs `work` with it, and lets go of it.
 * @throws UsageError, and what `work` throws
 */
export async function withCluster<T>(
  flags: TargetFlags,
  globals: Globals,
  use: ClusterUse,
  work: (cluster: ReachedCluster) => Promise<T>,
): Promise<T> {
  if (flags.namespace !== undefined) checkName('the namespace', flags.namespace)
  const { access, now, stop, embedded } = await chooseAccess(flags, globals)
  try {
    if (access.insecure) narrate(`warning: nobody checks the certificate of ${access.server}`)
    const connection = createConnection(access, { timeoutMs: globals.timeoutMs, now })
    const seen = flags.showHttp ? await httpNarrator(access, globals, use.kubectl) : undefined
    const namespace = flags.namespace ?? access.namespace ?? 'default'
    const { signal } = use
    const ask = askCluster(access, connection.send, { ...(seen && { seen }), ...(signal && { signal }) })
    try {
      return await work({ access, namespace, ask, connection, now, embedded })
    } finally {
      connection.close()
    }
  } finally {
    await stop()
  }
}
