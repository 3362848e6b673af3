import { setTimeout as delay } from 'node:timers/promises'
import { UsageError, UserError } from '../../errors.js'
import type { TokenRequest } from '../shapes.js'
import type { ClusterAccess } from './access.js'
import type { AskCluster } from './answers.js'
import type { Asked } from './granted.js'
import { writeProjectedVolume } from './projected-volume.js'
import { tokenRequest } from './requests.js'
import { secondsUntilRenewal } from './timeline.js'

/** Seconds until another attempt after a renewal that failed. */
const RETRY = 10

/** The kubelet renews up to this many seconds earlier, so that not all pods ask at once. */
const MAX_JITTER = 10

/** The account whose token a volume holds, and the folder of the volume. */
export interface MountedToken {
  readonly dir: string
  readonly namespace: string
  readonly account: string
  readonly asked: Asked
}

/** The cluster and the file system. */
export interface MountPorts {
  readonly access: ClusterAccess
  readonly ask: AskCluster
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Makes a folder with those above it; an existing folder is fine. */
  readonly makeFolder: (path: string) => Promise<unknown>
}

/** One generation of a volume. */
export interface WrittenVolume {
  readonly folder: string
  /** Milliseconds since the epoch; NaN when the cluster does not say. */
  readonly expires: number
  /** Seconds, by the clock of the cluster. */
  readonly renewIn: number
}

/**
 * Asks for a token and writes it into the volume beside the CA and the namespace, as pods have them.
 * @throws UsageError when the volume cannot be written, and what `ask` throws
 */
async function renew(
  { dir, namespace, account, asked }: MountedToken,
  { access, ask, now, makeFolder }: MountPorts,
): Promise<WrittenVolume> {
  const { object } = await ask<TokenRequest>(tokenRequest(namespace, account, asked))
  const token = object.status?.token ?? ''
  const ca: Record<string, string> = access.caPem === undefined ? {} : { 'ca.crt': access.caPem }
  try {
    await makeFolder(dir)
    const folder = await writeProjectedVolume(dir, { token, ...ca, namespace }, now())
    const lifetime = object.spec?.expirationSeconds ?? 3600
    return {
      folder,
      expires: Date.parse(object.status?.expirationTimestamp ?? ''),
      renewIn: Math.max(1, secondsUntilRenewal(lifetime) - Math.random() * MAX_JITTER),
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const hints =
      code === 'EEXIST' ? ['Something else is there under one of the names: name an empty folder.'] : []
    throw new UsageError(`cannot write the volume ${dir} (${code ?? message})`, hints)
  }
}

/**
 * Keeps a volume as the kubelet does: yields each generation, and each error after which the old token stays in its place.
 * @param options.speed factor by which waits are shortened
 * @throws UsageError when the first generation cannot be written, what `ask` throws for it, and the reason of the signal
 */
export async function* keepMounted(
  mounted: MountedToken,
  ports: MountPorts,
  { speed, signal }: { readonly speed: number; readonly signal: AbortSignal },
): AsyncGenerator<WrittenVolume | UserError> {
  const first = await renew(mounted, ports)
  let wait = first.renewIn
  yield first
  for (;;) {
    await delay((wait * 1000) / speed, undefined, { signal })
    const next = await renew(mounted, ports).catch((error: unknown) => {
      if (!signal.aborted && error instanceof UserError) return error
      throw error
    })
    wait = next instanceof UserError ? RETRY : next.renewIn
    yield next
  }
}
