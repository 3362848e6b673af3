import { UsageError } from '../../protocol/errors.js'
import { isUrl } from '../../protocol/http/address.js'
import type { Exchange, Send } from '../../protocol/http/exchange.js'
import type { ClusterAccess } from '../../servers/kubernetes/client/access.js'
import { type AskCluster, askCluster } from '../../servers/kubernetes/client/answers.js'
import { createConnection } from '../../servers/kubernetes/client/connection.js'
import { type Published, readPublished } from '../../servers/kubernetes/client/public-documents.js'
import type { ApiRequest } from '../../servers/kubernetes/client/requests.js'
import { type ClusterOptions, findCluster } from './cluster-access.js'
import type { LabUse } from './lab-target.js'
import { type Target, targetFrom } from './target.js'
import { trustedPem } from './trust.js'

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
export interface ClusterUse {
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
