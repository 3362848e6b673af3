import type { LabEvent } from '../../../../protocol/events.js'
import { textOf } from './members.js'

/** Sites by the first part of the names of their events. */
const sites: Readonly<Record<string, readonly string[]>> = {
  authorization: [
    ...[
      'authorization',
      'login',
      'session',
      'logout',
      'logout_token',
      'request',
      'push',
      'id_token',
      'code',
      'token',
    ],
    ...['refresh_token', 'introspection', 'revocation', 'assertion', 'password', 'userinfo'],
    ...['device_code', 'device_authorization', 'user_code', 'ciba', 'ciba_ping', 'fault'],
  ],
  resource: ['resource', 'keys'],
  cluster: ['cluster'],
  dns: ['dns', 'chat'],
  client: ['demo_client'],
}

const siteByPart: ReadonlyMap<string, string> = new Map(
  Object.entries(sites).flatMap(([site, parts]) => parts.map(part => [part, site] as const)),
)

/** Returns the site that published an event; undefined where the event does not show it. */
export function siteOf(event: LabEvent): string | undefined {
  return textOf(event, 'site') ?? siteByPart.get(event.type.split('.', 1)[0]!)
}
