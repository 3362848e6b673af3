import { UsageError } from '../../errors.js'
import type { TokenRequest } from '../shapes.js'
import type { ClusterAccess } from './access.js'
import type { AskCluster } from './answers.js'
import type { Asked } from './granted.js'
import { writeProjectedVolume } from './projected-volume.js'
import { tokenRequest } from './requests.js'
import { secondsUntilRenewal } from './timeline.js'

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
export async function renewMounted(
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
