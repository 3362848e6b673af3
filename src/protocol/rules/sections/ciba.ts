/** Sections with a MUST of OpenID Connect Client-Initiated Backchannel Authentication (CIBA) Core 1.0. */
export const musts = {
  'OpenID Connect CIBA Core §4':
    'A server announces its endpoint and its delivery modes; a client of ping registers an https address for notifications.',
  'OpenID Connect CIBA Core §7':
    'Backchannel authentication is a POST over TLS, and the client authenticates.',
  'OpenID Connect CIBA Core §7.1':
    'A request has openid and exactly one hint, and for ping a client_notification_token of 1024 characters at most.',
  'OpenID Connect CIBA Core §7.1.1':
    'A signed request has iss, aud, exp, iat, nbf and jti and a signature with a public key; no parameter stands beside it.',
  'OpenID Connect CIBA Core §7.2':
    'The server checks the client, the hint and the person before it acknowledges a request.',
  'OpenID Connect CIBA Core §7.3':
    'The answer has an auth_req_id that cannot be guessed and expires_in; without interval it is 5 s.',
  'OpenID Connect CIBA Core §7.4': 'The client keeps the auth_req_id, and polls no faster than the interval.',
  'OpenID Connect CIBA Core §8':
    'The server asks the person who was named, and nobody else, on their own device.',
  'OpenID Connect CIBA Core §9': 'A client takes notifications only with the bearer token that it sent.',
  'OpenID Connect CIBA Core §10.1':
    'A client of poll or ping sends its auth_req_id to the token endpoint, and authenticates.',
  'OpenID Connect CIBA Core §10.1.1':
    'The answer has an access token and an id_token; an auth_req_id is good once.',
  'OpenID Connect CIBA Core §10.2':
    'A ping is a POST of JSON with the auth_req_id and the token of the client, which answers 204.',
  'OpenID Connect CIBA Core §11':
    'A client waits between polls, 5 s longer after slow_down, and stops at any other error.',
  'OpenID Connect CIBA Core §13':
    'A refused request is a 400 with its error, a 401 for a client without proof, a 403 for access_denied.',
} as const
