import type { Client } from '../../../protocol/oauth/client.js'
import type { User } from '../model.js'
import {
  type ClaimDemand,
  type ClaimsRequest,
  isWanted,
  type RequestedClaims,
} from '../parameters/claims-request.js'
import type { AuthorizationServerSettings } from '../settings.js'
import { givenClaims } from './user-claims.js'

/** The settings that the known claims follow from. */
type ClaimSettings = Pick<AuthorizationServerSettings, 'users' | 'scopeClaims'>

/**
 * Returns the names of the claims that a request asks for, without duplicates: those that some user has. Other names
 * are ignored. A client that is limited to some scopes gets the claims of those scopes only.
 */
export function knownClaims({ userinfo, idToken }: ClaimsRequest, client: Client, settings: ClaimSettings) {
  const { users } = settings
  const allowed = client.allowed_scopes && new Set(givenClaims(users, client.allowed_scopes, settings))
  const isKnown = (name: string) =>
    allowed?.has(name) ?? users.some(({ claims }) => Object.hasOwn(claims, name))
  return [...new Set([...userinfo.keys(), ...idToken.keys()])].filter(name => name !== 'sub' && isKnown(name))
}

/** Returns the claims of a request that a user has, with values that the request accepts. */
export function grantedClaims(
  user: User | undefined,
  { userinfo, idToken }: ClaimsRequest,
  known: readonly string[],
): RequestedClaims {
  // The names come from the user: those of the request would keep its text in memory.
  const had = Object.entries(user?.claims ?? {}).filter(([name]) => known.includes(name))
  const names = (asked: ReadonlyMap<string, ClaimDemand>) =>
    had.filter(([name, value]) => isAsked(asked.get(name), value)).map(([name]) => name)
  return { userinfo: names(userinfo), idToken: names(idToken) }
}

function isAsked(demand: ClaimDemand | undefined, value: unknown): boolean {
  return demand !== undefined && isWanted(value, demand)
}
