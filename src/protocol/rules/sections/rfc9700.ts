/** Sections of RFC 9700, the best current practice for OAuth 2.0 security, that hold a MUST. */
export const musts = {
  'RFC 9700 §2.1':
    'Redirect addresses match exactly, no open redirectors, and clients stop forged answers (state, PKCE or nonce).',
  'RFC 9700 §2.1.1': 'Public clients use PKCE, servers support and enforce it, and stop its downgrade.',
  'RFC 9700 §2.2.2': 'Refresh tokens of public clients are bound to a key or rotated.',
  'RFC 9700 §2.3': 'A resource server refuses tokens that are for another server or action.',
  'RFC 9700 §2.4': 'The password grant is not used.',
  'RFC 9700 §2.6':
    'Answers travel encrypted, http is for the loopback of native apps alone, and endpoints for pages allow origins (CORS).',
  'RFC 9700 §3': 'Every kind of attacker in reach is taken into account.',
  'RFC 9700 §4.1.3':
    'Redirect addresses are compared as strings; only the port of a loopback address may vary.',
  'RFC 9700 §4.2.4':
    'A code is worth nothing after its first use, so that one in a Referer is worth nothing.',
  'RFC 9700 §4.3.2': 'Access tokens never stand in a query.',
  'RFC 9700 §4.4.2':
    'A client of several servers keeps which one it asked, and defends itself against mix-up.',
  'RFC 9700 §4.4.2.1': 'The issuer in the answer is the one that was asked; else the client stops.',
  'RFC 9700 §4.4.2.2':
    'A client with one address for each server checks at which of them the answer arrived.',
  'RFC 9700 §4.5.3.2': 'A client that relies on nonce checks it before it uses any token.',
  'RFC 9700 §4.7.1':
    'PKCE replaces state only where the server supports PKCE; state that carries data is protected.',
  'RFC 9700 §4.8.2': 'A code_verifier for a code without challenge is refused.',
  'RFC 9700 §4.9.3': 'A resource server treats tokens as secrets, and stores or sends none in plain text.',
  'RFC 9700 §4.11.1': 'A client is no open redirector.',
  'RFC 9700 §4.11.2':
    'A server never redirects before it knows user and client, and guards against addresses of attackers.',
  'RFC 9700 §4.12': 'A request that may hold a password is never redirected by 307.',
  'RFC 9700 §4.13':
    'A reverse proxy cleans the headers of requests, and its link to the server is protected.',
  'RFC 9700 §4.14.2':
    'Reuse of a refresh token of a public client is noticed; a refresh token keeps its scope and resources.',
  'RFC 9700 §4.15.1': 'Tokens of clients differ from tokens of users.',
  'RFC 9700 §4.16': 'A server keeps its pages out of frames.',
  'RFC 9700 §4.17.2': 'Answers by postMessage go to one exact origin, and the sender is checked.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'RFC 9700 §2.1.2': 'No access token in the authorization response: use the code grant.',
  'RFC 9700 §2.2.1': 'Access tokens are bound to a key of their client.',
  'RFC 9700 §2.5': 'Clients authenticate where they can, best by keys.',
  'RFC 9700 §4.1.1': 'A pattern for redirect addresses lets an attacker have the code.',
  'RFC 9700 §4.1.2':
    'A pattern for redirect addresses, with an open redirector, lets an attacker have the token.',
  'RFC 9700 §4.2': 'A Referer header gives codes and state to other sites.',
  'RFC 9700 §4.3.1': 'A code stays in the history of the browser.',
  'RFC 9700 §4.4': 'An attacker makes a client take the answer of one server for that of another.',
  'RFC 9700 §4.4.1': 'A mixed-up client sends the code of the honest server to the attacker.',
  'RFC 9700 §4.5': 'An attacker puts a stolen code into a login of their own.',
  'RFC 9700 §4.5.3.1': 'PKCE stops an injected code: its challenge belongs to another session.',
  'RFC 9700 §4.6': 'An attacker puts a stolen access token into the answer to a client.',
  'RFC 9700 §4.6.1':
    'A client that takes tokens from the browser compares at_hash; the code grant has no need to.',
  'RFC 9700 §4.7': 'An attacker makes a victim use an authorization of the attacker.',
  'RFC 9700 §4.8': 'An attacker removes PKCE from a request.',
  'RFC 9700 §4.8.1': 'A server that accepts a request without challenge accepts its code without verifier.',
  'RFC 9700 §4.9': 'A resource server can leak the tokens that it is sent.',
  'RFC 9700 §4.9.1': 'A counterfeit resource server collects tokens.',
  'RFC 9700 §4.9.2': 'A resource server that was broken into gives its tokens away.',
  'RFC 9700 §4.10': 'A stolen token opens everything that it was good for.',
  'RFC 9700 §4.10.1': 'A token that is bound to a key is no use without the key.',
  'RFC 9700 §4.10.2': 'A token that names its audience is no use elsewhere.',
  'RFC 9700 §4.11': 'An address that redirects anywhere helps phishing and takes codes along.',
  'RFC 9700 §4.14': 'A stolen refresh token is worth more than an access token.',
  'RFC 9700 §4.14.1': 'Rotation makes the theft of a refresh token visible.',
  'RFC 9700 §4.15': 'A client whose client_id is the sub of a user could act as that user.',
} as const
