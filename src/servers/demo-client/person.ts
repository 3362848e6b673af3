import { bounded } from '../../protocol/events.js'
import type { JsonObject } from '../../protocol/values.js'

/** A person whose login was verified. */
export interface Person {
  readonly issuer: string
  /** Unique at the issuer alone (OpenID Connect Core §5.7). */
  readonly subject: string
  readonly name: string
  readonly email?: string
  readonly accessToken: string
  /** Absent where the client asked for none. */
  readonly idToken?: string
  /** The session at the issuer, where the ID token names one. */
  readonly sid?: string
}

/** Longest name and e-mail address that are kept, in UTF-16 units. */
const MAX_LENGTH = 100

function textOf(claims: JsonObject, name: string): string | undefined {
  const value = claims[name]
  return typeof value === 'string' && value !== '' ? bounded(value, MAX_LENGTH) : undefined
}

/** Returns the members of a person that claims describe (OpenID Connect Core §5.1). */
export function described(claims: JsonObject, subject: string): Pick<Person, 'name' | 'email'> {
  const email = textOf(claims, 'email')
  const name = textOf(claims, 'name') ?? textOf(claims, 'preferred_username') ?? email
  return { name: name ?? bounded(subject, MAX_LENGTH), ...(email !== undefined && { email }) }
}
