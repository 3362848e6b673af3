import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import { UserError } from '../../errors.js'
import { type MountedToken, renewMounted, type WrittenVolume } from '../../kubernetes/client/mounted-token.js'
import { makeFolder } from '../../lab/make-folder.js'
import { createTokenWords } from '../../render/kubernetes/create-token-words.js'
import { volumeLine } from '../../render/kubernetes/volume-line.js'
import { makeSafe } from '../../render/safe.js'
import { type ClusterTarget, checkName } from '../../targets/cluster.js'
import { readGlobals } from '../globals.js'
import type { VolumeWritten } from '../json-lines.js'
import { narrate, print, printJson } from '../output.js'
import { watchSignals } from '../signals.js'
import { withCluster } from './cluster.js'
import { readWish, type TokenFlags } from './token-wish.js'

/** Flags of `k8s mount`. */
export interface MountFlags extends TokenFlags {
  readonly dir: string
  /** Factor by which waits are shortened. */
  readonly speed: number
}

/** Seconds until another attempt after a renewal that failed. */
const RETRY = 10

function report(written: WrittenVolume, { dir, speed }: MountFlags, json: boolean, now: number): void {
  if (!json) {
    print(volumeLine(written, speed, now))
    return
  }
  const { folder, expires, renewIn } = written
  const iso = (ms: number) => (Number.isNaN(ms) ? null : new Date(ms).toISOString())
  printJson({
    type: 'volume.written',
    at: new Date(now).toISOString(),
    dir,
    folder,
    expires: iso(expires),
    renew_in_seconds: renewIn / speed,
  } satisfies VolumeWritten)
}

/** Renews until a signal comes. As with the kubelet, a renewal that fails leaves the old token in its place. */
async function keep(
  mounted: MountedToken,
  cluster: ClusterTarget,
  flags: MountFlags,
  json: boolean,
  signal: AbortSignal,
): Promise<void> {
  const renew = () => renewMounted(mounted, { ...cluster, makeFolder })
  let written = await renew()
  if (!json) {
    const { namespace, account, dir } = mounted
    narrate(
      `Token of ${namespace}/${account} in ${dir}/token; Ctrl-C ends the renewals and leaves the files.`,
    )
  }
  report(written, flags, json, cluster.now())
  let wait = written.renewIn
  for (;;) {
    await delay((wait * 1000) / flags.speed, undefined, { signal })
    try {
      written = await renew()
      wait = written.renewIn
      report(written, flags, json, cluster.now())
    } catch (error) {
      if (signal.aborted || !(error instanceof UserError)) throw error
      wait = RETRY
      narrate(makeSafe(`not renewed, the old token stays: ${error.message}`))
    }
  }
}

/** `oauth-lab k8s mount`: keeps a projected volume as the kubelet does, until a signal comes. */
export async function mountVolume(account = 'demo', flags: MountFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  checkName('the account', account)
  const asked = readWish(flags)
  const { dir } = flags
  const interruption = watchSignals()
  const { signal } = interruption
  const use = { kubectl: createTokenWords(flags.namespace, account, asked), signal }
  try {
    await withCluster(flags, globals, use, cluster => {
      const mounted = { dir, namespace: cluster.namespace, account, asked }
      return keep(mounted, cluster, flags, globals.json, signal)
    })
  } catch (error) {
    const code = interruption.exitCode()
    if (code === undefined) throw error
    process.exitCode = code
  } finally {
    interruption.ignore()
  }
}
