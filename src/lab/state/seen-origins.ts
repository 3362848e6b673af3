import { isUrl } from '../../protocol/http/address.js'
import { splitUrl } from '../../protocol/http/message.js'
import { isJsonObject } from '../../protocol/values.js'
import type { LabConfig } from '../lab-file/config.js'
import { alone } from './alone.js'
import { ensureHome, readState, writeState } from './state-folder.js'

const FILE = 'origins.json'

/** Most origins that are remembered. The oldest one goes first. */
const MOST_ORIGINS = 1000

/** The origins that were announced before. A file of anything else counts as empty. */
async function seenOrigins(home: string): Promise<string[]> {
  try {
    const read: unknown = JSON.parse((await readState(home, FILE)) ?? '[]')
    return Array.isArray(read) ? read.filter(each => typeof each === 'string') : []
  } catch {
    return []
  }
}

const freshOf = (seen: readonly string[], named: readonly string[]): string[] =>
  [...new Set(named)].filter(origin => !seen.includes(origin))

/**
 * Reports the new origins to which a lab file that nobody named sends requests, before the first request. The file may be
 * a stranger's.
 * @param file the lab file
 * @param addresses may hold anything that is no address
 */
export async function announceOrigins(
  file: string,
  addresses: readonly string[],
  home: string,
  narrate: (line: string) => void,
): Promise<void> {
  const named = addresses.filter(each => isUrl(each)).map(each => splitUrl(each).origin)
  if (freshOf(await seenOrigins(home), named).length === 0) return
  await ensureHome(home)
  // Another lab may have announced some in the meantime.
  await alone(home, FILE, async () => {
    const seen = await seenOrigins(home)
    const fresh = freshOf(seen, named)
    if (fresh.length === 0) return
    narrate(`${file} was found here, and not named. It sends requests to new places: ${fresh.join(', ')}`)
    await writeState(home, FILE, `${JSON.stringify([...seen, ...fresh].slice(-MOST_ORIGINS))}\n`)
  })
}

/** Members of a lab file whose addresses the lab asks. */
const ASKED = /^(issuer|jwks_uri|sector_identifier_uri|request_uris|backchannel_.+_(uri|endpoint))$/

function addressesIn(value: unknown, asked = false): string[] {
  if (typeof value === 'string') return asked ? [value] : []
  if (Array.isArray(value)) return value.flatMap(each => addressesIn(each, asked))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, each]) => addressesIn(each, ASKED.test(name)))
}

/** Announces the origins that a lab asks when its lab file was found. */
export async function announceLab(
  { file, found, effective }: LabConfig,
  home: string,
  narrate: (line: string) => void,
): Promise<void> {
  if (!found || file === null) return
  const { clients, cluster, demo_client: demo } = effective
  await announceOrigins(file, addressesIn([clients, cluster?.oidc, demo]), home, narrate)
}
