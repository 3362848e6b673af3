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
  'OpenID Connect Registration §2':
    'A web client has https addresses, a native one loopback addresses or private schemes.',
  'OpenID Connect Registration §5':
    'Every redirect_uri of a client is in the document at its sector_identifier_uri.',
  'OpenID Connect RP-Initiated Logout §2':
    'The hint is for this client, the return address is registered, and GET and POST both work.',
  'OpenID Connect RP-Initiated Logout §2.1':
    'A provider with logout publishes its end_session_endpoint, on https.',
  'OpenID Connect RP-Initiated Logout §3':
    'After logout a user is sent only to an address that is registered for this client.',
  'OpenID Connect Back-Channel Logout §2.1':
    'A provider announces logout tokens, and if they have a sid, by backchannel_logout_supported and …_session_supported.',
  'OpenID Connect Back-Channel Logout §2.4':
    'A logout token has iss, aud, iat, exp, jti, events, and sub or sid; it never has a nonce.',
  'OpenID Connect Back-Channel Logout §2.5': 'A logout token comes by POST, as the form field logout_token.',
  'OpenID Connect Back-Channel Logout §2.6':
    'A client checks the signature and every claim of a logout token before it ends a session.',
  'OpenID Connect Back-Channel Logout §2.7':
    'A client that is informed of a logout ends the session; refresh tokens without offline_access end too.',
  'OpenID Connect Back-Channel Logout §2.8':
    'A client answers 200 to a logout token that it accepts, and 400 to any other; neither is cached.',
  'OpenID Connect Front-Channel Logout §2':
    'The address for frames has the scheme, host and port of a registered redirect_uri.',
  'OpenID Connect Front-Channel Logout §3':
    'The logout page has a frame for each client, with iss and sid where the client needs them.',
  'OpenID Connect Session Management §2': 'An authentication response has session_state, without a space.',
  'OpenID Connect Session Management §3.3':
    'The frame of the server answers unchanged, changed or error, and only to the page around it.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'OAuth 2.0 Multiple Response Type Encoding Practices §2.1':
    'response_mode says how the answer travels: query or fragment.',
  'OAuth 2.0 Multiple Response Type Encoding Practices §3.0':
    'response_type=id_token answers with an ID token in the fragment.',
} as const
