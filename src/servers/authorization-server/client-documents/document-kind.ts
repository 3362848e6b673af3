import type { Client } from '../../../protocol/oauth/client.js'
import type { CallKind } from '../settings.js'

/** Returns the kind of the addresses that a client names in its registration. A stranger may have chosen them. */
export function documentKind({ introduced }: Pick<Client, 'introduced'>): CallKind {
  return introduced === undefined ? 'registered' : 'introduced'
}
