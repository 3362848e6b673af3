import { TransportError, UsageError } from '../../errors.js'
import { isJsonObject } from '../../oauth/json-object.js'
import { domainName } from '../records/names.js'
import type { Zone } from '../shapes.js'
import { unreadable } from './answers.js'
import { allPages } from './pages.js'
import { ApiRefusal, ClientRefusal } from './refusal.js'
import type { Service } from './service.js'

/** Zones a page: the most that the service allows. */
const PER_PAGE = 50

const identifier = /^[0-9a-f]{32}$/i

function zoneOf(value: unknown, { access }: Service): Zone {
  const { id, name } = isJsonObject(value) ? value : {}
  if (typeof id === 'string' && typeof name === 'string' && domainName(name)) return value as Zone
  throw unreadable(`${access.base} answered with a zone that has no id or no name`)
}

/** All zones that the credentials reach. */
export async function allZones(service: Service): Promise<readonly Zone[]> {
  const zones = await allPages<unknown>(service, '/zones', {}, PER_PAGE)
  return zones.map(zone => zoneOf(zone, service))
}

/** Whether an answer only says that there is no such route: an emulator may know records and no zones. */
function knowsNoZones(error: unknown): boolean {
  if (error instanceof ApiRefusal) return error.status === 404 || error.status === 405
  return error instanceof TransportError && error.code === 'EBADMSG'
}

async function zoneOfId(service: Service, id: string): Promise<Zone> {
  try {
    const { result } = await service.request<unknown>({ method: 'GET', path: `/zones/${id}` })
    return zoneOf(result, service)
  } catch (error) {
    // What is asked of the zone next says what is wrong, if anything is.
    if (knowsNoZones(error)) return { id, name: '', status: 'unknown' }
    throw error
  }
}

/** What to call a zone: a service may not tell its name. */
export const zoneLabel = ({ id, name }: Zone): string => name || id

/**
 * @returns the name of a zone, for what cannot be done without
 * @throws ClientRefusal where the service does not tell it
 */
export function nameOfZone(zone: Zone): string {
  if (zone.name !== '') return zone.name
  throw new ClientRefusal(`the service does not tell the name of the zone ${zone.id}`, [
    'Only list, create and delete go without it, with full names.',
  ])
}

/**
 * The zone of an identifier or a name; the name is empty where a service does not tell it.
 * @throws UsageError for what can be neither; ApiRefusal, ClientRefusal where there is none of that name
 */
export async function findZone(service: Service, asked: string): Promise<Zone> {
  if (identifier.test(asked)) return zoneOfId(service, asked.toLowerCase())
  const name = domainName(asked)
  if (name === undefined) {
    throw new UsageError(`${JSON.stringify(asked)} is neither the name of a zone nor an identifier`, [
      'A name is like example.com, an identifier has 32 hexadecimal digits.',
    ])
  }
  const { result } = await service.request<unknown>({ method: 'GET', path: '/zones', query: { name } })
  const found = (Array.isArray(result) ? result : []).map(zone => zoneOf(zone, service))
  const zone = found.find(each => each.name.toLowerCase() === name)
  if (zone !== undefined) return zone
  throw new ClientRefusal(`no zone ${name} is reached with these credentials`, [
    'Those that are:   oauth-lab cf zones',
  ])
}

/** The zone that a full name is within; the one with the longest name of several. */
export function zoneWithin(zones: readonly Zone[], name: string): Zone | undefined {
  const full = domainName(name)
  return zones
    .filter(zone => full === zone.name || full?.endsWith(`.${zone.name}`))
    .sort((a, b) => b.name.length - a.name.length)[0]
}
