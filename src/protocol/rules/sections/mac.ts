/** Sections with a MUST of the draft of MAC tokens, which the lab can issue. */
export const musts = {
  'draft-ietf-oauth-v2-http-mac-00 §3.1':
    'A MAC request has the id of its key, a nonce that is used once, and the mac.',
  'draft-ietf-oauth-v2-http-mac-00 §3.2': 'bodyhash is the hash of the body that was sent.',
  'draft-ietf-oauth-v2-http-mac-00 §3.3':
    'mac is a MAC over nonce, method, address, host, port and body hash.',
  'draft-ietf-oauth-v2-http-mac-00 §4':
    'A server computes the mac again, and refuses another value or a nonce that was used.',
  'draft-ietf-oauth-v2-http-mac-00 §5.1': 'A token of type mac comes with its key and algorithm.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'draft-ietf-oauth-v2-http-mac-00 §3.3.1':
    'The text that is signed has one line for each part of the request.',
} as const
