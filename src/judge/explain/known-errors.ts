import {
  API,
  audience,
  BACKCHANNEL,
  blocked,
  CALLBACK,
  CLIENT,
  client,
  clock,
  cookie,
  DEVICE,
  denied,
  discovery,
  EITHER,
  ENTRA,
  exchange,
  frame,
  grant,
  interaction,
  issuer,
  type KnownError,
  keys,
  known,
  login,
  loop,
  names,
  object,
  PROMPT,
  password,
  popup,
  REGISTER,
  REGISTRATION,
  redirect,
  refused,
  request,
  SCRIPT,
  SECTION_4,
  SECTION_5,
  scope,
  slow,
  state,
  TOKEN,
  tls,
  token,
} from './error-groups.js'
import type { Message } from './message.js'
import type { ServerWords } from './words.js'

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
  unauthorized_client: known(
    EITHER,
    SECTION_5,
    'allow the client this grant where it is registered',
    'the client is not registered for this grant or response_type',
    'the redirect_uri is not registered: some servers call it so',
  ),
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
    CALLBACK,
    SECTION_4,
    'look into the log of the server, at this time',
    'the server failed: its log has the cause',
  ),
  temporarily_unavailable: known(
    CALLBACK,
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
  insufficient_scope: known(
    API,
    'RFC 6750 §3.1',
    'ask for the scope that the API needs',
    'the token has not the scope that the API needs: ask for it in the authorization request',
  ),
  invalid_dpop_proof: known(
    TOKEN,
    'RFC 9449 §5',
    'check htm, htu, iat and the key of the proof',
    'htm or htu is not that of the request',
    'iat is too old, or the clock is wrong',
    'the proof was sent twice',
    'ath is missing at a resource server',
  ),
  use_dpop_nonce: known(
    TOKEN,
    'RFC 9449 §8',
    'repeat the request with the nonce of the DPoP-Nonce header',
    'the server wants its nonce in the proof: repeat the request with the DPoP-Nonce of the answer',
  ),
  invalid_target: known(
    TOKEN,
    'RFC 8707 §2',
    'name a resource that the server knows and the person authorized',
    'the resource is unknown to the server, or was not authorized',
  ),
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
  authorization_pending: known(DEVICE, 'RFC 8628 §3.5', 'poll on', 'the person has not decided yet: poll on'),
  slow_down: known(
    DEVICE,
    'RFC 8628 §3.5',
    'add five seconds to the interval',
    'polls come too fast: add five seconds to the interval',
  ),
  expired_token: known(
    DEVICE,
    'RFC 8628 §3.5',
    'begin again: the code of the device was good for a short time only',
    'the code of the device is too old: begin again',
  ),
  invalid_user_code: known(
    BACKCHANNEL,
    'OpenID Connect CIBA Core §13',
    'ask the person for the user_code again',
  ),
  missing_user_code: known(
    BACKCHANNEL,
    'OpenID Connect CIBA Core §13',
    'send user_code: the person has set one',
  ),
  unknown_user_id: known(
    BACKCHANNEL,
    'OpenID Connect CIBA Core §13',
    'check login_hint: the server knows no such person',
  ),
  expired_login_hint_token: known(
    BACKCHANNEL,
    'OpenID Connect CIBA Core §13',
    'make a fresh login_hint_token',
  ),
  invalid_binding_message: known(
    BACKCHANNEL,
    'OpenID Connect CIBA Core §13',
    'send a shorter binding_message of plain characters',
  ),
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
  block_iframe_reload: frame,
  popup_window_error: popup,
  empty_window_error: popup,
  user_cancelled: popup,
  ERR_TOO_MANY_REDIRECTS: loop,
}

/** Messages of programs, by a part of them, the certain ones first. A next move of a line counts more than that of its group. */
const MESSAGES: readonly (readonly [RegExp, KnownError])[] = [
  [
    /self[- ]signed|unable to verify the first certificate|UNABLE_TO_(?:VERIFY|GET_ISSUER)|DEPTH_ZERO|\bCERT_[A-Z]+|CERTIFICATE_VERIFY_FAILED|certificate verify failed|PKIX path|x509:|unable to get (?:local )?issuer|SSL certificate problem|ERR_CERT_|ERR_SSL|ERR_TLS_CERT|SEC_ERROR_|MOZILLA_PKIX|SSLHandshakeException|certificate (?:has expired|is not trusted)|RemoteCertificate|\bEPROTO\b/i,
    tls,
  ],
  [
    /ECONNREFUSED|connection refused|ERR_CONNECTION_REFUSED|NS_ERROR_CONNECTION_REFUSED|couldn't connect to server/i,
    refused,
  ],
  [
    /ENOTFOUND|EAI_AGAIN|getaddrinfo|NAME_NOT_RESOLVED|could not resolve host|NS_ERROR_UNKNOWN_HOST|UnknownHostException/i,
    names,
  ],
  [
    /ETIMEDOUT|ERR_(?:CONNECTION_)?TIMED_OUT|NS_ERROR_NET_TIMEOUT|UND_ERR_CONNECT_TIMEOUT|i\/o timeout|context deadline exceeded|(?:connect|read|connection) timed out/i,
    slow,
  ],
  [
    /ERR_BLOCKED_BY_CLIENT/i,
    known(
      'a message of the browser',
      'RFC 6749 §10.9',
      'an extension of the browser, such as a blocker, stopped the request: try without it',
    ),
  ],
  [
    /violates the following Content Security Policy directive: "?(?:connect|form|default|script)|ERR_BLOCKED_BY_CSP|^csp$/i,
    known(
      'a message of the browser',
      'RFC 9700 §2.6',
      'let the Content-Security-Policy of the page name the server in connect-src, or in form-action where a form begins the login',
    ),
  ],
  [
    /(?:in a frame|to frame|frame-ancestors|X-Frame-Options|ERR_BLOCKED_BY_RESPONSE|iframe timed out|frame window timed out)/i,
    frame,
  ],
  [
    /mixed.content/i,
    known(
      'a message of the browser',
      'RFC 6749 §10.9',
      'use the https address of the server: a page of https loads nothing over http',
    ),
  ],
  [/redirected you too many times|TOO_MANY_REDIRECTS|too many redirects|redirect loop/i, loop],
  [
    /non-HTTPS cookie|"Secure" attribute but was not received over|misses? the .?Secure.? attribute|missing the .?secure.? attribute/i,
    cookie(
      'set the cookie with Secure over https alone, and SameSite=None only together with Secure',
      'the page is http, or the application behind a proxy takes its own address for http',
    ),
  ],
  [
    /cookie.{0,200}(?:size is too big|too large|invalid domain|Domain attribute was invalid)/i,
    cookie(
      'keep the cookie below 4096 bytes, and its Domain that of the page or above it',
      'tokens are kept in the cookie, or its Domain is that of another environment',
    ),
  ],
  [
    /(?:cookie|Same-?Site).{0,200}(?:cross-site|foreign|third.party)|Set-Cookie was blocked|blocked because it had the "SameSite/i,
    cookie(
      'set the cookie with SameSite=None; Secure where the answer comes by form_post or in a frame; else let a navigation of the whole page set it',
      'the page is in a frame of another site, or the answer comes as a POST from the server',
    ),
  ],
  [
    /IDX2132\d|nonce (?:was null|mismatch|is missing|cookie|does not match)|checks\.nonce|ID token nonce/i,
    state,
  ],
  [
    /pkceCodeVerifier|PKCE code_verifier|checks\.(?:state|code_verifier)|state (?:cookie |param(?:eter)? |argument |value )?(?:is |was |did |does )?(?:missing|mismatch|invalid|not (?:match|equal|found|valid))|no matching state|correlation failed|state not equal|invalid (?:oauth )?state|unable to verify authorization request state|InvalidCheck|\bno (?:\w+ ){0,2}state\b|missing (?:oauth )?state\b|state not found|CSRF warning/i,
    state,
  ],
  [
    /IDX105\d\d|no matching key|unable to find a signing key|signature (?:validation|verification) failed|invalid signature|JWKSNoMatchingKey|JWSSignatureVerificationFailed|another algorithm expected/i,
    keys,
  ],
  [
    /IDX1020[4-9]|IDX10211|issuer (?:\S{1,100} )?(?:is |was )?(?:mismatch|did not match|does not match|invalid|not trusted)|authority mismatch|(?:unexpected|invalid|wrong) "?iss(?:uer)?\b/i,
    issuer,
  ],
  [
    /IDX10214|audience (?:\S{1,100} )?(?:validation|is invalid|mismatch)|(?:jwt|invalid|wrong) audience/i,
    audience,
  ],
  [
    /IDX1022[2-5]|\bjwt expired|token used (?:before issued|too early)|\bnot yet valid\b|clock skew|issued in the future/i,
    clock,
  ],
  [
    /IDX2080\d|unable to (?:obtain|resolve|retrieve)[^.]{0,30}configuration|could not (?:fetch|load|retrieve)[^.]{0,30}(?:discovery|openid|metadata)/i,
    discovery,
  ],
  [/silent authentication (?:was denied|failed)|InteractionRequired/i, interaction],
  [
    /\b(?:invalid|wrong|incorrect) client(?:[ _]secret| or |\b.{0,9}credentials)|client[ _]secret (?:is |was )?(?:missing|invalid|wrong|incorrect)|client authentication failed/i,
    client,
  ],
  [
    /invalid (?:user credentials|username or password|credentials)|bad credentials|account (?:is )?(?:locked|disabled|not fully set up)/i,
    password,
  ],
  [/parameter value, includes a parameter more than once|otherwise malformed/i, request],
  [/requested scope is invalid|invalid scope/i, scope],
  [/(?:owner|user) or (?:the )?authorization server denied/i, denied],
  [
    /grant is invalid, expired|\bcode (?:is |was )?(?:not valid|invalid|expired|already (?:redeemed|used))|\bcode '[^']{1,100}' already used/i,
    grant,
  ],
  [
    /redeeming code missing code|missing (?:authorization )?code\b/i,
    known(
      CLIENT,
      'RFC 6749 §4.1.2',
      'read the whole address at which the callback was opened: it has an error in place of a code, or nothing',
      'the page of the callback was opened by hand, by a reload or after a logout',
      'a proxy or rewrite cut the query of the address',
    ),
  ],
  [
    /token expired and refresh token is not set/i,
    known(
      CLIENT,
      'RFC 6749 §6',
      'log in again, and let the client ask for a refresh token: scope offline_access, or what the server has for it',
      'the access token expired, and the client has no refresh token',
      'the answer had an expires_in of 0, or the clock of the client is wrong',
    ),
  ],
  [
    /response missing access_token|no access[ _]token (?:found|in|was returned)/i,
    known(
      CLIENT,
      'RFC 6749 §5.1',
      'read the answer of the token endpoint itself: it has no access_token as a member of JSON',
      'the server answered an error with status 200, such as GitHub does',
      'the answer is a form or a page, and not JSON',
    ),
  ],
  [
    /\bTokenError\b|error retrieving access token|cannot (?:fetch|retrieve) token|OAuthCallbackError|token exchange failed|error redeeming code|failed to (?:get|obtain|fetch|retrieve|exchange|redeem)\b[^.]{0,30}\b(?:token|code)\b/i,
    exchange,
  ],
  [
    /MUST utilize https|insecure_transport/i,
    known(CLIENT, 'RFC 6749 §10.9', 'use https; behind a proxy let the application trust X-Forwarded-Proto'),
  ],
  [
    /scope has changed/i,
    known(
      CLIENT,
      'RFC 6749 §3.3',
      'ask for the scopes that the server grants, in the names that it uses',
      'the server granted other scopes than were asked for, or wrote them otherwise',
    ),
  ],
  [
    /^(?=.*(?:redirect|callback|reply)[ _-]?(?:ur[il]s?|address)).*(?:\bnot\b|n't\b|mismatch|invalid|illegal|\bbad\b|wrong|blocked|unknown|unregistered|missing|must|error)|URL blocked/im,
    redirect,
  ],
  [
    /header or cookie too large|header fields too large|too big header/i,
    known(
      'a message of a proxy or server',
      'RFC 9110 §15.5.1',
      'make cookies and headers smaller, or let the proxy take larger ones (nginx: large_client_header_buffers, proxy_buffer_size)',
      'the cookies of the application, such as tokens in a session cookie, are larger than the server takes',
    ),
  ],
  [/OAUTH_APPROVAL_ERROR/, denied],
]

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
  '50020': 'invite the user into this tenant as a guest, or log in at the tenant of the user',
  '50034': 'log in with an account of this tenant: it has no such user',
  '50053': 'wait, or let an administrator unlock the account',
  '50055': 'let the user set a new password',
  '50057': 'let an administrator enable the account',
  '50058': login.next,
  '50059': 'send requests to the endpoint of the tenant: nothing in the request names it',
  '50076': 'log in interactively: the tenant wants a second factor here',
  '50079': 'log in interactively: the user has to register a second factor',
  '50105': 'assign the user to the application, or a group of theirs',
  '50126': 'check user name and password: the server refused the person, and not the request',
  '50132': 'log in again: the session was revoked, or the password changed',
  '50158': 'log in interactively: a policy wants another check',
  '50173': 'log in again: the password changed since the token was issued',
  '50194': 'send requests to the endpoint of the tenant, not to /common',
  '50196':
    'stop the loop: the client asks for the same token again and again; look for a cache that is not kept',
  '53000': 'log in with a device that the policy of the tenant accepts',
  '53003': 'ask an administrator: a Conditional Access policy blocks this login',
  '54005': 'send each code once: it was redeemed before',
  '65001': 'let the user, or an administrator, consent to the permissions first',
  '65004': 'the user declined to consent: begin again, or let an administrator consent',
  '650056': 'add the permission of the API to the application, and let an administrator consent',
  '650057': 'add the resource to the API permissions of the application',
  '70000': grant.next,
  '70001': 'check the client_id and the tenant: the application is not in this tenant',
  '700016': 'check the client_id and the tenant: the application is not in this tenant',
  '700025': 'leave the client_secret out: the application is registered as a public client',
  '700027': 'upload the certificate that signs the assertion: its key is not that of the application',
  '700030': 'use a certificate whose subject the application allows',
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
export const errorByCode = (code: string): KnownError | undefined =>
  Object.hasOwn(CODES, code) ? CODES[code] : undefined

/** Returns what is known about a message of a program; undefined for an unknown one. */
export const errorByMessage = (text: string): KnownError | undefined =>
  MESSAGES.find(([pattern]) => pattern.test(text))?.[1]

/** What a sentence says more exactly than the code beside it. */
const TELLING: readonly KnownError[] = [redirect, issuer, audience, clock, keys, client, password, scope]

/** Returns what is known about an error: by its number of Entra, its code, a code in its text, or its text. */
export function knownError({ code = '', text = '' }: ServerWords): KnownError | undefined {
  const entra = /AADSTS(\d+)/.exec(`${code} ${text}`)?.[1]
  const move = entra !== undefined && Object.hasOwn(ENTRA_MOVES, entra) ? ENTRA_MOVES[entra] : undefined
  if (move !== undefined) return move === REGISTER ? redirect : known(ENTRA, SECTION_5, move)
  const [bracketed = ''] = /\b[a-z]+(?:_[a-z]+)+\b/.exec(text) ?? []
  const byCode = errorByCode(code)
  const byText = errorByMessage(text)
  // Servers use these codes for mistakes that only their sentence names.
  if (byText !== undefined && TELLING.includes(byText)) return byText
  return byCode ?? errorByCode(bracketed) ?? byText ?? errorByMessage(code)
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
