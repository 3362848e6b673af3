import { defined } from '../../protocol/values.js'

/** The content of an assertion (RFC 7521 §5.1). */
export interface AssertionWords {
  readonly issuer: string
  readonly subject: string
  readonly audience: string
  readonly recipient: string
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly issuedAt: number
  readonly expiresAt: number
  /** The type in the header of a JWT. Default: `JWT`. */
  readonly typ?: string
  /** The client that a JWT is for. Absent: every one. */
  readonly clientId?: string
}

/** Makes assertions about resource owners that the authorization server believes. */
export interface AssertionSource {
  /** RFC 7523 or RFC 7522 (signed). */
  readonly format: 'jwt' | 'saml'
  /** The algorithm of its signatures, as a JWT names it. */
  readonly alg?: string
  readonly issuer: string
  readonly subject: string
  /** The assertion was signed elsewhere: issuer and subject stand in it alone. */
  readonly given?: true
  /** @returns the value of the parameter `assertion` */
  readonly make: (words: AssertionWords) => Promise<string>
}

/** Returns the claims of a JWT assertion (RFC 7523 §3). Times are NumericDates. */
export function assertionClaims(words: Omit<AssertionWords, 'recipient' | 'typ'>) {
  const { issuer, subject, audience, id, issuedAt, expiresAt, clientId } = words
  return defined({
    iss: issuer,
    sub: subject,
    aud: audience,
    client_id: clientId,
    jti: id,
    iat: Math.floor(issuedAt / 1000),
    exp: Math.floor(expiresAt / 1000),
  })
}
