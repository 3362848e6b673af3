import type { AssertionExpectations } from './assertion.js'

/** A trusted issuer of SAML 2.0 assertions. */
export interface SamlAssertionIssuer {
  readonly issuer: string
  /**
   * The issuer's X.509 certificate. Its key is trusted because it is registered; its dates and its own signature are
   * not checked (SAML 2.0 Metadata Interoperability §2.6).
   */
  readonly certificatePem: string
}

/** The conditions for a SAML assertion. */
export interface SamlExpectations extends AssertionExpectations {
  readonly issuers: readonly SamlAssertionIssuer[]
  /** The URL of the token endpoint. */
  readonly recipient: string
}
