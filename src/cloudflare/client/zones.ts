import { UsageError } from '../../errors.js'
import { domainName } from '../records/names.js'
import type { Zone } from '../shapes.js'
import { isObject, unreadable } from './answers.js'
import { allPages } from './pages.js'
import { ClientRefusal } from './refusal.js'
import type { Service } from './service.js'

/** Zones a page: the most that the service allows. */
const PER_PAGE = 50

const identifier = /^[0-9a-f]{32}$/i

function zoneOf(value: unknown, { access }: Service): Zone {
  if (isObject(value) && [value.id, value.name].every(each => typeof each === 'string')) return value as Zone
  throw unreadable(`${access.base} answered with a zone that has no id or no name`)
}

/** All zones that the credentials reach. */
export async function allZones(service: Service): Promise<readonly Zone[]> {
  const zones = await allPages<unknown>(service, '/zones', {}, PER_PAGE)
  return zones.map(zone => zoneOf(zone, service))
}

/**
 * The zone of an identifier or a name.
 * @throws UsageError for what can be neither; ApiRefusal, ClientRefusal where there is none of that name
 */
export async function findZone(service: Service, asked: string): Promise<Zone> {
  if (identifier.test(asked)) {
    const { result } = await service.request<unknown>({
      method: 'GET',
      path: `/zones/${asked.toLowerCase()}`,
    })
    return zoneOf(result, service)
  }
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
