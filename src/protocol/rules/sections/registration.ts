/** Sections with a MUST of RFC 7591 (client registration) and RFC 7592 (its management). */
export const musts = {
  'RFC 7591 §2':
    'Clients with redirects register their addresses, and metadata that a server does not know is ignored.',
  'RFC 7591 §2.1': 'grant_types and response_types of a client fit together.',
  'RFC 7591 §2.2': 'A text without a language tag is shown as it is; nobody guesses its language.',
  'RFC 7591 §2.3': 'A software statement is a signed JWT with an issuer, or it is refused.',
  'RFC 7591 §3': 'The registration endpoint takes JSON by POST, over TLS.',
  'RFC 7591 §3.1.1': 'Values of a software statement go before those that stand beside it.',
  'RFC 7591 §3.2.1':
    'The answer (201) has a unique client_id, all registered metadata, and the expiry of a secret.',
  'RFC 7591 §3.2.2': 'A refused registration is a 400 with an error code such as invalid_redirect_uri.',
  'RFC 7591 §5':
    'Registration needs TLS, checks names and addresses that could mislead users, and trusts no claim of a client.',
  'RFC 7592 §2': 'A client manages its registration over TLS, with its registration access token.',
  'RFC 7592 §2.1':
    'Reading returns the registration; a client discards secrets that were replaced; a wrong token is 401.',
  'RFC 7592 §2.2': 'Updating replaces all metadata, and cannot choose the client_id or a new secret.',
  'RFC 7592 §2.3': 'Deleting answers 204, and ends the client and its registration access token.',
  'RFC 7592 §3': 'The answer has registration_client_uri and registration_access_token beside the metadata.',
  'RFC 7592 §5': 'Registration access tokens are secrets, and travel over TLS alone.',
  'RFC 7592 Appendix A.1':
    'A rotated registration access token replaces the old one, which the client discards.',
  'RFC 7592 Appendix B': 'The client uses the management URL as the server gave it, and never builds one.',
} as const
