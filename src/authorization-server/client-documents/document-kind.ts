import type { Client } from '../../oauth/client.js'
import type { DocumentKind } from '../settings.js'

/** Returns the kind of the documents that a client names in its registration. A stranger may have chosen their addresses. */
export function documentKind({ introduced }: Pick<Client, 'introduced'>): DocumentKind {
  return introduced === undefined ? 'registered' : 'introduced'
}
