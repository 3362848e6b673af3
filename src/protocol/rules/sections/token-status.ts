/** Sections with a MUST of RFC 7009 (revocation), RFC 7662 (introspection) and RFC 9701 (signed introspection). */
export const musts = {
  'RFC 7009 §2': 'Refresh tokens can be revoked, over HTTPS, and the client checks that the URL is HTTPS.',
  'RFC 7009 §2.1':
    'The token to revoke is sought under every type, whatever the hint, and belongs to the client that asks.',
  'RFC 7009 §5': 'The revocation endpoint resists guessing and overload, and clients check its certificate.',
  'RFC 7662 §2': 'The introspection endpoint is served over TLS.',
  'RFC 7662 §2.1': 'Introspection takes a POST from an authorized caller, and searches every type of token.',
  'RFC 7662 §2.2': 'The answer says active: true or false; for an inactive token it says no more.',
  'RFC 7662 §2.3': 'A token that is unknown or inactive is no error: the answer is active: false.',
  'RFC 7662 §4':
    'The server checks everything about a token (expiry, revocation, signature, audience) before it says active.',
  'RFC 7662 §5': 'An answer gives no private data to servers that have no right to it.',
  'RFC 9701 §3': 'The authorization server knows its resource servers and what each may learn.',
  'RFC 9701 §4': 'The caller of a signed introspection is authenticated.',
  'RFC 9701 §5':
    'A signed answer has iss, aud (the resource server), iat and token_introspection, and the type token-introspection+jwt.',
  'RFC 9701 §6': 'A client names an encryption method for the answer only beside its algorithm.',
  'RFC 9701 §8.1':
    'A resource server checks the typ of JWTs, so that a signed answer never passes for an access token.',
  'RFC 9701 §8.2': 'Introspection needs TLS and an authenticated caller.',
  'RFC 9701 §9': 'A resource server learns only what the law and its purpose allow.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'RFC 7009 §2.2': 'Revoking an unknown token succeeds with 200: what the client wanted is true.',
  'RFC 7009 §3': 'A server that reads tokens by itself learns of no revocation before they expire.',
} as const
