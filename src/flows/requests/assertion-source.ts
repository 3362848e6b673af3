/** The content of an assertion (RFC 7521 §5.1). */
export interface AssertionWords {
  readonly issuer: string
  readonly subject: string
  /** The issuer identifier of the authorization server. */
  readonly audience: string
  /** The address of the token endpoint, which receives the assertion. */
  readonly recipient: string
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly issuedAt: number
  readonly expiresAt: number
}

/** Somebody the authorization server believes: makes assertions about resource owners. */
export interface AssertionSource {
  /** A signed JWT (RFC 7523), or a signed SAML 2.0 assertion (RFC 7522). */
  readonly format: 'jwt' | 'saml'
  /** The algorithm of its signatures, as a JWT names it. */
  readonly alg?: string
  /** As the authorization server has it registered. */
  readonly issuer: string
  /** The resource owner that the assertion names. */
  readonly subject: string
  /** True for an assertion that was signed elsewhere: issuer and subject stand in it alone. */
  readonly given?: true
  /** Signs; the value of the parameter `assertion`. */
  readonly make: (words: AssertionWords) => Promise<string>
}
