/** Sections with a MUST of the RFCs on JWTs, their signatures and keys that the program refers to. */
export const musts = {
  'RFC 7515 §4.1.4': 'kid names the key of a signature.',
  'RFC 7515 §4.1.11': 'A reader refuses a JWT with critical members (crit) that it does not understand.',
  'RFC 7515 §5.2': 'A signature is checked over header and payload; if it does not hold, the JWS is refused.',
  'RFC 7517 §5': 'A JWK Set is a JSON object with a list keys; keys of unknown kinds are ignored.',
  'RFC 7517 §9.2': 'Private and symmetric keys are shown to nobody else.',
  'RFC 7518 §3.6': 'alg none has an empty signature, and is accepted only where it is asked for.',
  'RFC 7518 §3.3': 'RSA signatures use keys of 2048 bits or more.',
  'RFC 7519 §2': 'A time in a JWT is a number of seconds since 1970.',
  'RFC 7519 §4.1.3': 'A reader that is not in aud refuses the JWT.',
  'RFC 7519 §4.1.4': 'A JWT is refused at and after exp.',
  'RFC 7519 §4.1.5': 'A JWT is refused before nbf.',
  'RFC 7519 §4.1.6': 'iat is a number: the time at which the JWT was issued.',
  'RFC 7519 §4.1.7': 'jti is unique, so that a JWT can be accepted once.',
  'RFC 7519 §7.2':
    'A JWT has a header that is understood, and a JSON object as its claims; else it is refused.',
  'RFC 7800 §3.1': 'cnf names the key that the bearer of a JWT has to prove.',
  'RFC 8725 §3.1': 'A caller names the algorithms that it accepts, and each key is for one algorithm.',
  'RFC 8725 §3.2': 'A library accepts only the algorithms that the application allows, none least of all.',
  'RFC 9901 §4.1.1':
    'The hash of the digests in an SD-JWT has a name in _sd_alg, sha-256 where it is absent.',
  'RFC 9901 §7.1':
    'A reader refuses an SD-JWT where a digest stands twice, or no digest refers to a disclosure.',
  'RFC 9901 §7.3':
    'A key binding is signed by the key in cnf, is of type kb+jwt, and names the hash of what is presented.',
  'RFC 8725 §3.12': 'Different kinds of JWT have rules that no other kind passes.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'RFC 7517 §4.5': 'kid distinguishes keys, also while they rotate.',
  'RFC 7517 §4.1': 'kty names the kind of a key.',
  'RFC 7518 §3.1': 'The algorithms of signatures: HS256, RS256, ES256 and others.',
  'RFC 7519 §4.1.1': 'iss names who issued the JWT.',
  'RFC 8725 §2.1': 'Attackers change alg to none, or RS256 to HS256 with the public key as the secret.',
  'RFC 8725 §3.10':
    'Values in a header, such as kid and jku, are those of an attacker until the signature holds.',
} as const
