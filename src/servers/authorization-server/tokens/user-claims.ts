import type { User } from '../model.js'
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
