import { UsageError } from '../../protocol/errors.js'
import type { Client } from '../../protocol/oauth/client.js'
import { redirectUriProblem } from '../../protocol/oauth/redirect-uri.js'
import { DEMO_CLIENTS } from '../../servers/authorization-server/endpoints/authorization/registration-help.js'
import { nearest } from './nearest.js'

/** An address, and the clients that it is added to. */
export interface AddedRedirectUri {
  readonly uri: string
  readonly clientIds: readonly string[]
}

/** Text with a scheme: an address, not `CLIENT=URI`. */
const ADDRESS = /^[a-z][a-z0-9+.-]*:/i

function split(text: string, ids: readonly string[]): { readonly id?: string; readonly uri: string } {
  // A client_id may have any printable character, `=` and `:` as well.
  const id = ids.filter(each => text.startsWith(`${each}=`)).sort((a, b) => b.length - a.length)[0]
  if (id !== undefined) return { id, uri: text.slice(id.length + 1) }
  if (ADDRESS.test(text) || !text.includes('=')) return { uri: text }
  const unknown = text.slice(0, text.indexOf('='))
  const near = nearest(unknown, ids)
  throw new UsageError(`--redirect-uri: there is no client ${JSON.stringify(unknown)}`, [
    `Clients: ${ids.join(', ')}`,
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
  ])
}

/**
 * Reads `URI`, which is for `demo`, `demo-spa` and `demo-native`, or `CLIENT=URI`.
 * @throws UsageError for an unknown client, and for an address that cannot be registered
 */
export function parseRedirectUri(text: string, clients: readonly Client[]): AddedRedirectUri {
  const ids = clients.map(each => each.client_id)
  const { id, uri } = split(text, ids)
  const wrong = redirectUriProblem(uri)
  if (wrong !== undefined) {
    throw new UsageError(`--redirect-uri ${JSON.stringify(uri)}: ${wrong.problem} (${wrong.rule})`, [
      'It looks like --redirect-uri http://localhost:9876/callback, or --redirect-uri demo=https://client.example/cb',
    ])
  }
  const clientIds = id === undefined ? DEMO_CLIENTS.filter(each => ids.includes(each)) : [id]
  if (clientIds.length > 0) return { uri, clientIds }
  throw new UsageError('--redirect-uri needs a client of this lab file', [
    `It looks like --redirect-uri CLIENT=${uri}`,
    `Clients: ${ids.join(', ')}`,
  ])
}

/** Returns the addresses of a client: its own, then those that were added. */
export function withAddresses(
  clientId: string,
  own: readonly string[],
  added: readonly AddedRedirectUri[],
): string[] {
  const mine = added.filter(({ clientIds }) => clientIds.includes(clientId)).map(({ uri }) => uri)
  return [...new Set([...own, ...mine])]
}
