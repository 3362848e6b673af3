import {
  assertion,
  audience,
  bare,
  CLIENT,
  client,
  clock,
  closed,
  clusterToken,
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
  loop,
  malformed,
  names,
  notJson,
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
  stale,
  state,
  target,
  tls,
  twoCredentials,
  unallowed,
  unassigned,
  unchallenged,
  verifier,
} from './error-groups.js'

/** Messages of kubectl, and of an API server that reads ID tokens (`k8s.io/apiserver/plugin/pkg/authenticator/token/oidc`). */
const OF_CLUSTER: readonly (readonly [RegExp, KnownError])[] = [
  [
    /oidc: email not verified/i,
    clusterToken(
      'let the issuer send email_verified: true for this person, or take another claim as the name: --oidc-username-claim=sub',
      'the issuer has not verified the e-mail address, or says false by default',
    ),
  ],
  [
    /oidc: parse (?:username|groups) claims|claim not present/i,
    clusterToken(
      'decode the token and look for the claim:  oauth-lab jwt decode TOKEN',
      'the client did not ask for the scope that brings the claim, such as email or groups',
      'the issuer needs a mapper that puts the claim into the ID token',
    ),
  ],
  [
    /oidc: verify token:.*audience/i,
    clusterToken(
      'let --oidc-client-id of the API server be the aud of the token: the client_id that logs in',
      'kubectl logs in by another client than the API server expects',
      'an access token was sent in place of the ID token',
    ),
  ],
  [
    /oidc: verify token:.*issued by a different provider/i,
    clusterToken(
      'let --oidc-issuer-url be iss of the token, letter by letter, also the slash at the end',
      'the API server is configured for another address, realm or tenant of the issuer',
    ),
  ],
  [
    /oidc: authenticator (?:\S+ )?not initialized|oidc authenticator: (?:initializ|verifier)/i,
    clusterToken(
      'fetch the metadata of the issuer from the machine of the API server, and name the CA of the issuer by --oidc-ca-file',
      'the API server does not reach the issuer, or does not trust its certificate',
      'the issuer is not https, or names itself by another address in its metadata',
    ),
  ],
  [
    /User "system:anonymous" cannot/i,
    clusterToken(
      'send a token: the API server saw none',
      'the kubeconfig names no credentials for this context, or kubectl runs as another user',
      'the API server is not configured for tokens of this issuer',
    ),
  ],
  [
    /is forbidden: User "|\(Forbidden\): .*\bUser "/i,
    known(
      'a message of the API server of a Kubernetes cluster',
      'RFC 6750 §3.1',
      'bind a role to the user or to a group as the API server names them:  kubectl auth whoami',
      'the person is logged in, and no role allows this',
      'the name or the group has the prefix of --oidc-username-prefix or --oidc-groups-prefix, and the binding has not',
    ),
  ],
  [
    /You must be logged in to the server|has asked for the client to provide credentials|invalid bearer token|oidc: verify token/i,
    clusterToken(
      'decode the token, and compare iss, aud and exp with the flags of the API server; its log names the reason',
      'the token expired, or an access token was sent in place of the ID token',
      'the API server is configured for another issuer or client, or has not reached the issuer',
    ),
  ],
]

/** Messages of MCP clients. */
const OF_MCP: readonly (readonly [RegExp, KnownError])[] = [
  [
    /protected resource \S+ does not match expected/i,
    known(
      'a message of an MCP client',
      'RFC 9728 §3.3',
      'let the resource of the protected resource metadata be the address of the MCP server, as the client was given it',
      'the metadata name the authorization server, another host, http for https, or another path',
    ),
  ],
  [
    /does not support dynamic client registration|dynamic client registration (?:failed|is not)/i,
    known(
      'a message of an MCP client',
      'RFC 7591 §3',
      'give the client a client_id that is registered, or let the authorization server take a client document or registration_endpoint',
      'the metadata have no registration_endpoint, or it needs an initial access token',
    ),
  ],
  [/multiple authentication methods/i, twoCredentials],
]

/** Sentences of login pages, such as those of Keycloak, Auth0, Okta, Google and Entra. */
const OF_LOGIN_PAGES: readonly (readonly [RegExp, KnownError])[] = [
  [
    /(?:^|login )cookie not found|cookies are (?:disabled|enabled) in your browser|page has expired|action expired|login timeout|you are already logged in/im,
    stale,
  ],
  [
    /not assigned to (?:the|this) (?:client )?application|(?:developer|owner) hasn.t given you access|app is blocked|hasn.t verified this app|need admin approval|does not exist in tenant|not in (?:an? |the )?allowed (?:group|domain)|credentials aren.t allowed|policy evaluation failed|SSO error: no such user|email.{0,20}(?:isn.t|is not|not) verified/i,
    unassigned,
  ],
  [
    /grant type \S{1,60} (?:is )?not (?:allowed|enabled|supported) for|not (?:enabled|allowed|authorized|configured) (?:to|for) (?:retrieve service account|access "|OAuth\b|direct access|standard flow|implicit)|client-grant/i,
    unallowed,
  ],
  [/service not enabled within domain/i, target],
  [/^client (?:was )?not found|the OAuth client was (?:not found|deleted)/im, client],
  [/scopes? (?:are|is) not configured/i, scope],
  [/can.t load URL|domain of this URL isn.t included/i, redirect],
  [
    /AuthenticityError|AuthenticityTokenProtection/,
    known(
      CLIENT,
      'RFC 6749 §10.12',
      'begin the login by a form that POSTs, with the CSRF token of the application: a link to it is refused',
      'OmniAuth takes no GET for the start of a login since version 2',
    ),
  ],
  [
    /"?rd"? parameter .{1,200} not whitelisted|invalid redirect: /i,
    known(
      CLIENT,
      'RFC 9700 §2.1',
      'allow the host to which the person returns after the login (oauth2-proxy: whitelist_domains)',
      'the address after the login is on another host or port than the application allows',
    ),
  ],
  [/unexpected error when authenticating with identity provider/i, exchange],
]

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
    /ENOTFOUND|EAI_AGAIN|getaddrinfo|no such host|name or service not known|failure in name resolution|nodename nor servname|NAME_NOT_RESOLVED|could not resolve host|NS_ERROR_UNKNOWN_HOST|UnknownHostException/i,
    names,
  ],
  [
    /ETIMEDOUT|EHOSTUNREACH|no route to host|network is unreachable|ERR_(?:CONNECTION_)?TIMED_OUT|NS_ERROR_NET_TIMEOUT|UND_ERR_CONNECT_TIMEOUT|i\/o timeout|context deadline exceeded|(?:connect|read|connection) timed out/i,
    slow,
  ],
  [
    /\b(?:unexpected )?EOF\b$|socket hang up|ECONNRESET|connection reset by peer|ERR_CONNECTION_(?:RESET|CLOSED)|ERR_EMPTY_RESPONSE/im,
    closed,
  ],
  [/\b50[234] (?:Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out)/i, gateway],
  [
    /invalid character '.{1,4}' looking for beginning of value|Unexpected token .{1,12} (?:in JSON|is not valid JSON)|JSONDecodeError|Expecting value: line|Unexpected end of JSON input|Unexpected character encountered while parsing/is,
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
  ...OF_CLUSTER,
  ...OF_MCP,
  ...OF_LOGIN_PAGES,
  [
    /AssumeRoleWithWebIdentity|No OpenIDConnect provider found|federated identity record|bound claim|stale to sign-in|rejected by the attribute condition/i,
    federation,
  ],
  [/[?&]error=(?:OAuth(?:Signin|CreateAccount)|Callback|Configuration)\b/, exchange],
  [
    /auth\/unauthorized-domain/,
    known(SCRIPT, 'RFC 6749 §3.1.2.3', 'add the domain of the page to the authorized domains of the project'),
  ],
  [
    /auth\/(?:popup|cancelled-popup)|appauth\.general error -[34]\b|User cancell?ed (?:flow|the login)/i,
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
    /cookie.{0,200}(?:size is too big|too large|exceeds the 4 ?kb|invalid domain|Domain attribute was invalid)/i,
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
    /\bSAML\b.{0,200}(?:signature|invalid|reject|expired|not yet|audience|destination|recipient|InResponseTo|NotOnOrAfter|NotBefore)|(?:signature|invalid|reject|expired|audience|destination|recipient)\b.{0,200}\bSAML\b|received at \S{1,200} instead of|in the Assertion\/Response|SAML:2\.0:status:(?!Success)\w/is,
    assertion,
  ],
  [
    /(?:code[ _]?verifier|code[ _]?challenge|PKCE)\b.{0,40}(?:\bnot match|mismatch|invalid|\bnot valid|fail|incorrect|wrong)|(?:invalid|wrong|incorrect|failed|mismatch\w*) (?:PKCE )?(?:code[ _]?verifier|PKCE)\b/i,
    verifier,
  ],
  [
    /(?:must|has to|have to) use PKCE|(?:PKCE|code[ _]challenge(?:[ _]method)?|Proof Key for Code Exchange) (?:is |was |)(?:required|mandatory|missing)|requires? (?:PKCE|(?:a )?code[ _]challenge|Proof Key)|missing (?:required )?(?:parameter: )?code[ _]challenge/i,
    unchallenged,
  ],
  [
    /\bjwt is missing|no (?:authorization|auth|bearer) ?token\b|missing (?:the )?(?:authorization|bearer)[ -](?:header|token)|authorization header (?:is |was )?(?:missing|required|not found|expected)|full authentication is required/im,
    bare,
  ],
  [
    /malformed (?:jwt|token|access token|id token)|(?:jwt|token) (?:is )?malformed|not enough segments|(?:wrong|invalid) number of segments|invalid compact JW[SE]|exactly 2 period|three segments|two dots and 3 sections|missing dot delimiter|invalid token specified|expected 3 parts|\bnot a (?:valid )?(?:jwt|jws|JSON Web Token)\b|invalid jwt(?: serialization| format|$)/im,
    malformed,
  ],
  [
    /IDX2132\d|"?state"? response parameter|verify (?:the )?(?:request )?state\b|nonce"? (?:claim|in (?:the )?ID[ _]token)|(?:invalid|wrong|unexpected) nonce|nonce (?:was null|mismatch|is missing|cookie|does not match)|checks\.nonce|ID token nonce/i,
    state,
  ],
  [
    /pkceCodeVerifier|PKCE code_verifier|checks\.(?:state|code_verifier)|state (?:cookie |param(?:eter)? |argument |value )?(?:is |was |did |does )?(?:missing|mismatch|invalid|not (?:match|equal|found|valid))|no matching state|state[`'"]? does not match|correlation failed|state not equal|invalid (?:oauth )?state|unable to verify authorization request state|InvalidCheck|\bno (?:\w+ ){0,2}state\b|missing (?:oauth )?state\b|state not found|CSRF warning|invalid CSRF token|CSRF token (?:mismatch|invalid|missing)|valid CSRF token|InvalidStateException|unable to restore state|state parameter was|\bno \S{0,60}(?:state|nonce)\S{0,60} cookie/i,
    state,
  ],
  [
    /IDX105\d\d|no matching key|unable to find a signing key|signature (?:validation|verification) failed|invalid signature|JWKSNoMatchingKey|JWSSignatureVerificationFailed|another algorithm expected|failed to verify (?:the |id )?(?:token|signature)|invalid jwt signature|jwt (?:signature|verification) (?:does not match|fails)|signature is invalid|bad[_ ]signature|no applicable keys?|matching keys? found|key to match kid|unsupported algorithm|alg\b.{0,40}(?:not allowed|not supported|received|header parameter)|invalid algorithm|could not deserialize key|not a valid JWK/i,
    keys,
  ],
  [
    /IDX1020[4-9]|IDX10211|issuer (?:\S{1,100} )?(?:is |was )?(?:mismatch|did not match|does not match|invalid|not trusted)|authority mismatch|(?:unexpected|invalid|wrong) (?:JWT |ID Token )?"?iss(?:uer)?\b|\bissuer"? (?:property |claim )?(?:does not match|doesn't match|is not configured)|\biss(?:uer)? claim (?:is )?(?:not valid|invalid)|issued by a different provider/i,
    issuer,
  ],
  [
    /IDX10214|audience (?:\S{1,100} )?(?:validation|is invalid|mismatch)|(?:jwt|invalid|wrong) (?:token )?audience|audience (?:does not|doesn't|did not) match|audiences? in jwt|\baud"? (?:\(audience\) )?claim|AudienceMismatch|audience from claim|array of values for "aud"|token's client ID does not match|InvalidAudience|expected audience "/i,
    audience,
  ],
  [
    /refresh[ _]token(?: has(?: been)?| is| was|:)? (?:already used|expired|invalid|revoked|not (?:found|valid|active)|reuse)|invalid refresh[ _]token|authorization code not found|(?:\btoken|session) (?:is )?not active/i,
    grant,
  ],
  [/RBAC: access denied|Access(?:Is)?DeniedException|AuthorizationDenied|insufficient scope/i, forbidden],
  [
    /IDX1022[2-5]|\bjwt (?:is |has )?expired|\bexpired jwt\b|\btoken (?:is |has )?expired\b(?! and refresh)|signature has expired|\bjwt not active\b|\b(?:exp|nbf|iat)"? (?:\([\w ]{1,40}\) )?claim\b|past current timestamp|token used (?:before issued|too early)|\bnot yet valid\b|clock skew|issued in the future/i,
    clock,
  ],
  [
    /IDX2080\d|unable to (?:obtain|resolve|retrieve)[^.]{0,30}configuration|not a conform (?:Authorization Server Metadata|Resource Server Metadata|JSON Web Key Set)|metadata does not contain|jwks remote fetch|discovery (?:document )?(?:failed|not found)|realm does not exist|could not (?:fetch|load|retrieve)[^.]{0,30}(?:discovery|openid|metadata)|failed to query provider/i,
    discovery,
  ],
  [/silent authentication (?:was denied|failed)|InteractionRequired|third[- ]party cookies/i, interaction],
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
    /grant is invalid, expired|\bcode (?:passed )?(?:is |was |has been )?(?:not valid|invalid|incorrect|expired|used|already (?:redeemed|used))|\bcode '[^']{1,100}' already used/i,
    grant,
  ],
  [
    /redeeming code missing code|missing (?:authorization )?code\b/i,
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
    /response missing access_token|no access[ _]token (?:found|in|was returned|provided)/i,
    known(
      CLIENT,
      'RFC 6749 §5.1',
      'read the answer of the token endpoint itself: it has no access_token as a member of JSON',
      'the server answered an error with status 200, such as GitHub does',
      'the answer is a form or a page, and not JSON',
    ),
  ],
  [
    /\bTokenError\b|error retrieving access token|cannot (?:fetch|retrieve) token|OAuthCallbackError|token exchange failed|error redeeming code|failed to (?:get|obtain|fetch|retrieve|exchange|redeem)\b[^.]{0,30}\b(?:token|code)\b|\bPOST \S{1,200}token\S{0,60} resulted in a|\b4\d\d Client Error: .{1,60} for url: \S*(?:token|oauth)|has_sso_error|Social Network Login Failure|could not authenticate you from \w+ because/i,
    exchange,
  ],
  [/MUST utilize https|insecure_transport|only requests to https|^https required/im, insecure],
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

/** Returns what is known about a message of a program; undefined for an unknown one. */
export const errorByMessage = (text: string): KnownError | undefined =>
  MESSAGES.find(([pattern]) => pattern.test(text))?.[1]
