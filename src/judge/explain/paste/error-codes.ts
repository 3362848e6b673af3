import type { Citation } from '../../../protocol/rules/rule.js'

/** An error code of OAuth: the message that carries it, and its likeliest causes, the most frequent first. */
export interface ErrorCode {
  readonly where: string
  readonly rule: Citation
  readonly causes: readonly string[]
}

const CALLBACK = 'an authorization response: the redirect back to the client'
const TOKEN = 'an answer of the token endpoint'
const API = 'an answer of a resource server'
const REGISTRATION = 'an answer to the registration of a client'
const DEVICE = 'an answer of the token endpoint to a device that polls'

const code = (where: string, rule: Citation, ...causes: readonly string[]): ErrorCode => ({
  where,
  rule,
  causes,
})

const REDIRECT = code(
  'an error page of the authorization server, or an answer of its token endpoint',
  'RFC 6749 §3.1.2.3',
  'the redirect_uri of the request is not registered for this client: compare scheme, host, port, path and the slash at the end',
  'the client_id is that of another client or environment',
  'the token request names another redirect_uri than the authorization request',
)

/** The codes that are known by themselves. Others that a server makes up are quoted. */
export const ERROR_CODES: Readonly<Record<string, ErrorCode>> = {
  invalid_grant: code(
    TOKEN,
    'RFC 6749 §5.2',
    'the code was used before, such as by a page that was loaded twice, or it is older than its minute or ten',
    'the redirect_uri of the token request is not that of the authorization request, to the letter',
    'the code_verifier does not belong to the code_challenge: another login, or the wrong form of the digest',
    'the refresh token was rotated, revoked or belongs to another client',
    'the clock of the client is wrong, where an assertion is the grant',
  ),
  invalid_client: code(
    TOKEN,
    'RFC 6749 §5.2',
    'the client_secret is wrong, expired, or the id of the secret was sent in place of its value',
    'the client authenticates in another way than it is registered for: header, body or private_key_jwt',
    'the secret has characters that the Basic header needs form-encoded',
    'the client_id is that of another environment',
  ),
  invalid_request: code(
    'an answer of any endpoint',
    'RFC 6749 §5.2',
    'a parameter is missing or stands twice',
    'the body is JSON, and the endpoint reads a form',
    'credentials stand in the header and in the body at once',
  ),
  unauthorized_client: code(
    'an authorization response or a token answer',
    'RFC 6749 §5.2',
    'the client is not registered for this grant or response_type',
    'the redirect_uri is not registered: some servers call it so',
  ),
  unsupported_grant_type: code(
    TOKEN,
    'RFC 6749 §5.2',
    'grant_type was not read, because the body is not a form',
    'the server has this grant switched off, or names it otherwise',
  ),
  unsupported_response_type: code(
    CALLBACK,
    'RFC 6749 §4.1.2.1',
    'the server, or this client, has the implicit or hybrid flow switched off: use response_type=code',
  ),
  invalid_scope: code(
    'an authorization response or a token answer',
    'RFC 6749 §5.2',
    'a scope is unknown to the server, or not allowed for this client',
    'scopes are separated by commas, and not by spaces',
    'client_credentials asks for openid or offline_access, which need a person',
  ),
  access_denied: code(
    CALLBACK,
    'RFC 6749 §4.1.2.1',
    'the person pressed Cancel, or did not consent',
    'a rule of the server refuses this person or this application, such as a missing assignment',
  ),
  server_error: code(CALLBACK, 'RFC 6749 §4.1.2.1', 'the server failed: its log has the cause'),
  temporarily_unavailable: code(CALLBACK, 'RFC 6749 §4.1.2.1', 'the server is busy: try again later'),
  login_required: code(
    CALLBACK,
    'OpenID Connect Core §3.1.2.6',
    'prompt=none was asked, and the person has no session at the server',
    'the session cookie did not arrive, because the browser blocks cookies of third parties in frames',
  ),
  interaction_required: code(
    CALLBACK,
    'OpenID Connect Core §3.1.2.6',
    'prompt=none was asked, and the server has a question: consent, a second factor, new terms',
    'the session cookie did not arrive in a frame of a third party',
  ),
  consent_required: code(
    CALLBACK,
    'OpenID Connect Core §3.1.2.6',
    'prompt=none was asked before the person had consented',
    'the scope grew since the person consented',
  ),
  account_selection_required: code(
    CALLBACK,
    'OpenID Connect Core §3.1.2.6',
    'prompt=none was asked, and the person has several accounts: send login_hint',
  ),
  invalid_token: code(
    API,
    'RFC 6750 §3.1',
    'the access token expired, or was revoked',
    'it was issued by another server or for another audience',
    'an ID token was sent in place of the access token',
  ),
  insufficient_scope: code(
    API,
    'RFC 6750 §3.1',
    'the token has not the scope that the API needs: ask for it in the authorization request',
  ),
  invalid_dpop_proof: code(
    TOKEN,
    'RFC 9449 §5',
    'htm or htu is not that of the request',
    'iat is too old, or the clock is wrong',
    'the proof was sent twice',
    'ath is missing at a resource server',
  ),
  use_dpop_nonce: code(
    TOKEN,
    'RFC 9449 §8',
    'the server wants its nonce in the proof: repeat the request with the DPoP-Nonce of the answer',
  ),
  invalid_target: code(TOKEN, 'RFC 8707 §2', 'the resource is unknown to the server, or was not authorized'),
  authorization_pending: code(DEVICE, 'RFC 8628 §3.5', 'the person has not decided yet: poll on'),
  slow_down: code(DEVICE, 'RFC 8628 §3.5', 'polls come too fast: add five seconds to the interval'),
  expired_token: code(DEVICE, 'RFC 8628 §3.5', 'the code of the device is too old: begin again'),
  invalid_redirect_uri: code(
    REGISTRATION,
    'RFC 7591 §3.2.2',
    'the redirect_uri has a fragment, is http and not on loopback, or is a wildcard',
  ),
  invalid_client_metadata: code(
    REGISTRATION,
    'RFC 7591 §3.2.2',
    'members contradict each other, such as grant_types and response_types',
  ),
  redirect_uri_mismatch: REDIRECT,
  bad_verification_code: code(
    TOKEN,
    'RFC 6749 §5.2',
    'GitHub: the code was used before, expired after ten minutes, or is of another application',
  ),
  incorrect_client_credentials: code(
    TOKEN,
    'RFC 6749 §5.2',
    'GitHub: client_id and client_secret do not belong together',
  ),
}
