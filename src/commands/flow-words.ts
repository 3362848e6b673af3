import type { User } from '../authorization-server/model.js'
import { DEFAULT_REDIRECT_URI } from '../client/callback-listener.js'
import type { AskLogin, LoginAnswer } from '../client/login.js'
import { UsageError } from '../errors.js'
import { nearest } from '../lab/nearest.js'
import type { Client } from '../oauth/client.js'
import { parseLoopback } from '../oauth/redirect-uri.js'
import type { ClientSecretPlace } from '../oauth/token.js'
import { hasIpv4Loopback } from './ipv4-loopback.js'

/** Finds what a word names; an unknown one is answered with the known ones and the nearest. */
function lookUp<Entry>(what: string, name: string, entries: ReadonlyMap<string, Entry>): Entry {
  const found = entries.get(name)
  if (found !== undefined) return found
  const known = [...entries.keys()]
  const near = nearest(name, known)
  throw new UsageError(
    `unknown ${what} ${JSON.stringify(name)}. Known ${what}s: ${known.join(', ') || 'none'}.`,
    near === undefined ? [] : [`Did you mean ${near}?`],
  )
}

/** The client of that name in the lab file. */
export function findClient(name: string, clients: readonly Client[]): Client {
  return lookUp('client', name, new Map(clients.map(client => [client.client_id, client])))
}

/** How a client of the lab file sends its secret. */
export function secretPlace(client: Client): ClientSecretPlace {
  const method = client.token_endpoint_auth_method
  if (method === 'private_key_jwt' || (method === undefined && client.jwks && !client.client_secret)) {
    throw new UsageError(`client ${client.client_id} authenticates by private_key_jwt`, [
      'A flow sends a client secret, or none: choose another client',
    ])
  }
  return method ?? (client.client_secret === undefined ? 'none' : 'client_secret_basic')
}

/**
 * The redirect_uri for a client: a registered loopback literal, on any free port (RFC 8252 §7.3), else the first
 * registered one.
 */
export function redirectUriFor({ redirect_uris: registered }: Client, ipv4 = hasIpv4Loopback()): string {
  const literals = registered.map(parseLoopback).filter(literal => literal !== undefined)
  const preferred = ipv4 ? '127.0.0.1' : '[::1]'
  const literal = literals.find(({ base }) => base.includes(preferred)) ?? literals[0]
  return literal ? `${literal.base}:0${literal.rest}` : (registered[0] ?? DEFAULT_REDIRECT_URI)
}

/** Somebody who can log in by what the lab file says. */
export interface KnownUser {
  readonly username: string
  readonly password: string
}

/** Reads `alice`, `alice:password` or nothing, the password perhaps from elsewhere. */
export function findUser(
  typed: string | undefined,
  password: string | undefined,
  users: readonly User[],
): KnownUser {
  const mark = typed?.indexOf(':') ?? -1
  const name = typed === undefined || mark < 0 ? typed : typed.slice(0, mark)
  const given = password ?? (typed === undefined || mark < 0 ? undefined : typed.slice(mark + 1))
  if (name !== undefined && given !== undefined) return { username: name, password: given }
  const first = users[0]
  if (name === undefined && first === undefined) {
    throw new UsageError('the lab file has no users', ['Name one: --user NAME:PASSWORD'])
  }
  const byName = new Map(users.map(user => [user.username, user]))
  const user = name === undefined ? first! : lookUp('user', name, byName)
  const known = given ?? user.password
  if (known === undefined) {
    throw new UsageError(`the lab file holds only a hash of the password of ${user.username}`, [
      `Give it: --user ${user.username} --password-stdin`,
    ])
  }
  return { username: user.username, password: known }
}

/** The name of whom an assertion is about: nobody's password is needed for it. */
export function findSubject(typed: string | undefined, users: readonly User[]): string {
  const name = typed?.split(':', 1)[0] ?? users[0]?.username
  if (name) return name
  throw new UsageError('the lab file has no users', ['Name one: --user NAME'])
}

/** Answers the first time; after a refusal there is nothing else to say. */
export function answerOnce({ username, password }: KnownUser): AskLogin {
  let answered = false
  return async (): Promise<LoginAnswer> => {
    if (answered) return { kind: 'cancel' }
    answered = true
    return { kind: 'credentials', username, password }
  }
}

/** Answers the first time, then leaves it to the next one. */
export function answerFirst(user: KnownUser, next: AskLogin): AskLogin {
  const once = answerOnce(user)
  return async prompt => {
    const answer = await once(prompt)
    return answer.kind === 'cancel' ? next(prompt) : answer
  }
}
