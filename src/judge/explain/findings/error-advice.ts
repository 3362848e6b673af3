/** The next move after an error code of a server, for the people of both sides. */
const moves: Readonly<Record<string, string>> = {
  access_denied: 'the user, or a rule of the server, said no: look into the log of the server',
  consent_required: 'the user has to agree first: leave prompt=none out',
  expired_token: 'begin again: the code of the device was good for a short time only',
  insufficient_scope: 'ask for the scope that the API needs',
  interaction_required: 'the user has to do something: leave prompt=none out',
  invalid_client: 'check the client_id, its secret or key, and the way in which it authenticates',
  invalid_dpop_proof: 'check htm, htu, iat and the key of the proof',
  invalid_grant:
    'the code or refresh token expired, was used before, or belongs to another client or redirect_uri',
  invalid_redirect_uri: 'register this redirect_uri, to the letter',
  invalid_request: 'a parameter is missing, repeated or wrong: compare with the documentation of the server',
  invalid_scope: 'ask for scopes that the server knows and the client may have',
  invalid_token: 'the token expired, was revoked, or is for another API',
  login_required:
    'the user has no session at the server: leave prompt=none out; third-party cookies may be blocked',
  server_error: 'look into the log of the server, at this time',
  temporarily_unavailable: 'try again later',
  unauthorized_client: 'allow the client this grant where it is registered',
  unsupported_grant_type: 'the server does not know this grant_type',
  unsupported_response_type: 'the server, or this client, may not use this response_type',
  use_dpop_nonce: 'repeat the request with the nonce of the DPoP-Nonce header',
}

/** Returns the next move after an error code; undefined for an unknown one. */
export function errorAdvice(code: string): string | undefined {
  return Object.hasOwn(moves, code) ? moves[code] : undefined
}
