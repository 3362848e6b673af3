import {
  assertion,
  audience,
  bare,
  CLIENT,
  client,
  clock,
  closed,
  cookie,
  denied,
  discovery,
  exchange,
  federation,
  firewall,
  forbidden,
  frame,
  gateway,
  grant,
  insecure,
  interaction,
  issuer,
  type KnownError,
  keys,
  known,
  login,
  loop,
  malformed,
  NETWORK,
  names,
  notJson,
  PROMPT,
  password,
  plainOAuth,
  popup,
  proof,
  redirect,
  refused,
  request,
  SCRIPT,
  scope,
  slow,
  state,
  tls,
  token,
  unchallenged,
  unnamed,
  unreadable,
  verifier,
} from './error-groups.js'
import { type KnownMessage, OF_CLUSTER, OF_LOGIN_PAGES, OF_MCP } from './product-messages.js'

/** Messages of programs, by a part of them, the certain ones first. A next move of a line counts more than that of its group. */
const MESSAGES: readonly KnownMessage[] = [
  ...OF_CLUSTER,
  [
    /self[- ]signed|unable to verify the first certificate|UNABLE_TO_(?:VERIFY|GET_ISSUER)|DEPTH_ZERO|\bCERT_[A-Z]+|CERTIFICATE_VERIFY_FAILED|certificate verify failed|PKIX path|x509:|unable to get (?:local )?issuer|SSL certificate problem|ERR_CERT_|ERR_SSL|ERR_TLS_CERT|SEC_ERROR_|MOZILLA_PKIX|SSLHandshakeException|certificate (?:has expired|is not trusted)|RemoteCertificate|\bEPROTO\b|TLS CA certificate bundle|certificate for this server is invalid/i,
    tls,
  ],
  [
    /wrong version number|record layer failure|HTTP response to HTTPS client|packet length too long/i,
    known(
      NETWORK,
      'RFC 6749 §10.9',
      'use the https port of the server, or http in the address: a port of plain http was asked for TLS',
    ),
  ],
  [
    /ECONNREFUSED|connection refused|ERR_CONNECTION_REFUSED|NS_ERROR_CONNECTION_REFUSED|couldn't connect to server/i,
    refused,
  ],
  [
    /\bENOTFOUND|EAI_AGAIN|getaddrinfo|no such host|name or service not known|failure in name resolution|nodename nor servname|NAME_NOT_RESOLVED|could not resolve host|NS_ERROR_UNKNOWN_HOST|UnknownHostException/i,
    names,
  ],
  [
    /ETIMEDOUT|EHOSTUNREACH|no route to host|network is unreachable|ERR_(?:CONNECTION_)?TIMED_OUT|NS_ERROR_NET_TIMEOUT|UND_ERR_CONNECT_TIMEOUT|i\/o timeout|appauth\.general (?:\w+ |Code=)-5\b|context deadline exceeded|did not properly respond|ApiException: 7:|(?:connect|read|connection) timed out/i,
    slow,
  ],
  [
    /\b(?:unexpected )?EOF\b$|socket hang up|ECONNRESET|connection reset by peer|ERR_CONNECTION_(?:RESET|CLOSED)|: connection reset\b|network connection was lost|bad handshake: SysCallError|ERR_EMPTY_RESPONSE/im,
    closed,
  ],
  [/\b50[234] (?:Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out)/i, gateway],
  [
    /invalid character '.{1,4}' looking for beginning of value|Unexpected token .{1,60} (?:in JSON|is not valid JSON)|JSONDecodeError|Expecting value: line|Unexpected end of JSON input|Unexpected character encountered while parsing|JSON pars(?:ing|e)\b.{0,20}error|JSON deserialization error|cannot be converted to JSONObject|expected near '<'/is,
    notJson,
  ],
  [
    /unsupported protocol scheme|Failed to parse URL|ERR_INVALID_URL|MissingSchema|Invalid URL ''/i,
    known(
      CLIENT,
      'RFC 3986 §2',
      'name the whole address of the endpoint in the configuration of the client: https://host/path',
      'a setting or a variable that holds an address is empty',
    ),
  ],
  [
    /you have been blocked|attention required! \| cloudflare|requested URL was rejected\. please consult|incapsula incident|request (?:was )?blocked|mod_security|sucuri website firewall/i,
    firewall,
  ],
  ...OF_MCP,
  ...OF_LOGIN_PAGES,
  [
    /AssumeRoleWithWebIdentity(?!["'])|No OpenIDConnect provider found|federated identity record|bound claim|stale to sign-in|rejected by the attribute condition/i,
    federation,
  ],
  [
    /credentials could not be loaded|could not load credentials from any providers|ACTIONS_ID_TOKEN_REQUEST/i,
    known(
      federation.where,
      federation.rule,
      'let the job ask for an ID token (GitHub: permissions: id-token: write), and name the role or provider',
    ),
  ],
  [
    /[?&]error=(?:OAuth(?:Signin|Callback|CreateAccount)|Callback|Configuration)\b|CallbackRouteError/i,
    exchange,
  ],
  [
    /auth\/unauthorized-domain/,
    known(SCRIPT, 'RFC 6749 §3.1.2.3', 'add the domain of the page to the authorized domains of the project'),
  ],
  [
    /auth\/(?:popup|cancelled-popup)|appauth\.general (?:\w+ |Code=)-[34]\b|User cancell?ed (?:flow|the login)|popup_closed|popup has been closed|sign_in_cancell?ed|ApiException: 12501/i,
    popup,
  ],
  [/id_token detected in the response/i, plainOAuth],
  [/type=REFRESH_TOKEN_ERROR/, grant],
  [
    /ERR_BLOCKED_BY_CLIENT/i,
    known(
      'a message of the browser',
      'RFC 6749 §10.9',
      'an extension of the browser, such as a blocker, stopped the request: try without it',
    ),
  ],
  [
    /violates the following Content Security Policy directive: "?(?:connect|form|default|script)|ERR_BLOCKED_BY_CSP|^csp$|Content.Security.Policy: .{0,80}\bblocked\b/i,
    known(
      'a message of the browser',
      'RFC 9700 §2.6',
      'let the Content-Security-Policy of the page name the server in connect-src, or in form-action where a form begins the login',
    ),
  ],
  [
    /(?:in a frame|to frame|frame-ancestors|X-Frame-Options|ERR_BLOCKED_BY_RESPONSE|iframe timed out|idpiframe_initialization_failed|frame window timed out)/i,
    frame,
  ],
  [
    /mixed (?:\w+ )?content|mixed.content/i,
    known(
      'a message of the browser',
      'RFC 6749 §10.9',
      'use the https address of the server: a page of https loads nothing over http',
    ),
  ],
  [/redirected you too many times|TOO_MANY_REDIRECTS|too many redirects|redirect loop/i, loop],
  [
    /non-HTTPS cookie|"Secure" attribute but was not received over|(?:miss(?:es|ing)?|without|did not have) the .?Secure.? attribute/i,
    cookie(
      'set the cookie with Secure over https alone, and SameSite=None only together with Secure',
      'the page is http, or the application behind a proxy takes its own address for http',
    ),
  ],
  [
    /(?<!header or )cookie.{0,200}(?:size is too big|exceeds the 4 ?kb|invalid domain|Domain attribute was invalid)/i,
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
  [/dpop[ -]proof\b/i, proof],
  [
    /\bSAML\b.{0,200}(?:signature|invalid|reject|expired|not yet|audience|destination|recipient|InResponseTo|NotOnOrAfter|NotBefore|not valid|mismatch)|\bInResponseTo\b.{0,40}(?:missing|valid|match|unknown)|(?:signature|invalid|reject|expired|audience|destination|recipient)\b.{0,200}\bSAML\b|received at \S{1,200} instead of|in the Assertion\/Response|SAML:2\.0:status:(?!Success)\w/is,
    assertion,
  ],
  [
    /(?:code[ _]?verifier|code[ _]?challenge|PKCE)\b.{0,40}(?:\bnot match|mismatch|invalid|\bnot valid|fail|incorrect|wrong)|code[ _]?verifier\b.{0,40}(?:missing|empty|required)|(?:invalid|wrong|incorrect|failed|missing|mismatch\w*)[ _](?:PKCE )?(?:code[ _]?verifier|PKCE)\b|pkce_verification_failed/i,
    verifier,
  ],
  [
    /(?:must|has to|have to) use PKCE|(?:PKCE|code[ _]challenge(?:[ _]method)?|Proof Key for Code Exchange) (?:is |was |)(?:required|mandatory|missing)|requires? (?:PKCE|(?:a )?code[ _]challenge|Proof Key)|must include an? .?code[ _]challenge|enforces? PKCE|missing (?:required )?(?:parameter: )?code[ _]challenge/i,
    unchallenged,
  ],
  [
    /\bjwt is missing\b(?! an? )|missing client token|\b401 missing token|missing required authentication credential|empty (?:oauth2 )?access token|no (?:authorization|auth|bearer) ?token\b|missing (?:the )?(?:authorization|bearer)[ -](?:header|token)|authorization header (?:is |was )?(?:missing|required|not found|expected)|full authentication is required|^authentication required$/im,
    bare,
  ],
  [
    /IDX127\d\d|IDX14\d\d\d|IDX10400|unable to parse (?:the )?(?:ID |access )?token|malformed (?:jwt|token|access token|id token)|(?:jwt|token) (?:is )?malformed|cannot convert access token to JSON|not enough segments|(?:wrong|invalid) number of segments|invalid compact JW[SE]|exactly 2 period|three segments|two dots and 3 sections|missing dot delimiter|invalid token specified|expected 3 parts|\bnot a (?:valid )?(?:jwt|jws|JSON Web Token)\b|invalid jwt(?: serialization| format|$)/im,
    malformed,
  ],
  [
    /IDX2132\d|"?state"? response parameter|verify (?:the )?(?:request )?state\b|nonce"? (?:claim|in (?:the )?ID[ _]token)|(?:invalid|wrong|unexpected) nonce|nonce (?:was null|mismatch|is missing|cookie|does not match)|checks\.nonce|ID token nonce|nonce\b.{0,80}(?:not found|not match|mismatch|failed)|nonce failed/i,
    state,
  ],
  [
    /\bcsrf\b.{0,30}(?:fail|mismatch|missing|invalid|not (?:match|found|present))|(?:obtain|find|validat\w+|verify\w*) (?:a )?(?:valid )?csrf|named cookie not present|(?:correlation|nonce|state|pkce)\S{0,200} cookie not found|(?:wrong|incorrect|unexpected) state\b|(?:invalid_state|state_not_found)|state could not be found|missing (?:needed |the |required |initial )?(?:parameter:? )?['"]?state\b|not match (?:the )?state\b|pkceCodeVerifier|PKCE code_verifier|checks\.(?:state|code_verifier)|state (?:cookie |param(?:eter)? |argument |value )?(?:is |was |did |does )?(?:missing|mismatch|invalid|not (?:match|equal|found|valid))|no matching state|\bno \S{1,120} state cookie|\.State is null|\bstate \(\S{1,120}\) has expired|PKCE code verifier not found|state[`'"]? does not match|correlation failed|state not equal|(?<!in an )invalid[ -](?:oauth )?state|unknown ?state\b|find a matching session|find (?:an? |the )?(?:\w+ )?cookie\b|finish signing in|unable to verify authorization request state|InvalidCheck|\bno (?:\w+ ){0,2}state\b|missing (?:oauth )?state\b|state not found|CSRF warning|invalid CSRF token|CSRF token (?:mismatch|invalid|missing)|valid CSRF token|InvalidStateException|unable to restore state|state parameter was|\bno \S{0,60}(?:state|nonce)\S{0,60} cookie/i,
    state,
  ],
  [
    /IDX105\d\d|no matching key|unable to find a signing key|\bkid\b.{0,30}(?:must|missing|not found|unknown)|signature (?:validation|verification) failed|invalid signature|JWKSNoMatchingKey|JWSSignatureVerificationFailed|another algorithm expected|failed to verify (?:the )?signature|signature key was not found|invalid jwt signature|jwt (?:signature|verification) (?:does not match|fails)|signature is invalid|bad[_ ]signature|no applicable keys?|matching keys? found|key to match kid|unsupported algorithm|alg\b.{0,40}(?:not allowed|not supported|received|header parameter)|invalid algorithm|algorithm \S{1,20} does not match|unsupported (?:EC )?curve|public key not found|signature length|verify signed token|JW[ST] (?:token )?verification failed|could not deserialize key|not a valid JWK/i,
    keys,
  ],
  [
    /IDX1020[45]|IDX1021[12]|not issued by (?:the )?expected|unknown issuer|issuer "[^"]{1,200}" provided in the configuration|no (?:client|server) configuration found for issuer|issuer (?:\S{1,100} )?(?:is |was )?(?:mismatch|did not match|does not match|invalid|not trusted)|authority mismatch|(?:unexpected|invalid|wrong) (?:JWT |ID Token )?"?iss(?:uer)?\b|\bissuer"? (?:property |claim )?(?:does not match|doesn't match|is not configured)|\biss(?:uer)? claim (?:is )?(?:not valid|invalid)|issued by a different provider/i,
    issuer,
  ],
  [
    /IDX1020[678]|IDX1021[45]|audience (?:\S{1,100} )?(?:validation|is invalid|mismatch)|(?:jwt|invalid|wrong) (?:token )?audience|audience (?:does not|doesn't|did not) match|audiences? in jwt|\baud"? (?:\(audience\) )?claim|AudienceMismatch|audience from claim|array of values for "aud"|token's client ID does not match|InvalidAudience|expected audience \\?"/i,
    audience,
  ],
  [
    /refresh[ _]token(?: has(?: been)?| is| was|:)? (?:already used|expired|invalid|revoked|not (?:found|valid|active)|reuse)|invalid refresh[ _]token|authorization code not found|(?:\btoken|session) (?:is )?not active/i,
    grant,
  ],
  [
    /RBAC: access denied|^access is denied$|Access(?:Is)?DeniedException|AuthorizationDenied|insufficient scope/im,
    forbidden,
  ],
  [
    /IDX1022[2-5]|\bjwt (?:is |has )?expired|\bexpired jwt\b|\btoken (?:is |has )?expired\b(?! and refresh)|signature has expired|\bjwt not active\b|\b(?:exp|nbf|iat)"? (?:\([\w ]{1,40}\) )?claim\b|past current timestamp|token used (?:before issued|too early)|\bnot yet valid\b|clock skew|issued in the future/i,
    clock,
  ],
  [
    /IDX2080\d|unable to (?:obtain|resolve|retrieve)[^.]{0,30}configuration|not a conform (?:Authorization Server Metadata|Resource Server Metadata|JSON Web Key Set)|metadata does not contain|jwks remote fetch|discovery (?:document )?(?:has )?(?:failed|not found)|openid-configuration\b.{0,80}\b(?:[45]\d\d|not found)|(?:_endpoint|metadata|discovery document|well[- ]known \S{0,40}) (?:could not|cannot) be (?:fetched|loaded|retrieved|found)|realm does not exist|OIDC Server is not available|could not (?:fetch|load|retrieve)[^.]{0,30}(?:discovery|openid|metadata)|failed to query provider|signin_oauth_error|expected 200 OK, got|authority_not_in_valid_list|untrusted_authority|endpoints_resolution_error|openid_config_error/i,
    discovery,
  ],
  [
    /UiRequired|empty token found|account reauth failed|failed to acquire token silent|acquireTokenSilent\w* (?:rejected|failed|error)|no_(?:tokens_found|account\w*)/i,
    known(
      CLIENT,
      PROMPT,
      'log in with a page once more, and keep the cache of tokens: nothing in it fits this request',
      'the cache is empty, such as after a restart or in another process or tab',
      'the account, the scopes or the authority are not those of the login, or its refresh token expired',
    ),
  ],
  [/silent authentication (?:was denied|failed)|Interaction ?Required|third[- ]party cookies/i, interaction],
  [/not to prompt, but the user is not logged in|(?:^|Error: )login required\.?$/im, login],
  [
    /\b(?:invalid|wrong|incorrect)(?: empty)? client(?:[ _]secret| or |\b.{0,9}credentials)|client[ _]secret (?:is |was )?(?:missing|invalid|wrong|incorrect)|client authentication failed|invalid client credentials|error validating client secret|configured with (?:a )?secret but|DEVELOPER_ERROR|authenticated using (?:OAuth )?client credentials|verify secret hash|ApiException: (?:10|12500)\b/i,
    client,
  ],
  [
    /^(?:.*\binvalid_grant: )?authentication failure$|CredentialsSignin\b|\binactive user\b|invalid_grant: authentication failure|(?:invalid|incorrect|wrong) (?:user credentials|credentials|(?:user ?name|e-?mail|login|user) (?:or|and|\/) password)|(?:e-?mail|user ?name) (?:or|and) password (?:provided )?(?:is|are|was) (?:incorrect|wrong|invalid)|bad credentials|account (?:is )?(?:locked|disabled|not fully set up)|\buser_(?:not_found|(?:temporarily_)?disabled)\b/i,
    password,
  ],
  [
    /requested scope is invalid|not listed in the access token|invalid scope|\bscope .{1,80}not authorized|not (?:been )?authorized for the scope/i,
    scope,
  ],
  [
    /(?:owner|user) or (?:the )?authorization server denied|user cancell?ed the dialog|(?:authentication|authorization|login) (?:process )?(?:was )?cancell?ed|\bAuthCanceled\b/i,
    denied,
  ],
  [
    /grant is invalid, expired|invalid[ _]verification[ _]code|invalid \\?["']?code\b(?! (?:verifier|challenge))|\bcode (?:passed )?(?:is |was |has been )?(?:not valid|invalid|incorrect|expired|used|already (?:redeemed|used))|\bcode '[^']{1,100}' already used/i,
    grant,
  ],
  [
    /missing (?:required )?(?:parameter: )?["']?(?:authorization )?code\b|\bno (?:authorization )?code (?:or \w+ )?(?:was )?(?:returned|received|found)|authorization ?code (?:is |was )?(?:not (?:available|found|provided|present)|missing|null|empty)/i,
    known(
      CLIENT,
      'RFC 6749 §4.1.2',
      'read the whole address at which the callback was opened: it has an error in place of a code, or nothing',
      'the page of the callback was opened without a login: typed, reloaded, or after a logout',
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
    /response missing access_token|required option not passed: \\?"?access_token|no access[ _]token (?:found|in|was returned|provided)/i,
    known(
      CLIENT,
      'RFC 6749 §5.1',
      'read the answer of the token endpoint itself: it has no access_token as a member of JSON',
      'the server answered an error with status 200, such as GitHub does',
      'the answer is a form or a page, and not JSON',
    ),
  ],
  [
    /MUST utilize https|URL scheme .{1,80} does not match the URL scheme|InsecureTransport|insecure_transport|only requests to https|^https required/im,
    insecure,
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
    /^(?=.*(?:(?:redirect|callback|reply)[ _-]?(?:ur[il]s?|address)|\breturn_to\b)).*(?:\bnot\b|n't\b|mismatch|invalid|illegal|\bbad\b|wrong|blocked|unknown|unregistered|missing|must|error)|URL blocked|given URL is not allowed/im,
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
  [/OAUTH_APPROVAL_ERROR|rejected_by_user/, denied],
  [
    /claims? verification failed|invalid user attributes|(?:missing|no) e-?mail (?:address |claim )?(?:found|in|returned|provided|from)\b|e-?mail(?: address)? (?:is |was )?(?:missing|not (?:found|provided|returned|set))|neither the id_token nor|could not get claim|claim (?:\S{1,60} )?(?:is |was )?(?:missing|not found)/i,
    known(
      CLIENT,
      'OpenID Connect Core §5.4',
      'ask for the scope that brings the claim, such as email, and look for it in the token:  oauth-lab jwt decode TOKEN',
      'the server sends the claim at its userinfo endpoint alone, or under another name',
      'the person has no such value, such as no public e-mail address',
    ),
  ],
  [
    /failed to verify (?:the |id |access )?token|(?:failed to|unable to|could not) validate (?:the )?(?:id|access)[ _]token\b|token verification (?:has )?fail/i,
    keys,
  ],
  [
    /\b(?:invalid|expired|revoked)(?: or (?:invalid|expired|revoked))? (?:oauth2? )?(?:access[ _]|auth[ _])?token\b|authenticated with the token|invalid authentication credentials/i,
    token,
  ],
  [/JWT could not be decoded|(?:failed|unable) to decode (?:the )?(?:ID |access )?(?:jwt|token)/i, malformed],
  [
    /Max retries exceeded with url|\bfetch failed\b|NetworkError when attempting|TypeError: (?:Failed to fetch|Load failed)|AxiosError: Network Error/,
    known(
      NETWORK,
      'RFC 6749 §10.9',
      'read the whole message, of which the end has the cause; ask the address from the same computer, as by curl -v',
      'the server is not running, or its name, port or certificate is wrong',
      'in a page: the browser blocked the request, and its console says why',
    ),
  ],
  [
    /\bTokenError\b|error retrieving access token|cannot (?:fetch|retrieve) token|OAuthCallbackError|token exchange failed|error redeeming code|(?:failed to|could not|couldn't|unable to) (?:get|obtain|fetch|retrieve|exchange|redeem|refresh)\b[^.]{0,30}\b(?:token|code)\b(?! (?:price|supply|balance|metadata|list)s?\b)|error (?:exchanging|resolving|refreshing|requesting|fetching)\b[^.]{0,30}\btoken\b|login\.OAuthLogin\(|cannot complete user auth|turn code into token|SDK auth (?:error|failed)|[?&](?:oauth|oidc|sso)_error=|\bPOST \S{1,200}token\S{0,60} resulted in a|\b4\d\d Client Error: .{1,60} for url: \S*(?:token|oauth)|has_sso_error|Social Network Login Failure|could not authenticate you from \w+ because|authentication failure! |auth\/failure\?message=|an error in the response body|Authorization with the MCP server failed|handling the remote login|(?:oauth_callback|callback_oauth|get_access_token)_error/i,
    exchange,
  ],
  [
    /(?:fail(?:ed|ure)?|unable|error|could not)\b[^.\n]{0,40}\b(?:user ?info\b|user profile)|user-?info\b[^.\n]{0,40}\bfail/i,
    known(
      CLIENT,
      'OpenID Connect Core §5.3.3',
      'ask the userinfo endpoint with this token, and read its answer:  oauth-lab userinfo',
      'the token lacks a scope of the profile, or is for another API',
      'the address of the endpoint is wrong or old, or the server failed',
    ),
  ],
  [
    /required a bean of type '[\w.]*\.(?:JwtDecoder|ClientRegistrationRepository)'/,
    known(
      CLIENT,
      'RFC 8414 §3.1',
      'name the issuer in the configuration of Spring: spring.security.oauth2.resourceserver.jwt.issuer-uri, or a provider of spring.security.oauth2.client',
      'the setting is missing, under another prefix, or belongs to another profile',
    ),
  ],
  [/\b(?:jwt|bearer token|id token) (?:was|is) (?:invalid|not valid|rejected)\b/i, unreadable],
  [
    /\boauth_problem=/,
    known(
      CLIENT,
      'RFC 6749 §3.2',
      'this is OAuth 1.0a, of which nothing applies to OAuth 2.0: use a client library for it, or the OAuth 2.0 endpoints of the service',
    ),
  ],
  [/parameter value, includes a parameter more than once|otherwise malformed/i, request],
  // No more than that it failed, beside a word of OAuth that is no part of a name or a path.
  [
    /(?:fail(?:ed|ure)|error|invalid)\b(?!=)[^.\n]{0,40}(?<![\w/@.'-])(?:OAuth2?|OIDC|OpenID|SSO)(?![\w/'-]|\.\w)|(?<![\w/@.'-])(?:OAuth2?|OIDC|OpenID|SSO)(?![\w/'-]|\.\w)[^.\n]{0,40}\b(?:failed|failure|error)\b(?!=)/i,
    unnamed,
  ],
  [
    /(?:status(?: ?code)?|HTTP(?:\/[\d.]+)?(?: error| code)?|resulted in an?|client error|response code):? ?[(`]?40[0-5]\b|\b(?:oauth2?|oidc|openid)\b[^\n"]{0,60}(?:status(?: code)?|HTTP|token|error):? ?[45]\d\d\b|^unauthori[sz]ed: |"(?:GET|POST) \S*(?:token|user-?info|introspect)\S* HTTP\/[\d.]+" 40\d\b|"(?:GET|POST) +HTTP\/[\d.]+" [45]\d\d\b|\b(?:ur[il]|path)= .{0,200}\bstatus=[45]\d\d\b|\b(?:GET|POST) https?:\S*(?:auth|token|callback|user-?info)\S* [45]\d\d \(/im,
    known(
      'a message of a program about an answer',
      'RFC 6750 §3',
      'read the body of this answer and its WWW-Authenticate header, as by curl -v: they name the error',
    ),
  ],
]

/** Errors of libraries that say no more than their name. */
const OF_LIBRARIES: readonly KnownMessage[] = [
  [/SAML|Saml/, assertion],
  [/JW[TSK]|Jw[tsk]|(?:Bearer|Access|Id)Token/, unreadable],
  [/OAuth|OpenI[dD]|Oidc|OIDC/, unnamed],
]

/** The name of an error at the head of its message: `KidNotFound: …`, `[OAuthProblemException]`. */
const NAMES = /\b[A-Z][A-Za-z\d]{5,80}(?=: \S|\]|:?$)/gm

/** A text without the lines of source code that catch, throw or import an error. */
export const withoutCode = (text: string): string =>
  text.replace(/^[ \t]*(?:import|export|except|class|try|catch|throw|\} catch|from \S+ import)\b.*/gm, '')

/** The names of errors in a text, as words: `KidNotFound` says “Kid Not Found”. */
const spoken = (names: readonly string[]): string =>
  names.map(name => name.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ')).join('\n')

const inRows = (rows: readonly KnownMessage[], text: string): KnownError | undefined =>
  rows.find(([pattern]) => pattern.test(text))?.[1]

/** Returns what is known about a message of a program, by its words, else by the names of its errors; undefined for an unknown one. */
export function errorByMessage(said: string): KnownError | undefined {
  const text = said.replace(/[‘’]/g, "'")
  const byWords = inRows(MESSAGES, text)
  if (byWords !== undefined) return byWords
  const names = withoutCode(text).match(NAMES) ?? []
  const errors = names.filter(name => /(?:Error|Exception)$/.test(name))
  return inRows(MESSAGES, spoken(names)) ?? inRows(OF_LIBRARIES, errors.join('\n'))
}
