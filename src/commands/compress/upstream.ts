import { UsageError } from '../../errors.js'
import { labTarget } from '../../targets/lab-target.js'
import { trustedPem } from '../../targets/trust.js'
import type { Globals } from '../globals.js'
import { narrate } from '../output.js'

/** An address to ask, and what to trust of it. */
export interface Upstream {
  readonly url: string
  readonly caPem?: string
  /** Stops a lab that was started for this. */
  stop(): Promise<void>
}

/** What to say where every answer came raw. */
export const NOT_COMPRESSING =
  'Nothing came compressed: a running lab does so with --compression or ENABLE_COMPRESSION=1'

/**
 * The address that was meant: one that was given whole, or a path of the lab in use, which compresses where this command starts it.
 * @throws UsageError
 */
export async function upstreamInUse(target: string, globals: Globals): Promise<Upstream> {
  if (/^https?:\/\//i.test(target)) {
    if (!URL.canParse(target)) {
      throw new UsageError(`${JSON.stringify(target)} is no address`, [
        'It looks like https://localhost:8443/kb/2',
      ])
    }
    const caPem = await trustedPem(globals, new URL(target).origin)
    return { url: target, ...(caPem !== undefined && { caPem }), stop: async () => {} }
  }
  if (!target.startsWith('/')) {
    throw new UsageError(`${JSON.stringify(target)} is neither a path nor an address`, [
      'A path of the lab begins with /, as in /kb/200',
    ])
  }
  if (!/^[\x21-\x7e]+$/.test(target)) {
    throw new UsageError('the path holds characters that a request line cannot carry', [
      'Write them percent-encoded, a space as %20',
    ])
  }
  const lab = await labTarget(globals, { narrate, compression: true })
  return {
    url: lab.urls.authorization + target,
    ...(lab.caPem !== undefined && { caPem: lab.caPem }),
    stop: lab.stop,
  }
}
