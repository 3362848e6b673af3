import type { AssertionExpectations } from './assertion.js'

/** An issuer of SAML 2.0 assertions that are grants. */
export interface SamlAssertionIssuer {
  readonly issuer: string
  /**
   * Its X.509 certificate. The key in it is trusted because it is registered: its dates and its own signature are not
   * checked (SAML 2.0 Metadata Interoperability §2.6).
   */
  readonly certificatePem: string
}

/** The values that a SAML assertion must match. */
export interface SamlExpectations extends AssertionExpectations {
  readonly issuers: readonly SamlAssertionIssuer[]
  /** The URL of the token endpoint. */
  readonly recipient: string
}
