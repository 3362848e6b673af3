/** Sections of OpenID Connect Core 1.0 that hold a MUST. */
export const musts = {
  'OpenID Connect Core §1.2':
    'The userinfo endpoint is https, and a request_uri can be fetched by the server.',
  'OpenID Connect Core §2':
    'An ID token has iss, sub, aud (the client), exp and iat, the nonce of the request, and a signature.',
  'OpenID Connect Core §3.1.2': 'The authorization endpoint is served over TLS.',
  'OpenID Connect Core §3.1.2.1':
    'A login request has the scope openid, and a registered redirect_uri; GET and POST both work.',
  'OpenID Connect Core §3.1.2.2':
    'The server checks every parameter, and logs in the user that id_token_hint or sub names, or none.',
  'OpenID Connect Core §3.1.2.3':
    'prompt=login and a passed max_age ask for the password again; prompt=none asks for nothing.',
  'OpenID Connect Core §3.1.2.4': 'The user decides before the client learns anything.',
  'OpenID Connect Core §3.1.2.5': 'A login answer has the code and state in the query of the redirect_uri.',
  'OpenID Connect Core §3.1.2.6':
    'A login error (login_required, consent_required, …) goes to a valid redirect_uri only, with the state.',
  'OpenID Connect Core §3.1.2.7': 'The client checks the answer, state above all.',
  'OpenID Connect Core §3.1.3': 'The token endpoint is served over TLS.',
  'OpenID Connect Core §3.1.3.1': 'A confidential client authenticates by its registered method.',
  'OpenID Connect Core §3.1.3.2':
    'A code is checked: client, first use, redirect_uri, and that a login asked for it.',
  'OpenID Connect Core §3.1.3.3':
    'A token answer has an ID token and the type Bearer, and no cache keeps it.',
  'OpenID Connect Core §3.1.3.5': 'The client checks the token answer by OAuth, and its ID token.',
  'OpenID Connect Core §3.1.3.7':
    'The client checks iss, aud, azp, signature, alg, exp, iat, nonce and, if asked for, acr and auth_time.',
  'OpenID Connect Core §3.2.2.1': 'An implicit login request has a nonce, and a registered https address.',
  'OpenID Connect Core §3.2.2.5':
    'An implicit answer has id_token, token_type and state, all in the fragment.',
  'OpenID Connect Core §3.2.2.6': 'Errors of an implicit login come in the fragment.',
  'OpenID Connect Core §3.2.2.8': 'The client checks an implicit answer, its ID token and its access token.',
  'OpenID Connect Core §3.2.2.9': 'at_hash in the ID token is the hash of the access token beside it.',
  'OpenID Connect Core §3.2.2.10':
    'An ID token from the authorization endpoint has a nonce, and at_hash beside an access token.',
  'OpenID Connect Core §3.2.2.11':
    'The client checks signature and nonce of an ID token that came through the browser.',
  'OpenID Connect Core §3.3.2.1':
    'A hybrid request has a nonce that cannot be guessed, if it asks for an ID token.',
  'OpenID Connect Core §3.3.2.6': 'Errors of a hybrid login come in the fragment.',
  'OpenID Connect Core §3.3.2.8':
    'The client checks a hybrid answer, its ID token, its access token and its code.',
  'OpenID Connect Core §3.3.2.10': 'c_hash in the ID token is the hash of the code beside it.',
  'OpenID Connect Core §3.3.2.11':
    'A hybrid ID token has the nonce, at_hash beside a token, and c_hash beside a code.',
  'OpenID Connect Core §3.3.2.12': 'A hybrid ID token is checked as an implicit one.',
  'OpenID Connect Core §3.3.3.6': 'Both ID tokens of a hybrid login name one issuer and one subject.',
  'OpenID Connect Core §3.3.3.7': 'The second ID token of a hybrid login is checked as one of the code flow.',
  'OpenID Connect Core §4':
    'A login that another site starts names its issuer, and leads to no foreign address.',
  'OpenID Connect Core §5.1': 'Name and e-mail are for showing: a client relies on neither being unique.',
  'OpenID Connect Core §5.3': 'Userinfo takes GET and POST with a bearer token, over TLS.',
  'OpenID Connect Core §5.3.1': 'The access token of the login is sent to userinfo as a bearer token.',
  'OpenID Connect Core §5.3.2':
    'Userinfo has a sub, and the client uses nothing unless it is the sub of the ID token.',
  'OpenID Connect Core §5.3.4':
    'The client checks the certificate of userinfo, and a signature if there is one.',
  'OpenID Connect Core §5.5':
    'A claims request for userinfo asks for an access token too; unknown members are ignored.',
  'OpenID Connect Core §5.5.1': 'A claim that the user does not release is left out, and is no error.',
  'OpenID Connect Core §5.5.1.1': 'An essential acr that cannot be reached makes the login fail.',
  'OpenID Connect Core §5.6': 'Normal claims are supported.',
  'OpenID Connect Core §5.6.2':
    'Claims of other parties come as a JWT of theirs, or by an endpoint and a token.',
  'OpenID Connect Core §5.7': 'Only iss and sub together identify a user; an e-mail address does not.',
  'OpenID Connect Core §6': 'A request has request or request_uri, never both.',
  'OpenID Connect Core §6.1':
    'A request object agrees with client_id and response_type beside it, and holds no other request object.',
  'OpenID Connect Core §6.2':
    'A request_uri has at most 512 characters, and leads to a request object by https.',
  'OpenID Connect Core §6.2.1': 'A request_uri cannot be guessed while it is good.',
  'OpenID Connect Core §6.2.3': 'The server fetches the request object by GET.',
  'OpenID Connect Core §6.3.1': 'An encrypted request object is decrypted, or refused.',
  'OpenID Connect Core §6.3.2': 'The alg of a request object is the registered one, and its signature holds.',
  'OpenID Connect Core §6.3.3': 'Parameters of the request object go before those beside it.',
  'OpenID Connect Core §7.3': 'A request to a self-issued provider has its redirect_uri as client_id.',
  'OpenID Connect Core §7.4': 'A self-issued answer holds the key in sub_jwk, and its thumbprint as sub.',
  'OpenID Connect Core §7.5':
    'A self-issued ID token is checked with the key that it holds, and its sub is that thumbprint.',
  'OpenID Connect Core §8': 'Metadata list the types of sub that the provider gives.',
  'OpenID Connect Core §8.1': 'A pairwise sub differs from sector to sector, and nobody can turn it back.',
  'OpenID Connect Core §9':
    'A client authenticates by its registered method; a JWT for it has iss, sub, aud, jti and exp.',
  'OpenID Connect Core §10': 'What is signed and encrypted is signed first.',
  'OpenID Connect Core §10.1':
    'The signer uses an algorithm that the reader supports, and names its key if there are several.',
  'OpenID Connect Core §10.2': 'The sender encrypts with a published key of the reader.',
  'OpenID Connect Core §10.2.1':
    'A replaced encryption key leaves the published set, and decrypts for a while.',
  'OpenID Connect Core §11': 'offline_access is granted with the consent of the user, or ignored.',
  'OpenID Connect Core §12.1': 'A refresh token is checked, with its client.',
  'OpenID Connect Core §12.2': 'An ID token from a refresh has the same iss, sub and aud as the first one.',
  'OpenID Connect Core §14': 'Strings are compared code point by code point, without normalization.',
  'OpenID Connect Core §15.1':
    'Every provider supports RS256, prompt, display, locales, auth_time, max_age and acr_values.',
  'OpenID Connect Core §15.2':
    'A provider that clients find by themselves supports discovery, registration and implicit login.',
  'OpenID Connect Core §15.4': 'A client obeys the demands of every feature that it uses.',
  'OpenID Connect Core §16.4': 'Access tokens are shown to nobody who has no right to them.',
  'OpenID Connect Core §16.11':
    'A login never rests on an access token alone, which may have been issued to another client.',
  'OpenID Connect Core §16.15': 'The issuer of discovery and the iss of ID tokens are one string.',
  'OpenID Connect Core §16.17': 'Implementations support TLS, and check its certificates.',
  'OpenID Connect Core §16.19': 'A client secret that signs has enough entropy for its algorithm.',
  'OpenID Connect Core §16.22': 'A redirect to the client is never a 307.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'OpenID Connect Core §3.1.3.8': 'at_hash of the code flow may be checked as in the implicit flow.',
  'OpenID Connect Core §3.3.2.5':
    'A hybrid answer has a code, with an ID token, an access token or both beside it.',
  'OpenID Connect Core §5.3.3': 'An error of userinfo is one of bearer tokens.',
  'OpenID Connect Core §5.4': 'A scope stands for claims: profile, email, address, phone.',
} as const
