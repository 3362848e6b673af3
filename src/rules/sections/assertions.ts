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
  'SAML 2.0 Core §1.3.3': 'Times in SAML are UTC.',
  'SAML 2.0 Core §2.5.1.1': 'An assertion is good from NotBefore up to, but not at, NotOnOrAfter.',
  'SAML 2.0 Core §5.4.2': 'The signature of an assertion refers to the root element of this assertion alone.',
  'SAML 2.0 Profiles §4.1.4.2':
    'A login response holds an assertion with AuthnStatement and AudienceRestriction.',
  'XMLDSig §3.2':
    'A signature holds when its references have the stated digests and the signature value matches.',
} as const
