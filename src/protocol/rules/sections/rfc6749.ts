/** Sections of RFC 6749, the OAuth 2.0 authorization framework, that hold a MUST. */
export const musts = {
  'RFC 6749 §2':
    'A client registers before it takes part: its type, its redirect addresses and what the server asks.',
  'RFC 6749 §2.2': 'A client_id is no secret, and alone it authenticates nobody.',
  'RFC 6749 §2.3':
    'A client authenticates in one way a request, and a public client is not identified by it.',
  'RFC 6749 §2.3.1':
    'Servers accept client passwords by HTTP Basic, form-encoded, over TLS, never in the URI.',
  'RFC 6749 §2.3.2': 'Another authentication method needs a mapping from the client_id to the method.',
  'RFC 6749 §3.1':
    'The authorization endpoint asks who the user is, over TLS, and takes each parameter once.',
  'RFC 6749 §3.1.1': 'An authorization request names a known response_type, or it is answered with an error.',
  'RFC 6749 §3.1.2': 'A redirect address is absolute and has no fragment; its query stays.',
  'RFC 6749 §3.1.2.2':
    'Public clients, and clients of the implicit grant, register their redirect addresses.',
  'RFC 6749 §3.1.2.3':
    'The server compares the redirect_uri with the registered ones; a client with several sends one.',
  'RFC 6749 §3.1.2.4': 'A request with a wrong redirect_uri is never redirected to that address.',
  'RFC 6749 §3.1.2.5': 'A redirect page runs its own scripts before those of others.',
  'RFC 6749 §3.2': 'The token endpoint takes POST over TLS, and each parameter once.',
  'RFC 6749 §3.2.1':
    'A client with credentials authenticates at the token endpoint; any other sends its client_id.',
  'RFC 6749 §3.3':
    'An answer names the scope when it differs from the request; no scope means the default or an error.',
  'RFC 6749 §4.1.1': 'An authorization request for a code carries response_type=code and the client_id.',
  'RFC 6749 §4.1.2':
    'A code expires soon, is good once, belongs to its client and address; state comes back as sent.',
  'RFC 6749 §4.1.2.1':
    'Errors go back to the client with the state, unless the client or its address is wrong.',
  'RFC 6749 §4.1.3': 'A code is redeemed by its own client, with the redirect_uri that asked for it.',
  'RFC 6749 §4.2.1': 'An implicit request carries response_type=token, and its address is a registered one.',
  'RFC 6749 §4.2.2': 'An implicit answer carries the token in the fragment, and never a refresh token.',
  'RFC 6749 §4.2.2.1': 'Errors of the implicit grant come back in the fragment, with the state.',
  'RFC 6749 §4.3.1': 'A client that was given a password discards it once it has the token.',
  'RFC 6749 §4.3.2': 'The server checks the password, authenticates the client, and stops attempts to guess.',
  'RFC 6749 §4.4': 'Only confidential clients use the client credentials grant.',
  'RFC 6749 §4.4.2': 'A client credentials request is authenticated.',
  'RFC 6749 §5.1': 'A token answer is JSON with access_token and token_type, and is never stored by a cache.',
  'RFC 6749 §5.2':
    'A token error is JSON with an error code; a wrong Authorization header gets 401 and a challenge.',
  'RFC 6749 §6': 'A refresh token works for its own client only, and never for more scope than was granted.',
  'RFC 6749 §7': 'A resource server accepts only tokens that are valid, not expired and of enough scope.',
  'RFC 6749 §7.1': 'A client uses no token of a type that it does not understand.',
  'RFC 6749 §8.1': 'New token types are registered, or named by a URI.',
  'RFC 6749 §8.2': 'New parameters have names and values of a defined syntax.',
  'RFC 6749 §8.3': 'New grant types register the parameters that they add.',
  'RFC 6749 §8.4': 'New response types are registered under names of a defined syntax.',
  'RFC 6749 §8.5': 'New error codes are registered where their extension is.',
  'RFC 6749 §10.1':
    'Clients keep their credentials secret; native and browser clients are given none to prove themselves.',
  'RFC 6749 §10.2':
    'The server authenticates clients where it can, and has addresses registered where it cannot.',
  'RFC 6749 §10.3': 'Access tokens stay secret, travel over TLS alone, and cannot be guessed or forged.',
  'RFC 6749 §10.4': 'Refresh tokens stay secret, and are bound to the client that they were issued to.',
  'RFC 6749 §10.5': 'Codes are short-lived and single-use, and go to the client that asked.',
  'RFC 6749 §10.6': 'The redirect address of the token request is the one of the authorization request.',
  'RFC 6749 §10.8': 'Tokens, passwords and client secrets never travel in the clear.',
  'RFC 6749 §10.9': 'Endpoints are served over TLS, and the client checks the certificate.',
  'RFC 6749 §10.10': 'Nobody can guess a token, code or secret: at most one chance in 2^128.',
  'RFC 6749 §10.11': 'Every page on which a user acts is served over TLS.',
  'RFC 6749 §10.12':
    'Client and server protect their endpoints against forged requests of other sites (state).',
  'RFC 6749 §10.14':
    'Client and server check every value that they receive, state and redirect_uri above all.',
  'RFC 6749 §10.16': 'The implicit grant is no login: a token proves nothing about the person who brings it.',
  'RFC 6749 Appendix B': 'Names and values of a form are encoded in UTF-8 first, then percent-encoded.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'RFC 6749 §1.1': 'Four roles: resource owner, client, authorization server and resource server.',
  'RFC 6749 §1.3': 'A grant is the credential that stands for the permission of the resource owner.',
  'RFC 6749 §1.4': 'An access token stands for a permission: its scope, its lifetime, its resources.',
  'RFC 6749 §1.5': 'A refresh token obtains new access tokens, and is never sent to a resource server.',
  'RFC 6749 §2.1': 'Confidential clients can keep a secret; public clients cannot.',
  'RFC 6749 §4.1':
    'The code grant: the browser carries a code, and the client changes it for tokens directly.',
  'RFC 6749 §4.2': 'The implicit grant: the browser carries the token itself.',
  'RFC 6749 §4.3': 'The password grant: the user gives the password to the client.',
  'RFC 6749 §4.4.3': 'A client credentials answer has no refresh token.',
  'RFC 6749 §4.5': 'Other grants are named by a URI in grant_type.',
  'RFC 6749 §10.13': 'A server keeps its pages out of the frames of other sites (clickjacking).',
  'RFC 6749 §10.15':
    'Neither client nor server redirects to addresses that a request names (open redirector).',
} as const
