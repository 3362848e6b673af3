import type { AssertionExpectations } from './assertion.js'

/** Who may issue SAML 2.0 assertions as grants. */
export interface SamlAssertionIssuer {
  readonly issuer: string
  /**
   * Its X.509 certificate. The key in it is trusted because it is registered: its dates and its own signature are
   * not looked at (SAML 2.0 Metadata Interoperability §2.6).
   */
  readonly certificatePem: string
}

/** What a SAML assertion must fit. */
export interface SamlExpectations extends AssertionExpectations {
  readonly issuers: readonly SamlAssertionIssuer[]
  /** The URL of the token endpoint. */
  readonly recipient: string
}
