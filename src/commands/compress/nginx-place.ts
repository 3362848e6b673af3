import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { NginxPlace } from '../../compression/proxy/nginx-conf.js'
import { findRunningLab, readRecords } from '../../lab/running.js'
import type { Globals } from '../globals.js'

/** Where a lab is that was started without options. */
const DEFAULT_LAB = 'https://localhost:8443'

/**
 * What an nginx stands before: the upstream that was named, else the running lab, else the place where `serve` starts one. No lab is
 * started for a configuration, it would be gone when nginx reads it.
 */
export async function nginxPlace(
  upstream: string | undefined,
  globals: Globals,
): Promise<Pick<NginxPlace, 'upstream' | 'caFile'>> {
  const { cacert, home, server } = globals
  const named = upstream ?? server
  const lab =
    named === undefined
      ? await findRunningLab(home)
      : (await readRecords(home)).find(({ urls }) => urls.authorization === named)
  const own = join(home, 'ca.pem')
  const caFile = cacert ?? lab?.ca ?? (named === undefined && existsSync(own) ? own : undefined)
  return { upstream: named ?? lab?.urls.authorization ?? DEFAULT_LAB, ...(caFile && { caFile }) }
}
