/** Sections with a MUST of RFC 6750 (bearer tokens) and RFC 9470 (step-up authentication). */
export const musts = {
  'RFC 6750 §2': 'A client sends the token in one way a request.',
  'RFC 6750 §2.1': 'Resource servers accept the token in the Authorization header, after the word Bearer.',
  'RFC 6750 §2.2': 'A token in a form needs a one-part form body, and no GET request.',
  'RFC 6750 §2.3':
    'A token in the query is a parameter of its own; such answers are private, such requests a last resort.',
  'RFC 6750 §3': 'A refusal carries a WWW-Authenticate: Bearer challenge, each attribute once.',
  'RFC 6750 §5.2':
    'Tokens are protected against forging, travel over TLS, and name the servers they are for.',
  'RFC 6750 §5.3':
    'Clients guard bearer tokens, use TLS and check its certificates, and put no token into an open cookie.',
  'RFC 9470 §5': 'An ID token for a request with max_age says when the user logged in (auth_time).',
  'RFC 9470 §9': 'A step-up challenge does not make a login protocol of OAuth.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'RFC 6750 §3.1': 'A refusal is invalid_request (400), invalid_token (401) or insufficient_scope (403).',
  'RFC 9470 §4':
    'A client answers such a challenge by a new authorization request with its acr_values and max_age.',
  'RFC 9470 §6.1': 'A JWT access token has the acr and auth_time of its login.',
  'RFC 9470 §3': 'A resource server asks for a newer or stronger login: insufficient_user_authentication.',
} as const
