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
