/** Sections with a MUST of RFC 8705 (certificates) and RFC 9449 (DPoP): tokens that are bound to a key. */
export const musts = {
  'RFC 8705 §2':
    'A client that authenticates by certificate sends its client_id, and the server ties certificate and client.',
  'RFC 8705 §2.1':
    'A certificate of an authority is accepted where its chain holds and its subject is the registered one.',
  'RFC 8705 §2.2':
    'A certificate that signs itself is accepted where its key is among the keys of the client.',
  'RFC 8705 §2.1.2': 'A client is registered with exactly one form of the subject of its certificate.',
  'RFC 8705 §3':
    'A bound token is used over TLS with the same certificate; any other is invalid_token (401).',
  'RFC 8705 §3.1': 'The thumbprint in a token is base64url without padding.',
  'RFC 8705 §3.2': 'Introspection shows the thumbprint of the certificate in cnf.',
  'RFC 8705 §3.4':
    'A client that is registered for bound tokens is refused, or gets unbound ones, without a certificate.',
  'RFC 8705 §4': 'The refresh token of a public client is bound to the certificate too.',
  'RFC 8705 §5': 'A client with a certificate uses the endpoint aliases for mutual TLS, if there are any.',
  'RFC 9449 §2': 'DPoP does not replace TLS.',
  'RFC 9449 §4.2': 'A proof has typ dpop+jwt, an asymmetric alg, a public jwk, and jti, htm, htu and iat.',
  'RFC 9449 §4.3':
    'A server accepts one proof a request, made for this method and address, recent, and signed by its key.',
  'RFC 9449 §5':
    'A token request with a proof gets a token bound to its key; public clients get a bound refresh token.',
  'RFC 9449 §5.2': 'A client that is registered for bound tokens is refused without a proof.',
  'RFC 9449 §6':
    'A resource server recognizes bound tokens, and compares their key with the one of the proof.',
  'RFC 9449 §6.1': 'A bound JWT holds the thumbprint of the key in cnf.jkt.',
  'RFC 9449 §6.2': 'Introspection shows cnf.jkt, and token_type DPoP.',
  'RFC 9449 §7': 'A request with a bound token has a proof with the hash of the token (ath).',
  'RFC 9449 §7.1': 'A bound token comes after the word DPoP, with a proof that holds; else it opens nothing.',
  'RFC 9449 §7.2': 'A bound token that comes as a bearer token is refused.',
  'RFC 9449 §8':
    'A nonce of the server cannot be guessed; a proof with another one is answered with use_dpop_nonce.',
  'RFC 9449 §8.2': 'A client uses a new nonce from the next request on.',
  'RFC 9449 §10': 'A code that is bound to a key (dpop_jkt) is redeemed with a proof of that key.',
  'RFC 9449 §10.1':
    'A pushed request binds its code by dpop_jkt or by a proof, which agree if both are there.',
  'RFC 9449 §11.1': 'A proof is accepted for a short time only, and once.',
  'RFC 9449 §11.3': 'A server that gave a nonce accepts no proof without one.',
  'RFC 9449 §11.5': 'The typ of a proof is checked, so that no other JWT passes for one.',
  'RFC 9449 §11.6': 'Proofs are signed by asymmetric algorithms, never by none.',
} as const
