/** Sections with a MUST of RFC 7521, 7522 (SAML) and 7523 (JWT): assertions as grants and for client authentication. */
export const musts = {
  'RFC 7521 §3': 'An assertion names its issuer and its reader, and expires.',
  'RFC 7521 §4.1':
    'An assertion grant sends grant_type and one assertion; client credentials beside it are checked.',
  'RFC 7521 §5.2': 'An assertion has issuer, subject, audience and expiry, is signed, and may be good once.',
  'RFC 7522 §2.1': 'A SAML grant sends one assertion, in base64url without line breaks.',
  'RFC 7522 §3': 'A SAML assertion is signed, for this server (audience, recipient), and not expired.',
  'RFC 7523 §2.1': 'A JWT grant sends one JWT in the parameter assertion.',
  'RFC 7523 §2.2': 'A client that authenticates by JWT sends one.',
  'RFC 7523 §3':
    'A JWT assertion has iss, sub, aud (this server) and exp, is signed, and is refused otherwise.',
  'RFC 7523 §3.1': 'A bad JWT grant is invalid_grant; client credentials beside it are checked.',
  'RFC 7523 §3.2': 'A bad JWT for client authentication is invalid_client.',
} as const

/** Sections of the documents of SAML that the program refers to. */
export const others = {
  'draft-ietf-oauth-rfc7523bis §4':
    'The audience of a client assertion is the issuer of the server alone, as a string.',
  'SAML 2.0 Bindings §3.4.4.1':
    'The signature of a message in a URL stands beside it, in SigAlg and Signature.',
  'SAML 2.0 Bindings §3.5.3': 'RelayState comes back with the response, to the letter.',
  'SAML 2.0 Core §1.3.3': 'Times in SAML are UTC.',
  'SAML 2.0 Core §2.3.3': 'An assertion has the version 2.0, an ID, a time and an issuer.',
  'SAML 2.0 Core §2.5.1.1': 'An assertion is good from NotBefore up to, but not at, NotOnOrAfter.',
  'SAML 2.0 Core §2.5.1.4': 'A reader that no Audience of a restriction names does not take the assertion.',
  'SAML 2.0 Core §2.5.1.5': 'An assertion with OneTimeUse is used at once and not kept.',
  'SAML 2.0 Core §3.2.2': 'Destination and InResponseTo of a response name its receiver and its request.',
  'SAML 2.0 Core §3.2.2.2': 'The status of a response is Success, or says what went wrong.',
  'SAML 2.0 Core §3.7.1': 'A logout request names the person, by NameID or encrypted.',
  'SAML 2.0 Core §5.4.2': 'The signature of an assertion refers to the root element of this assertion alone.',
  'SAML 2.0 Core §5.4.3':
    'A canonical form without comments lets comments in, and they part the text of a value.',
  'SAML 2.0 Profiles §4.1.4.2':
    'A login response holds an assertion with AuthnStatement and AudienceRestriction.',
  'SAML 2.0 Profiles §4.1.4.3':
    'The service provider checks signature, Recipient, NotOnOrAfter and InResponseTo of the bearer.',
  'SAML 2.0 Profiles §4.1.4.5': 'In a response by POST, every assertion is signed, or the response is.',
  'SAML 2.0 Profiles §4.1.5': 'A response that nobody asked for has no InResponseTo; anybody can bring one.',
  'SAML 2.0 Profiles §4.4.4.1':
    'The sender of a logout message signs it, or its binding authenticates the sender.',
  'XMLDSig §6.1': 'SHA-1 is discouraged.',
  'XMLDSig §3.2':
    'A signature holds when its references have the stated digests and the signature value matches.',
} as const
