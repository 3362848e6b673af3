import {
  API,
  audience,
  BACKCHANNEL,
  bare,
  blocked,
  CALLBACK,
  CLIENT,
  client,
  clock,
  DEVICE,
  denied,
  discovery,
  EITHER,
  ENTRA,
  exchange,
  federation,
  frame,
  grant,
  interaction,
  issuer,
  type KnownError,
  keys,
  known,
  login,
  loop,
  malformed,
  object,
  PROMPT,
  password,
  plainOAuth,
  popup,
  proof,
  REGISTER,
  REGISTRATION,
  redirect,
  request,
  SCRIPT,
  SECTION_4,
  SECTION_5,
  scope,
  state,
  TOKEN,
  target,
  token,
  twoCredentials,
  unallowed,
  unassigned,
  unchallenged,
  unnamed,
  verifier,
} from './error-groups.js'
import { errorByMessage } from './known-messages.js'
import type { Message } from './message.js'
import type { ServerWords } from './words.js'

/** A token without the scope that an API needs. */
const narrow = known(
  API,
  'RFC 6750 §3.1',
  'ask for the scope that the API needs',
  'the token has not the scope that the API needs: ask for it in the authorization request',
)

const device = (next: string, ...causes: readonly string[]) => known(DEVICE, 'RFC 8628 §3.5', next, ...causes)
const backchannel = (next: string) => known(BACKCHANNEL, 'OpenID Connect CIBA Core §13', next)

/** The codes that are known. Others that a server makes up are quoted. */
const CODES: Readonly<Record<string, KnownError>> = {
  invalid_grant: grant,
  invalid_code: grant,
  bad_verification_code: grant,
  invalid_client: client,
  invalid_client_credentials: client,
  incorrect_client_credentials: client,
  invalid_client_id: client,
  bad_client_id: client,
  deleted_client: client,
  application_suspended: client,
  unauthorized: client,
  invalid_request: request,
  unauthorized_client: unallowed,
  unsupported_grant_type: known(
    TOKEN,
    SECTION_5,
    'the server does not know this grant_type',
    'grant_type was not read, because the body is not a form',
    'the server has this grant switched off, or names it otherwise',
  ),
  unsupported_response_type: known(
    CALLBACK,
    SECTION_4,
    'the server, or this client, may not use this response_type',
    'the server, or this client, has the implicit or hybrid flow switched off: use response_type=code',
  ),
  invalid_scope: scope,
  access_denied: denied,
  user_denied: denied,
  server_error: known(
    EITHER,
    SECTION_4,
    'look into the log of the server, at this time',
    'the server failed: its log has the cause',
  ),
  temporarily_unavailable: known(
    EITHER,
    SECTION_4,
    'try again later',
    'the server is busy, or slows down a client that asks too often',
  ),
  login_required: login,
  interaction_required: interaction,
  mfa_required: interaction,
  unmet_authentication_requirements: known(
    CALLBACK,
    PROMPT,
    'ask for acr_values that the server can reach for this person',
    'acr_values or claims ask for a stronger login than the person can make',
  ),
  insufficient_user_authentication: known(
    API,
    'RFC 9470 §3',
    'log in again with the acr_values or max_age of the challenge',
    'the login is too old, or too weak, for this request',
  ),
  consent_required: known(
    CALLBACK,
    PROMPT,
    'the user has to agree first: leave prompt=none out',
    'prompt=none was asked before the person had consented',
    'the scope grew since the person consented',
  ),
  account_selection_required: known(
    CALLBACK,
    PROMPT,
    'choose one account: send login_hint, or prompt=select_account',
    'prompt=none was asked, and the person has several accounts: send login_hint',
  ),
  invalid_request_uri: known(
    CALLBACK,
    'RFC 9126 §4',
    'push the request again: a request_uri is good once, and for a minute',
    'the request_uri expired, or was used before',
  ),
  invalid_request_object: object,
  request_not_supported: object,
  request_uri_not_supported: object,
  registration_not_supported: object,
  invalid_token: token,
  insufficient_scope: narrow,
  missing_scope: narrow,
  not_authed: bare,
  invalid_auth: token,
  token_revoked: token,
  token_expired: token,
  invalid_team_for_non_distributed_app: unassigned,
  invalid_dpop_proof: proof,
  use_dpop_nonce: known(
    TOKEN,
    'RFC 9449 §8',
    'repeat the request with the nonce of the DPoP-Nonce header',
    'the server wants its nonce in the proof: repeat the request with the DPoP-Nonce of the answer',
  ),
  invalid_target: target,
  invalid_authorization_details: known(
    EITHER,
    'RFC 9396 §5',
    'compare the type and members of authorization_details with what the server supports',
  ),
  unsupported_token_type: known(
    'an answer of the revocation endpoint',
    'RFC 7009 §2.2',
    'revoke the refresh token: this server cannot revoke tokens of this type',
  ),
  authorization_pending: device('poll on', 'the person has not decided yet: poll on'),
  slow_down: device(
    'add five seconds to the interval',
    'polls come too fast: add five seconds to the interval',
  ),
  expired_token: device(
    'begin again: the code of the device was good for a short time only',
    'the code of the device is too old: begin again',
  ),
  invalid_user_code: backchannel('ask the person for the user_code again'),
  missing_user_code: backchannel('send user_code: the person has set one'),
  unknown_user_id: backchannel('check login_hint: the server knows no such person'),
  expired_login_hint_token: backchannel('make a fresh login_hint_token'),
  invalid_binding_message: backchannel('send a shorter binding_message of plain characters'),
  invalid_redirect_uri: known(
    REGISTRATION,
    'RFC 7591 §3.2.2',
    REGISTER,
    'the redirect_uri has a fragment, is http and not on loopback, or is a wildcard',
    'it is not registered for this client: compare to the letter',
  ),
  invalid_client_metadata: known(
    REGISTRATION,
    'RFC 7591 §3.2.2',
    'compare the members with the metadata of the server',
    'members contradict each other, such as grant_types and response_types',
  ),
  invalid_software_statement: known(
    REGISTRATION,
    'RFC 7591 §3.2.2',
    'get a software statement that this server trusts',
  ),
  redirect_uri_mismatch: redirect,
  redirect_mismatch: redirect,
  bad_redirect_uri: redirect,
  disallowed_useragent: known(
    'an error page of Google',
    'RFC 8252 §8.12',
    'open the login in the browser of the system, and not in a web view of the application',
  ),
  org_internal: blocked,
  admin_policy_enforced: blocked,
  OAUTH_APP_BLOCKED: blocked,
  invalid_resource: audience,
  invalid_username_password: password,
  invalid_user_credentials: password,
  inactive_user: password,
  unverified_email: password,
  too_many_attempts: password,
  E0000004: password,
  E0000011: token,
  mismatching_state: state,
  state_mismatch: state,
  csrf_detected: state,
  invalid_state: state,
  invalid_state_parameter: state,
  authorization_request_not_found: state,
  no_token_request_cache_error: state,
  no_cached_authority_error: state,
  invalid_nonce: state,
  invalid_id_token: keys,
  invalid_issuer: issuer,
  invalid_token_response: exchange,
  invalid_user_info_response: exchange,
  OAuthCallback: exchange,
  OAuthCallbackError: exchange,
  OAuthSignin: discovery,
  OAuthAccountNotLinked: known(
    CLIENT,
    SECTION_4,
    'log in as the person did the first time, or let the application link accounts with the same address',
    'the application has an account with this e-mail address, of another server',
  ),
  interaction_in_progress: known(
    SCRIPT,
    PROMPT,
    'await the first login before a second one begins, and let the page of the redirect_uri handle its answer',
    'two logins were begun at once, or an earlier one was left in the middle: close the tab',
  ),
  hash_empty_error: known(
    SCRIPT,
    PROMPT,
    'let the redirect_uri be a page that runs no router and no other script',
    'a router or script removed the fragment from the address before the library read it',
  ),
  monitor_window_timeout: frame,
  silent_refresh_timeout: frame,
  block_iframe_reload: frame,
  popup_window_error: popup,
  empty_window_error: popup,
  user_cancelled: popup,
  ERR_TOO_MANY_REDIRECTS: loop,
}

/** Errors of Microsoft Entra, by the number of their AADSTS code: the next move. */
const ENTRA_MOVES: Readonly<Record<string, string>> = {
  '16000': 'choose one account: send login_hint, or prompt=select_account',
  '28002': 'ask for the scopes of one resource in one request',
  '50001': 'check the scope: the resource in it is unknown, or disabled in this tenant',
  '50011': REGISTER,
  '500011':
    'check the scope: the tenant has no application with this identifier; an administrator may have to consent first',
  '500113': REGISTER,
  '50013': 'check issuer, aud, exp and signature of the assertion',
  '50017': 'check the certificate: Entra does not trust its chain',
  '50020': 'invite the user into this tenant as a guest, or log in at the tenant of the user',
  '50034': 'log in with an account of this tenant: it has no such user',
  '50053': 'wait, or let an administrator unlock the account',
  '50055': 'let the user set a new password',
  '50057': 'let an administrator enable the account',
  '50058': login.next,
  '50059': 'send requests to the endpoint of the tenant: nothing in the request names it',
  '50074': 'log in interactively: the tenant wants a second factor here',
  '50076': 'log in interactively: the tenant wants a second factor here',
  '50079': 'log in interactively: the user has to register a second factor',
  '50105': 'assign the user to the application, or a group of theirs',
  '500121': 'log in again: the second factor was refused, or not answered in time',
  '50126': 'check user name and password: the server refused the person, and not the request',
  '50128': 'check the tenant in the address: there is no such tenant',
  '50132': 'log in again: the session was revoked, or the password changed',
  '50158': 'log in interactively: a policy wants another check',
  '50166':
    'let the issuer of the federated token answer to Entra: its metadata and keys have to be public, and fast',
  '50173': 'log in again: the password changed since the token was issued',
  '50194': 'send requests to the endpoint of the tenant, not to /common',
  '50196':
    'stop the loop: the client asks for the same token again and again; look for a cache that is not kept',
  '53000': 'log in with a device that the policy of the tenant accepts',
  '53001': 'log in with a device that is joined to the domain, or let an administrator change the policy',
  '53003': 'ask an administrator: a Conditional Access policy blocks this login',
  '54005': 'send each code once: it was redeemed before',
  '65001': 'let the user, or an administrator, consent to the permissions first',
  '65004': 'the user declined to consent: begin again, or let an administrator consent',
  '650056': 'add the permission of the API to the application, and let an administrator consent',
  '650057': 'add the resource to the API permissions of the application',
  '70000': grant.next,
  '70001': 'check the client_id and the tenant: the application is not in this tenant',
  '700016': 'check the client_id and the tenant: the application is not in this tenant',
  '700024': 'make a fresh assertion: its dates are not those of now; compare the clocks',
  '700025': 'leave the client_secret out: the application is registered as a public client',
  '700027': 'upload the certificate that signs the assertion: its key is not that of the application',
  '700030': 'use a certificate whose subject the application allows',
  '700051':
    'allow access tokens in the registration (implicit grant and hybrid flows), or use response_type=code',
  '700054':
    'allow ID tokens in the registration (implicit grant and hybrid flows), or use response_type=code',
  '70008': 'log in again: the refresh token or code expired',
  '700082': 'log in again: the refresh token was not used for too long',
  '700084': 'log in again: refresh tokens of a single-page application end after 24 hours',
  '70011': scope.next,
  '7000112': 'enable the application in this tenant: it is disabled',
  '7000215': 'send the value of the secret, not its id; make a new secret if it expired',
  '7000218': 'send the client_secret, or register the application as a public client',
  '7000222': 'make a new secret: this one expired',
  '70044': 'log in again: a Conditional Access policy limits how long the session lasts',
  '75011': 'leave RequestedAuthnContext out, or ask for the method by which the user logged in',
  '90002': 'check the tenant in the address: there is no such tenant',
  '90014': 'send the parameter that the message names',
  '90094': 'an administrator has to consent to the permissions',
  '90095': 'an administrator has to consent to the permissions',
  '900144': 'send the parameter that the message names, in a form: a body of JSON is not read',
  '900561': 'send a POST: the endpoint takes no GET',
  '900971': REGISTER,
  '1002012': 'ask for the scope of the resource with /.default: client_credentials takes no other',
  '9002313':
    'compare the parameters with the documentation: one is missing, repeated or not encoded, or the body is no form',
  '9002325': 'send code_challenge, and code_verifier with the code: a single-page application needs PKCE',
  '9002326': 'register the redirect_uri as one of a single-page application',
  '9002327':
    'register the redirect_uri as one of the platform Web: a code of a single-page application is redeemed by a script only',
}

/** Every code that is known, for texts in which one stands. */
export const KNOWN_CODES: readonly string[] = Object.keys(CODES)

/** Returns what is known about an error code; undefined for an unknown one. */
export function errorByCode(code: string): KnownError | undefined {
  const plain = Object.hasOwn(CODES, code) ? code : plainCode(code)
  return Object.hasOwn(CODES, plain) ? CODES[plain] : undefined
}

/** A code of several words as RFC 6749 writes it: `INVALID_GRANT`, `InvalidGrant` and `oidc.invalid_grant` are `invalid_grant`. */
function plainCode(code: string): string {
  const word = code.replace(/^(?:oidc|oauth2?|errors?)[./]/i, '')
  return /^[\w-]+$/.test(word) && /[_-]|[a-z][A-Z]/.test(word) ? underscored(word) : ''
}

/** The words of a name as a code has them: `InvalidGrant` as `invalid_grant`. */
export const underscored = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])|-/g, '_').toLowerCase()

/** Errors that are named by the sentence of a server, whatever its code. */
const TELLING: readonly KnownError[] = [
  federation,
  unassigned,
  unallowed,
  target,
  twoCredentials,
  plainOAuth,
  verifier,
  unchallenged,
  grant,
  redirect,
  issuer,
  audience,
  clock,
  keys,
  client,
  password,
  scope,
  malformed,
  bare,
]

/** Returns what is known about an error: by its number of Entra, its code, a code in its text, or its text. */
export function knownError({ code = '', text = '' }: ServerWords): KnownError | undefined {
  const entra = /AADSTS(\d+)/.exec(`${code} ${text}`)?.[1]
  const move = entra !== undefined && Object.hasOwn(ENTRA_MOVES, entra) ? ENTRA_MOVES[entra] : undefined
  if (move !== undefined) return move === REGISTER ? redirect : known(ENTRA, SECTION_5, move)
  const [bracketed = ''] = /\b[a-z]+(?:_[a-z]+)+\b/.exec(text) ?? []
  const byCode = errorByCode(code)
  const byText = errorByMessage(text)
  // Servers use these codes for mistakes that only their sentence names.
  const isVague = byText === exchange || byText === unnamed
  const isGeneral = (byCode === request || byCode === CODES.server_error) && !isVague
  // An expired token beside invalid_grant is the refresh token, unless the text speaks of a token that the client signs.
  if (byText === clock && byCode === grant && !/\b(?:jwt|assertion|iat|nbf)\b/i.test(text)) return grant
  if (byText !== undefined && (isGeneral || TELLING.includes(byText))) return byText
  const look = `look the number up:  https://login.microsoftonline.com/error?code=${entra}`
  const unlisted = entra === undefined ? undefined : known(ENTRA, SECTION_5, look)
  const coded = byCode ?? errorByCode(bracketed) ?? unlisted
  if (coded !== undefined) return coded
  const named = errorByMessage(code)
  // The class of an error says less than its sentence.
  return named === unnamed ? (byText ?? named) : (named ?? byText)
}

/** Returns the next move after what a server said. The redirect_uri is that of the request. */
export function adviceOn(words: ServerWords, { fields }: Pick<Message, 'fields'>): string | undefined {
  const next = knownError(words)?.next
  if (next !== REGISTER) return next
  const sent = fields.get('redirect_uri')
  const proxy = /^http:\/\/(?!localhost|127\.|\[::1\])[^/]+\.[^/]+/.test(sent ?? '')
    ? '; it is http: behind a proxy that ends TLS, let the application trust X-Forwarded-Proto'
    : ''
  return sent === undefined
    ? REGISTER
    : `register this redirect_uri for the client, to the letter: ${sent}${proxy}`
}
