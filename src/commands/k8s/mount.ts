import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import { UsageError, UserError } from '../../errors.js'
import { writeProjectedVolume } from '../../kubernetes/client/projected-volume.js'
import { tokenRequest } from '../../kubernetes/client/requests.js'
import { secondsUntilRenewal } from '../../kubernetes/client/timeline.js'
import type { TokenRequest } from '../../kubernetes/shapes.js'
import { makeFolder } from '../../lab/make-folder.js'
import { lifetimeText, utcText } from '../../render/kubernetes/moments.js'
import { makeSafe } from '../../render/safe.js'
import { type Globals, readGlobals } from '../globals.js'
import type { VolumeWritten } from '../json-lines.js'
import { narrate, print, printJson } from '../output.js'
import { watchSignals } from '../signals.js'
import { checkName, type ReachedCluster, withCluster } from './reach.js'
import { askedOf, kubectlWords, type TokenFlags } from './token-words.js'

/** Options of `k8s mount`. */
export interface MountFlags extends TokenFlags {
  readonly dir: string
  /** How many times faster than the clock renewals come. */
  readonly speed: number
}

/** The kubelet renews up to so many seconds earlier, so that not all pods ask at once. */
const MAX_JITTER = 10

/** Seconds until another attempt after a renewal that failed. */
const RETRY = 10

/** A generation of the volume. */
interface Written {
  readonly folder: string
  /** Milliseconds since the epoch. */
  readonly expires: number
  /** Seconds from now, by the clock of the cluster. */
  readonly renewIn: number
}

/** One renewal: asks for a token and writes it beside the CA and the namespace, as pods find them. */
async function renew(cluster: ReachedCluster, account: string, flags: MountFlags): Promise<Written> {
  const { namespace, access, ask, now } = cluster
  const { audiences, expirationSeconds, binding: boundObjectRef } = askedOf(flags)
  const { object } = await ask<TokenRequest>(
    tokenRequest(namespace, account, {
      ...(audiences.length > 0 && { audiences }),
      ...(expirationSeconds !== undefined && { expirationSeconds }),
      ...(boundObjectRef && { boundObjectRef }),
    }),
  )
  const lifetime = object.spec?.expirationSeconds ?? 3600
  const files = {
    token: object.status?.token ?? '',
    ...(access.caPem !== undefined && { 'ca.crt': access.caPem }),
    namespace,
  }
  const written = makeFolder(flags.dir).then(() => writeProjectedVolume(flags.dir, files, now()))
  const folder = await written.catch((error: NodeJS.ErrnoException) => {
    const hints =
      error.code === 'EEXIST' ? ['Something else is there under one of the names: name an empty folder.'] : []
    throw new UsageError(`cannot write the volume ${flags.dir} (${error.code ?? error.message})`, hints)
  })
  return {
    folder,
    expires: Date.parse(object.status?.expirationTimestamp ?? ''),
    renewIn: Math.max(1, secondsUntilRenewal(lifetime) - Math.random() * MAX_JITTER),
  }
}

function tell(
  { folder, expires, renewIn }: Written,
  { speed, dir }: MountFlags,
  { json }: Globals,
  now: number,
): void {
  const wait = renewIn / speed
  if (json) {
    const at = new Date(now).toISOString()
    const expiresAt = Number.isNaN(expires) ? null : new Date(expires).toISOString()
    const line = { at, dir, folder, expires: expiresAt, renew_in_seconds: wait }
    printJson({ type: 'volume.written', ...line } satisfies VolumeWritten)
    return
  }
  const fast = speed === 1 ? '' : ` (${lifetimeText(renewIn)} at speed 1)`
  print(
    makeSafe(
      `${utcText(now)}  ..data -> ${folder}  expires ${utcText(expires)}, renewed in ${lifetimeText(wait)}${fast}`,
    ),
  )
}

/** Renews until a signal comes. A renewal that fails leaves the old token where it is, as the kubelet does. */
async function keep(
  cluster: ReachedCluster,
  account: string,
  flags: MountFlags,
  globals: Globals,
  signal: AbortSignal,
) {
  let written = await renew(cluster, account, flags)
  if (!globals.json)
    narrate(
      `Token of ${cluster.namespace}/${account} in ${flags.dir}/token; Ctrl-C ends the renewals and leaves the files.`,
    )
  tell(written, flags, globals, cluster.now())
  let wait = written.renewIn
  for (;;) {
    await delay((wait * 1000) / flags.speed, undefined, { signal })
    try {
      written = await renew(cluster, account, flags)
      wait = written.renewIn
      tell(written, flags, globals, cluster.now())
    } catch (error) {
      if (signal.aborted || !(error instanceof UserError)) throw error
      wait = RETRY
      narrate(makeSafe(`not renewed, the old token stays: ${error.message}`))
    }
  }
}

/** `oauth-lab k8s mount`: a projected volume, kept as the kubelet keeps it until a signal comes. */
export async function mountVolume(account = 'demo', flags: MountFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  checkName('the account', account)
  const asked = askedOf(flags)
  const interruption = watchSignals()
  const use = { kubectl: kubectlWords(flags.namespace, account, asked), signal: interruption.signal }
  try {
    await withCluster(flags, globals, use, cluster =>
      keep(cluster, account, flags, globals, interruption.signal),
    )
  } catch (error) {
    const code = interruption.exitCode()
    if (code === undefined) throw error
    process.exitCode = code
  } finally {
    interruption.ignore()
  }
}
