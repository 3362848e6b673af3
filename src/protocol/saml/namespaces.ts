/** Namespace of SAML 2.0 assertions. */
export const SAML = 'urn:oasis:names:tc:SAML:2.0:assertion'

/** Namespace of SAML 2.0 requests and responses. */
export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'

/** Namespace of SAML 2.0 metadata. */
export const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'

/** The method by which the holder of an assertion is its subject (SAML 2.0 Profiles §3.3). */
export const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** Namespace of SOAP 1.1, whose envelopes carry messages of the back channel (SAML 2.0 Bindings §3.2). */
export const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'
