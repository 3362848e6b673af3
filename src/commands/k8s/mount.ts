import { makeFolder } from '../../lab/state/make-folder.js'
import { UserError } from '../../protocol/errors.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { keepMounted, type WrittenVolume } from '../../servers/kubernetes/client/mounted-token.js'
import { checkName } from '../../session/targets/cluster.js'
import { createTokenWords, volumeLine } from '../../show/render/kubernetes/cluster-lines.js'
import type { VolumeWritten } from '../output/json-lines.js'
import { narrate, print, printJson } from '../output/output.js'
import { EXIT, untilSignal } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { withCluster } from './cluster.js'
import type { TokenFlags } from './options.js'
import { readWish } from './token.js'

/** Flags of `k8s mount`. */
export interface MountFlags extends TokenFlags {
  readonly dir: string
  /** Factor by which waits are shortened. */
  readonly speed: number
}

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

/** `oauth-lab k8s mount`: keeps a projected volume as the kubelet does, until a signal comes. */
export async function mountVolume(account = 'demo', flags: MountFlags, globals: Globals): Promise<void> {
  checkName('the account', account)
  const asked = readWish(flags)
  const { json } = globals
  const { dir, speed } = flags
  const kubectl = createTokenWords(flags.namespace, account, asked)
  process.exitCode = await untilSignal(async signal => {
    await withCluster(flags, globals, { kubectl, signal }, async cluster => {
      const { namespace, now } = cluster
      const mounted = { dir, namespace, account, asked }
      let introduced = json
      for await (const each of keepMounted(mounted, { ...cluster, makeFolder }, { speed, signal })) {
        if (each instanceof UserError) {
          narrate(makeSafe(`not renewed, the old token stays: ${each.message}`))
          continue
        }
        if (!introduced) {
          narrate(
            `Token of ${namespace}/${account} in ${dir}/token; Ctrl-C ends the renewals and leaves the files.`,
          )
        }
        introduced = true
        report(each, flags, json, now())
      }
    })
    return EXIT.done
  })
}
