/** An authentication context class: the strength of a login (OpenID Connect Core §2). */
export type Acr = 'urn:oauth-lab:acr:pwd' | 'urn:oauth-lab:acr:mfa'

/** A login with a password. */
const PASSWORD: Acr = 'urn:oauth-lab:acr:pwd'

/** A login with a password and a one-time code. */
const SECOND_FACTOR: Acr = 'urn:oauth-lab:acr:mfa'

/** The classes that this server knows, the weakest first. */
const ACR_VALUES: readonly Acr[] = [PASSWORD, SECOND_FACTOR]

/** The way in which a person proved who they are, and when. */
export interface Authentication {
  /** Time of the password, in milliseconds since the epoch. A second factor later does not change it. */
  readonly loginAt: number
  readonly acr: Acr
  /** The methods that were used (RFC 8176 §2). */
  readonly amr: readonly string[]
}

/** Returns the authentication by a password. */
export function byPassword(loginAt: number): Authentication {
  return { loginAt, acr: PASSWORD, amr: ['pwd'] }
}

/** Returns an authentication, such as that of a session, with a one-time code added to it. */
export function withOneTimeCode<Before extends Authentication>(before: Before): Before {
  return { ...before, acr: SECOND_FACTOR, amr: ['pwd', 'otp', 'mfa'] }
}

/** Returns the members that describe an authentication, without the others. */
export function authenticationOf({ loginAt, acr, amr }: Authentication): Authentication {
  return { loginAt, acr, amr }
}

/** Returns the classes that some of these users can reach. A one-time code needs a secret. */
export function reachableAcr(users: readonly { readonly totp_secret?: string }[]): readonly Acr[] {
  return users.some(each => each.totp_secret !== undefined) ? ACR_VALUES : [PASSWORD]
}

/** True for a class that this server knows. */
export function isKnownAcr(value: unknown): value is Acr {
  return ACR_VALUES.some(each => each === value)
}

/** True when a login of the class `has` is at least as strong as one of the class `wanted`. */
export function isAsStrong(has: Acr, wanted: Acr): boolean {
  return ACR_VALUES.indexOf(has) >= ACR_VALUES.indexOf(wanted)
}
