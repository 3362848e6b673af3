/** Sections with a MUST of RFC 9101 (request objects, JAR) and RFC 9126 (pushed requests, PAR). */
export const musts = {
  'RFC 9101 §4':
    'A request object is a signed JWT with all parameters, and has no request or request_uri in it.',
  'RFC 9101 §5': 'A request has client_id and one of request and request_uri.',
  'RFC 9101 §5.2': 'A request_uri leads to a request object, by https or as a URN.',
  'RFC 9101 §5.2.1': 'A request_uri cannot be guessed while it is good.',
  'RFC 9101 §5.2.3': 'The server fetches the request object by GET.',
  'RFC 9101 §6.1': 'An encrypted request object is decrypted, or it is invalid_request_object.',
  'RFC 9101 §6.2':
    'The signature is checked with a key of the client and its algorithm, or it is invalid_request_object.',
  'RFC 9101 §6.3': 'Only the parameters in the request object count, and its client_id is the one beside it.',
  'RFC 9101 §8': 'Request objects are fetched over TLS, and the certificate is checked.',
  'RFC 9101 §10.1': 'A request object is signed, or signed and then encrypted.',
  'RFC 9101 §10.2': 'The server knows for sure which client made a request object.',
  'RFC 9101 §10.5': 'Where signed requests are required, others are refused, and so is alg none.',
  'RFC 9101 §10.4.1':
    'The server fetches no unexpected request_uri, checks the media type, and gives up in time.',
  'RFC 9101 §10.7': 'Both client_ids agree, and no parameter beside the request object counts.',
  'RFC 9101 §10.8': 'The typ of a request object is oauth-authz-req+jwt, and its sub is not the client_id.',
  'RFC 9101 §11.1':
    'A consent page names the client, and the server checks where it fetches request objects.',
  'RFC 9101 §11.2.1': 'A request_uri with private data has enough entropy.',
  'FAPI 2.0 Message Signing §5.3.1':
    'A request object names the issuer in aud, and has a recent nbf and an exp within 60 minutes of it.',
  'RFC 9126 §2':
    'The endpoint for pushed requests is https, and accepts the issuer as audience of a client assertion.',
  'RFC 9126 §2.1':
    'A client pushes its request authenticated, without request_uri, and it is checked at once.',
  'RFC 9126 §2.2':
    'The answer (201) has a request_uri that cannot be guessed, for this client, and expires_in.',
  'RFC 9126 §2.3': 'A server that requires signed requests accepts no other at this endpoint.',
  'RFC 9126 §3': 'Beside a pushed request object stand only client credentials.',
  'RFC 9126 §4': 'A request_uri is used once, by its client; an expired one is refused.',
  'RFC 9126 §5': 'The metadata say if every authorization request must be pushed.',
  'RFC 9126 §6': 'A client that is registered to push its requests may send no other.',
  'RFC 9126 §7.1': 'A request_uri cannot be guessed.',
  'RFC 9126 §7.2': 'Only an authenticated client may push a redirect address that is not registered.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'RFC 9126 §2.4': 'A server may accept new redirect addresses of clients that authenticate.',
} as const
