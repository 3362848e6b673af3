/** Sections with a MUST of RFC 7636 (PKCE) and RFC 8252 (native apps). */
export const musts = {
  'RFC 7636 §4.2': 'A client that can do S256 uses S256.',
  'RFC 7636 §4.3': 'The authorization request carries a code_challenge.',
  'RFC 7636 §4.4': 'The server keeps challenge and method with the code, readable by nobody else.',
  'RFC 7636 §4.4.1': 'A missing challenge, where one is required, or an unknown method is invalid_request.',
  'RFC 7636 §4.5':
    'The token request carries the code_verifier, which is checked by the method of the challenge.',
  'RFC 7636 §4.6': 'A code_verifier that does not fit the challenge is invalid_grant.',
  'RFC 7636 §7.2': 'A client does not fall back to plain after S256.',
  'RFC 8252 §5': 'Native apps log users in with a browser outside the app.',
  'RFC 8252 §6': 'Public native apps use PKCE, and servers support it.',
  'RFC 8252 §7':
    'Servers offer native apps private URI schemes, claimed https addresses and loopback addresses.',
  'RFC 8252 §7.1': 'A private URI scheme is a reversed domain name of the maker.',
  'RFC 8252 §7.2': 'An app with a claimed https address is registered as a native client.',
  'RFC 8252 §7.3': 'A loopback address is accepted with any port.',
  'RFC 8252 §8.4': 'Native apps are registered as public clients, with their whole redirect addresses.',
  'RFC 8252 §8.5': 'A secret that ships with an app proves nothing: its client is public.',
  'RFC 8252 §8.10': 'An app has one redirect address for each server, and checks where an answer arrived.',
  'RFC 8252 §8.12': 'Native apps open no login page in a view of their own.',
  'RFC 8252 Appendix B.3': 'On Windows, the login broker is used in its single sign-on mode.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'RFC 7636 §1.1': 'The client makes a secret a request, sends its hash first and the secret with the code.',
  'RFC 7636 §4.1': 'A code_verifier has 43 to 128 unreserved characters, drawn at random.',
  'RFC 8252 §8.3': 'Loopback addresses may use plain http, since the request never leaves the machine.',
  'RFC 8252 §8.6': 'A native app without a secret can be imitated, so the user is asked each time.',
} as const
