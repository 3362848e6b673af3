import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findRunningLab, readRecords } from '../../lab/state/running.js'
import type { NginxPlace } from '../../servers/compression/proxy/nginx-conf.js'
import type { LabOptions } from './lab-target.js'

/** Default address of a lab. */
const DEFAULT_LAB = 'https://localhost:8443'

/**
 * The upstream of an nginx configuration: the named one, else the running lab, else the default address of a lab. No lab is started
 * for a configuration: it would be gone when nginx reads the file.
 */
export async function nginxPlace(
  upstream: string | undefined,
  { cacert, home, server }: LabOptions,
): Promise<Pick<NginxPlace, 'upstream' | 'caFile'>> {
  const named = upstream ?? server
  const lab =
    named === undefined
      ? await findRunningLab(home)
      : (await readRecords(home)).find(({ urls }) => urls.authorization === named)
  const own = join(home, 'ca.pem')
  const caFile = cacert ?? lab?.ca ?? (named === undefined && existsSync(own) ? own : undefined)
  return { upstream: named ?? lab?.urls.authorization ?? DEFAULT_LAB, ...(caFile && { caFile }) }
}
