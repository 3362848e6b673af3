/** Sections with a MUST of RFC 8628 (device grant) and RFC 8693 (token exchange). */
export const musts = {
  'RFC 8628 §3.1': 'A device asks for codes over TLS, with its client_id and each parameter once.',
  'RFC 8628 §3.2':
    'The answer has device_code, user_code, verification_uri and expires_in; without interval it is 5 s.',
  'RFC 8628 §3.3': 'The user opens the verification address, enters the code, and is asked.',
  'RFC 8628 §3.3.1': 'A device that shows a picture code shows the user_code as well.',
  'RFC 8628 §3.4': 'A device polls with its device_code, and authenticates if it has credentials.',
  'RFC 8628 §3.5': 'A device waits between polls, 5 s longer after slow_down, and stops at any other error.',
  'RFC 8693 §2.1':
    'An exchange names the subject token and its type, an actor only with its type, and no resource with a fragment.',
  'RFC 8693 §2.2.1': 'The answer says what was issued: access_token, issued_token_type, token_type.',
  'RFC 8693 §2.2.2': 'A subject or actor token that is invalid or not acceptable is invalid_request.',
  'RFC 8693 §4.1': 'Only the current actor counts for access; earlier actors are information.',
  'RFC 8693 §6': 'Tokens with private data travel encrypted.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'RFC 8628 §5.1': 'A user_code is guarded against guessing: enough entropy, few attempts.',
  'RFC 8628 §5.4': 'The page warns users of codes that somebody else sent them.',
  'RFC 8693 §1.1': 'Delegation names the actor beside the subject; impersonation does not.',
  'RFC 8693 §5': 'An exchanged token lives no longer and does no more than it has to.',
} as const
