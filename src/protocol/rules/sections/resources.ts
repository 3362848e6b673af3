/** Sections with a MUST of RFC 8707 (resource), RFC 9068 (JWT access tokens) and RFC 9396 (authorization details). */
export const musts = {
  'RFC 8707 §2': 'A resource is an absolute URI without a fragment; one that is unknown is invalid_target.',
  'RFC 9068 §2.1': 'A JWT access token is signed, never with none, and has typ at+jwt; RS256 is supported.',
  'RFC 9068 §2.2': 'A JWT access token has iss, exp, aud, sub, client_id, iat and jti.',
  'RFC 9068 §2.2.3': 'Each scope in a token means something at its audience.',
  'RFC 9068 §3':
    'The audience of a token is the resource asked for, or a default; ambiguous tokens are not issued.',
  'RFC 9068 §4': 'A resource server checks typ, iss, aud, signature (no none) and exp of a JWT access token.',
  'RFC 9068 §5': 'Each resource has an audience of its own.',
  'RFC 9068 §6': 'A client does not read access tokens.',
  'RFC 9396 §2': 'Each of the authorization details has a type.',
  'RFC 9396 §3.1': 'Scope and authorization details are decided together, and shown to the user together.',
  'RFC 9396 §5': 'Details of an unknown type, or wrong ones, are invalid_authorization_details.',
  'RFC 9396 §7': 'A token answer names the details that were granted.',
  'RFC 9396 §8': 'Details in a token request obey the rules of the authorization request.',
  'RFC 9396 §9': 'The resource server learns the granted details.',
  'RFC 9396 §9.2': 'Introspection returns the granted details in authorization_details.',
  'RFC 9396 §12': 'Details are protected against change on their way, and checked by the server.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'RFC 9396 §2.2': 'Locations, actions, data types, identifier and privileges mean the same in every type.',
  'RFC 9396 §6': 'A token request may only narrow the details that were authorized.',
  'RFC 9396 §9.1': 'A JWT access token has the details for its audience in authorization_details.',
  'RFC 8707 §2.2': 'A token request may narrow the resources of its grant, and never adds one.',
} as const
