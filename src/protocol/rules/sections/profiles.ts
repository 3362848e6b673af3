/** Clauses of the FAPI 2.0 Security Profile (Final): the section, and the number of the item in its list. */
export const musts = {
  'FAPI 2.0 Security Profile §5.3.2.1-1': 'The server publishes its metadata.',
  'FAPI 2.0 Security Profile §5.3.2.1-2': 'The password grant is refused.',
  'FAPI 2.0 Security Profile §5.3.2.1-3': 'All clients are confidential.',
  'FAPI 2.0 Security Profile §5.3.2.1-4': 'Every access token is bound to a key of its client.',
  'FAPI 2.0 Security Profile §5.3.2.1-5': 'Tokens are bound by mutual TLS or by DPoP.',
  'FAPI 2.0 Security Profile §5.3.2.1-6': 'Clients authenticate by mutual TLS or by private_key_jwt.',
  'FAPI 2.0 Security Profile §5.3.2.1-7': 'The server is no open redirector.',
  'FAPI 2.0 Security Profile §5.3.2.1-8':
    'A client assertion names the issuer of the server as aud, as a string.',
  'FAPI 2.0 Security Profile §5.3.2.1-9': 'Refresh tokens are not rotated.',
  'FAPI 2.0 Security Profile §5.3.2.1-11': 'A code is good for 60 seconds at most.',
  'FAPI 2.0 Security Profile §5.3.2.1-12': 'A pushed request binds its code to the key of a DPoP proof.',
  'FAPI 2.0 Security Profile §5.3.2.1-13':
    'A JWT may be dated 10 seconds ahead; one that is dated 60 seconds ahead is refused.',
  'FAPI 2.0 Security Profile §5.3.2.2-1': 'The response type is code.',
  'FAPI 2.0 Security Profile §5.3.2.2-3': 'An authorization request that was not pushed is refused.',
  'FAPI 2.0 Security Profile §5.3.2.2-4': 'A client authenticates when it pushes a request.',
  'FAPI 2.0 Security Profile §5.3.2.2-5': 'Every request for a code uses PKCE with S256.',
  'FAPI 2.0 Security Profile §5.3.2.2-6': 'A pushed request has redirect_uri.',
  'FAPI 2.0 Security Profile §5.3.2.2-7': 'Every authorization response has iss.',
  'FAPI 2.0 Security Profile §5.3.2.2-8':
    'A redirect address has no plain http, but for loopback addresses of native applications.',
  'FAPI 2.0 Security Profile §5.3.2.2-10': 'A request with credentials is never redirected by 307.',
  'FAPI 2.0 Security Profile §5.3.2.2-12': 'A request_uri is good for less than 600 seconds.',
  'FAPI 2.0 Security Profile §5.3.3.1-1': 'Clients bind their access tokens by mutual TLS or by DPoP.',
  'FAPI 2.0 Security Profile §5.3.3.1-2':
    'Clients authenticate by mutual TLS or by private_key_jwt, and by nothing else.',
  'FAPI 2.0 Security Profile §5.3.3.2-1': 'Clients use the authorization code grant.',
  'FAPI 2.0 Security Profile §5.3.3.2-2': 'Clients push their authorization requests.',
  'FAPI 2.0 Security Profile §5.3.3.2-3': 'Clients use PKCE with S256.',
  'FAPI 2.0 Security Profile §5.3.3.2-5': 'Clients check iss in the authorization response.',
  'FAPI 2.0 Security Profile §5.3.4-2': 'A resource server accepts no access token in the query.',
  'FAPI 2.0 Security Profile §5.3.4-3': 'A resource server checks that an access token was not revoked.',
  'FAPI 2.0 Security Profile §5.4.1-1': 'JWTs are signed by PS256, ES256 or EdDSA with Ed25519.',
} as const

/** Clauses of recommendations, and sections of the OAuth 2.1 draft. */
export const others = {
  'FAPI 2.0 Security Profile §5.3.2.2-11': 'The server redirects by 303.',
  'draft-ietf-oauth-v2-1 §1.8': 'OAuth 2.1 has neither the implicit nor the password grant.',
  'draft-ietf-oauth-v2-1 §2.3.1':
    'A redirect address is compared character by character, but for the port of a loopback address.',
  'draft-ietf-oauth-v2-1 §4.1.1': 'Every request for a code uses PKCE.',
  'draft-ietf-oauth-v2-1 §5.1': 'An access token is sent in the header or the body, never in the query.',
  'draft-ietf-oauth-v2-1 §10.1': 'No access token comes in the authorization response.',
} as const
