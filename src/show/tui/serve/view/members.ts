import type { LabEvent } from '../../../../protocol/events.js'
import { defined } from '../../../../protocol/values.js'

/** A member that is a text; undefined for anything else, which only a foreign file has. */
export function textOf(event: LabEvent, name: string): string | undefined {
  const value = event[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A member that is a number. */
export function numberOf(event: LabEvent, name: string): number | undefined {
  const value = event[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A member that is a list of objects. */
export function objectsOf(event: LabEvent, name: string): Record<string, unknown>[] {
  const value = event[name]
  return Array.isArray(value) ? value.filter(each => typeof each === 'object' && each !== null) : []
}

/** A member that is a list of texts. */
export function textsOf(event: LabEvent, name: string): string[] {
  const value = event[name]
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

/** The client and the user an event is about. */
export function aboutOf(event: LabEvent): { client?: string; user?: string } {
  return defined({
    client: textOf(event, 'client_id'),
    user: textOf(event, 'username') ?? textOf(event, 'sub'),
  })
}

/** The first parts of the names of the events of each site. */
const parts: Readonly<Record<string, string>> = {
  authorization:
    'authorization login session logout logout_token request push id_token code token refresh_token introspection revocation assertion password userinfo device_code device_authorization user_code ciba ciba_ping fault',
  resource: 'resource keys',
  cluster: 'cluster',
  dns: 'dns chat',
  client: 'demo_client',
}

const siteByPart: ReadonlyMap<string, string> = new Map(
  Object.entries(parts).flatMap(([site, names]) => names.split(' ').map(part => [part, site] as const)),
)

/** Returns the site that published an event; undefined where the event does not show it. */
export function siteOf(event: LabEvent): string | undefined {
  return textOf(event, 'site') ?? siteByPart.get(event.type.split('.', 1)[0]!)
}
