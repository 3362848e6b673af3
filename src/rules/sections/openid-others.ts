/** Sections with a MUST of OpenID Connect Discovery, RP-Initiated Logout and the response types of OAuth 2.0. */
export const musts = {
  'OpenID Connect Discovery §3':
    'Metadata of a provider has issuer, its endpoints, keys, response types, subject types and RS256.',
  'OpenID Connect Discovery §4':
    'Metadata is JSON, at the issuer followed by /.well-known/openid-configuration.',
  'OpenID Connect Discovery §4.1':
    'Metadata is fetched by GET; a slash at the end of the issuer is dropped first.',
  'OpenID Connect Discovery §4.2': 'Metadata is a 200 with a JSON object, and leaves out empty lists.',
  'OpenID Connect Discovery §4.3':
    'The issuer of the metadata is exactly the issuer that was asked, and the iss of ID tokens.',
  'OpenID Connect RP-Initiated Logout §2':
    'The hint is for this client, the return address is registered, and GET and POST both work.',
  'OpenID Connect RP-Initiated Logout §3':
    'After logout a user is sent only to an address that is registered for this client.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'OAuth 2.0 Multiple Response Type Encoding Practices §2.1':
    'response_mode says how the answer travels: query or fragment.',
  'OAuth 2.0 Multiple Response Type Encoding Practices §3.0':
    'response_type=id_token answers with an ID token in the fragment.',
} as const
