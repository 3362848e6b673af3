import type { Client } from '../../../protocol/oauth/client.js'
import type { User } from '../model.js'
import {
  type ClaimDemand,
  type ClaimsRequest,
  isWanted,
  type RequestedClaims,
} from '../parameters/claims-request.js'
import type { AuthorizationServerSettings } from '../settings.js'

/** Claims of each scope that OpenID Connect defines (OpenID Connect Core §5.4). */
export const STANDARD_SCOPE_CLAIMS: Readonly<Record<string, readonly string[]>> = {
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
}

type ScopeClaims = Pick<AuthorizationServerSettings, 'scopeClaims'>

function claimsOf(scope: string, { scopeClaims }: ScopeClaims): readonly string[] {
  if (Object.hasOwn(scopeClaims, scope)) return scopeClaims[scope]!
  return Object.hasOwn(STANDARD_SCOPE_CLAIMS, scope) ? STANDARD_SCOPE_CLAIMS[scope]! : []
}

/** Returns the names of the claims that these users have and that these scopes give access to. */
export function givenClaims(
  users: readonly User[],
  scopes: readonly string[],
  settings: ScopeClaims,
): readonly string[] {
  const had = new Set(users.flatMap(user => Object.keys(user.claims)))
  const names = scopes.flatMap(scope => claimsOf(scope, settings).filter(name => had.has(name)))
  return [...new Set(names)]
}

/** Returns the claims of a user that a scope gives access to. Empty for an unknown user. */
export function userClaims(
  user: User | undefined,
  scope: readonly string[],
  settings: ScopeClaims,
): Record<string, unknown> {
  return user === undefined ? {} : claimsNamed(user, givenClaims([user], scope, settings))
}

/** Returns the claims of a user by name. A claim that the user does not have is left out. */
export function claimsNamed(user: User | undefined, names: readonly string[]): Record<string, unknown> {
  const { claims } = user ?? { claims: {} as User['claims'] }
  return Object.fromEntries(
    names.filter(name => Object.hasOwn(claims, name)).map(name => [name, claims[name]]),
  )
}

type ClaimSettings = Pick<AuthorizationServerSettings, 'users' | 'scopeClaims'>

/**
 * Returns the names of the claims that a request asks for, without duplicates: those that some user has. Other names
 * are ignored. A client that is limited to some scopes gets the claims of those scopes only.
 */
export function knownClaims({ userinfo, idToken }: ClaimsRequest, client: Client, settings: ClaimSettings) {
  const { users } = settings
  const asked = [...userinfo.keys(), ...idToken.keys()].filter(name => name !== 'sub')
  // Reading the claims of all users takes longer than the rest of a judgement.
  if (asked.length === 0) return asked
  const allowed = client.allowed_scopes && new Set(givenClaims(users, client.allowed_scopes, settings))
  const isKnown = (name: string) =>
    allowed?.has(name) ?? users.some(({ claims }) => Object.hasOwn(claims, name))
  return [...new Set(asked)].filter(isKnown)
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
