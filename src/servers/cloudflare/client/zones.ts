import { unreadable } from '../../../client/json-answer.js'
import { TransportError, UsageError, UserError } from '../../../protocol/errors.js'
import { nearestHint } from '../../../protocol/nearest.js'
import { isJsonObject } from '../../../protocol/values.js'
import { domainName } from '../records/names.js'
import { zoneText } from '../records/zone-file.js'
import type { DnsRecord, Zone } from '../shapes.js'
import { ApiRefusal, allPages, ClientRefusal, isThisMachine, type Service } from './service.js'

/** The page size for zones, the largest that the service allows. */
const PER_PAGE = 50

const identifier = /^[0-9a-f]{32}$/i

function zoneOf(value: unknown, { access }: Service): Zone {
  const { id, name } = isJsonObject(value) ? value : {}
  if (typeof id === 'string' && typeof name === 'string' && domainName(name)) return value as Zone
  throw unreadable(`${access.base} answered with a zone that has no id or no name`)
}

/** Lists all zones that the credentials reach. */
export async function allZones(service: Service): Promise<readonly Zone[]> {
  const zones = await allPages<unknown>(service, '/zones', {}, PER_PAGE)
  return zones.map(zone => zoneOf(zone, service))
}

/** True when the service has no such route. An emulator may have records without zones. */
function knowsNoZones(error: unknown): boolean {
  if (error instanceof ApiRefusal) return error.status === 404 || error.status === 405
  return error instanceof TransportError && error.code === 'EBADMSG'
}

async function zoneOfId(service: Service, id: string): Promise<Zone> {
  try {
    const { result } = await service.request<unknown>({ method: 'GET', path: `/zones/${id}` })
    return zoneOf(result, service)
  } catch (error) {
    // The next request reports an error about the zone itself.
    if (knowsNoZones(error)) return { id, name: '', status: 'unknown' }
    throw error
  }
}

/** Returns the name of a zone, or its identifier when the service does not return a name. */
export const zoneLabel = ({ id, name }: Zone): string => name || id

/**
 * Returns the name of a zone.
 * @throws ClientRefusal when the service does not return it
 */
export function nameOfZone(zone: Zone): string {
  if (zone.name !== '') return zone.name
  throw new ClientRefusal(`the service does not return the name of the zone ${zone.id}`, [
    'Only list, create and delete go without it, with full names.',
  ])
}

/**
 * Finds the zone of an identifier or a name. Its name is empty when the service does not return it.
 * @throws UsageError for a text that can be neither; ClientRefusal when no zone has the name; ApiRefusal
 */
async function findZone(service: Service, asked: string): Promise<Zone> {
  if (identifier.test(asked)) return zoneOfId(service, asked.toLowerCase())
  const name = domainName(asked)
  if (name === undefined) {
    throw new UsageError(`${JSON.stringify(asked)} is neither the name of a zone nor an identifier`, [
      'A name is like example.com, an identifier has 32 hexadecimal digits.',
    ])
  }
  const { result } = await service.request<unknown>({ method: 'GET', path: '/zones', query: { name } })
  const zones = (Array.isArray(result) ? result : []).map(zone => zoneOf(zone, service))
  const zone = zones.find(each => each.name.toLowerCase() === name)
  if (zone !== undefined) return zone
  const reached = await allZones(service)
  throw new ClientRefusal(`no zone ${name} is reached with these credentials`, [
    ...nearestHint(
      name,
      reached.map(each => each.name),
    ),
    'Those that are:   oauth-lab cf zones',
  ])
}

/** Returns the zone that contains a full name. Of several zones, the longest name wins. */
function zoneAround(zones: readonly Zone[], name: string): Zone | undefined {
  const full = domainName(name)
  return zones
    .filter(zone => full === zone.name || full?.endsWith(`.${zone.name}`))
    .sort((a, b) => b.name.length - a.name.length)[0]
}

/**
 * Finds the zone of a run: the named zone, else the zone that contains one of the names, else the only zone. On this machine the first zone is the
 * last resort.
 * @throws UsageError when several zones are left; UserError when the credentials reach none; ApiRefusal, ClientRefusal
 */
export async function chooseZone(
  service: Service,
  asked: string | undefined,
  names: readonly string[],
): Promise<Zone> {
  if (asked !== undefined) return findZone(service, asked)
  const zones = await allZones(service)
  const around = names.map(name => zoneAround(zones, name)).find(zone => zone !== undefined)
  const [first] = zones
  if (around) return around
  if (first === undefined) {
    throw new UserError('these credentials reach no zone', 'refused', ['Who they are:   oauth-lab cf verify'])
  }
  if (zones.length === 1 || isThisMachine(service.access.base)) return first
  const some = zones.slice(0, 5).map(({ name }) => name)
  throw new UsageError(`these credentials reach ${zones.length} zones: which one?`, [
    `Name it:   --zone ${first.name}   (${some.join(', ')}${zones.length > some.length ? ', …' : ''})`,
  ])
}

/**
 * Writes the records of a zone as a zone file. The texts of a service may hold line breaks and control characters; `makeSafe` replaces
 * them, so that each record stays on its line.
 * @param now milliseconds since the epoch
 * @throws ClientRefusal for a zone without a name
 */
export function exportZone(
  zone: Zone,
  records: readonly DnsRecord[],
  now: number,
  makeSafe: (text: string) => string,
): string {
  const { name_servers: servers } = zone
  const nameServers = (Array.isArray(servers) ? servers : []).filter(each => typeof each === 'string')
  const inOneLine = (record: DnsRecord): DnsRecord => {
    const { type, name, content, comment, tags } = record
    return {
      ...record,
      name: makeSafe(name),
      content: type === 'TXT' ? content : makeSafe(content),
      comment: comment === null ? null : makeSafe(comment),
      tags: tags.map(makeSafe),
    }
  }
  const named = { name: nameOfZone(zone), nameServers: nameServers.map(makeSafe) }
  return zoneText(named, records.map(inOneLine), now)
}
