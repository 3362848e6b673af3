import type { Citation } from '../../protocol/rules/rule.js'

/** An error that is known: the message that carries it, its rule, the next move, and its likeliest causes, the most frequent first. */
export interface KnownError {
  readonly where: string
  readonly rule: Citation
  readonly next: string
  readonly causes: readonly string[]
}

/** Makes what is known about an error. */
export const known = (
  where: string,
  rule: Citation,
  next: string,
  ...causes: readonly string[]
): KnownError => ({
  where,
  rule,
  next,
  causes,
})

/** Messages that carry errors, for people. */
export const CALLBACK = 'an authorization response: the redirect back to the client'
export const TOKEN = 'an answer of the token endpoint'
export const EITHER = 'an authorization response or a token answer'
export const API = 'an answer of a resource server'
export const REGISTRATION = 'an answer to the registration of a client'
export const DEVICE = 'an answer of the token endpoint to a device that polls'
export const BACKCHANNEL = 'an answer to a backchannel authentication request'
export const CLIENT = 'a message of the client that received the callback'
const READER = 'a message of a program that reads tokens'
export const CLUSTER = 'a message of the API server of a Kubernetes cluster'
export const SCRIPT = 'a message of a script in the page'
export const NETWORK = 'a message of a program that could not reach the server'
export const ENTRA = 'an error of Microsoft Entra'
const SIGN_IN = 'a message of a login page'

/** The next move that names the redirect_uri of the request, where that is known. */
export const REGISTER = 'register this redirect_uri, to the letter'
/** Errors of the authorization endpoint. */
export const SECTION_4 = 'RFC 6749 §4.1.2.1'
/** Errors of the token endpoint. */
export const SECTION_5 = 'RFC 6749 §5.2'
/** Errors of a request without a page. */
export const PROMPT = 'OpenID Connect Core §3.1.2.6'

/** An address that is not registered. */
export const redirect = known(
  'an error page of the authorization server, or an answer of its token endpoint',
  'RFC 6749 §3.1.2.3',
  REGISTER,
  'the redirect_uri of the request is not registered for this client: compare scheme, host, port, path and the slash at the end',
  'the client_id is that of another client or environment',
  'the application takes its own address for http behind a proxy that ends TLS',
  'the token request names another redirect_uri than the authorization request',
)
/** A code or refresh token that is no longer good. */
export const grant = known(
  TOKEN,
  SECTION_5,
  'the code or refresh token expired, was used before, or belongs to another client or redirect_uri',
  'the code was used before, such as by a page that was loaded twice, or it is older than its minute or ten',
  'the redirect_uri of the token request is not that of the authorization request, to the letter',
  'the code_verifier does not belong to the code_challenge: another login, or the wrong form of the digest',
  'the refresh token was rotated, revoked or belongs to another client',
  'the clock of the client is wrong, where an assertion is the grant',
)
/** A client that did not authenticate. */
export const client = known(
  TOKEN,
  SECTION_5,
  'check the client_id, its secret or key, and the way in which it authenticates',
  'the client_secret is wrong, expired, or the id of the secret was sent in place of its value',
  'the client authenticates in another way than it is registered for: header, body or private_key_jwt',
  'the secret has characters that the Basic header needs form-encoded',
  'the client_id is that of another environment',
)
/** A login that somebody refused. */
export const denied = known(
  CALLBACK,
  SECTION_4,
  'the user, or a rule of the server, said no: look into the log of the server',
  'the person pressed Cancel, or did not consent',
  'a rule of the server refuses this person or this application, such as a missing assignment',
  'at the token endpoint: the client_secret is wrong, which some servers call so',
)
/** An application that an organization does not allow. */
export const blocked = known(
  'an error page of Google',
  SECTION_4,
  'read the page as the administrator of the application: its consent screen, its users and its type decide',
  'the application is for one organization, and the person is of another',
  'an administrator has not allowed the application or its scopes',
)
/** A person whom the server does not let in. */
export const password = known(
  SIGN_IN,
  SECTION_4,
  'the server refused the person, and not the request: log in with the right password, or let an administrator unlock the account',
  'the password or the code was mistyped, or the account is locked, expired or in another directory',
)
/** A login page whose login the server has forgotten. */
export const stale = known(
  SIGN_IN,
  'RFC 6265 §5.4',
  'begin the login again at the application; where it happens each time, record the login, and check the cookies of the server',
  'the page stood open for too long, or was opened by Back, a bookmark or a second tab',
  'the cookie of the server did not come back: http before a proxy that ends TLS, another host name, or a frame',
)
/** A person who is known, and may not use the application. */
export const unassigned = known(
  SIGN_IN,
  SECTION_4,
  'log in as another account, or let an administrator let this person or their group into the application',
  'the person, or a group of theirs, is not assigned to the application, or not on its list of testers, domains or groups',
  'the browser is logged in as another account, of another organization',
)
/** A client that may not do this. */
export const unallowed = known(
  EITHER,
  SECTION_5,
  'allow the client this grant where it is registered',
  'the client is not registered for this grant or response_type',
  'the redirect_uri is not registered: some servers call it so',
)
/** An API that the server does not know. */
export const target = known(
  TOKEN,
  'RFC 8707 §2',
  'name a resource that the server knows and the person authorized',
  'the resource is unknown to the server, or was not authorized',
)
/** A callback without the cookie of its login. */
export const state = known(
  CLIENT,
  'RFC 6749 §10.12',
  'compare host, path, Secure and SameSite of the cookie with the callback: record the login, and explain the recording',
  'the cookie that holds the state, nonce or verifier of the login did not come with the callback: localhost and 127.0.0.1, Secure over http, SameSite with form_post or in a frame',
  'the callback was loaded a second time, or belongs to a login of another tab or browser',
  'instances of the application share no session store, or no key for their cookies',
)
/** A signature that does not fit. */
export const keys = known(
  CLIENT,
  'OpenID Connect Core §3.1.3.7',
  'compare kid and alg of the token with the published keys:  oauth-lab jwt verify TOKEN --issuer URL',
  'the token is of another server or environment than the keys',
  'the server rotated its keys, and the client holds old ones',
  'the client expects another alg than the server signs with',
)
/** A token of another issuer than is expected. */
export const issuer = known(
  CLIENT,
  'OpenID Connect Core §3.1.3.7',
  'compare the issuer of the configuration with iss of the token, letter by letter, also the slash at the end',
  'the client reaches the server by another address than the browser does, and the server names itself by the address of the request',
)
/** A token for another API. */
export const audience = known(
  API,
  'RFC 9068 §4',
  'compare aud of the token with the name that the API expects',
  'the token was asked for without the audience, resource or scope of this API',
  'an ID token was sent in place of the access token',
)
/** A token outside its time. */
export const clock = known(
  CLIENT,
  'RFC 7519 §4.1.4',
  'compare the clocks of both computers, and read exp, iat and nbf of the token',
  'a clock is wrong by more than the tolerance of the reader',
)
/** A token that is no JWT. */
export const malformed = known(
  READER,
  'RFC 7519 §7.2',
  'find out what was sent as the token:  oauth-lab explain',
  'an opaque token, a code or an address was sent where a JWT is expected: ask for a token of this API by its audience or resource',
  'quotes, a line end, the word Bearer or another encoding stand around the token',
  'the variable, cookie or header that holds it is empty, cut off, or says undefined',
)
/** A token that a program does not accept, for a reason that it does not name. */
export const unreadable = known(
  READER,
  'RFC 7519 §7.2',
  'decode the token, and compare alg, iss, aud and exp with what the program expects:  oauth-lab jwt decode TOKEN',
  'the token is opaque, expired, of another server or for another API',
)
/** A request without a token. */
export const bare = known(
  API,
  'RFC 6750 §2.1',
  'send the token with the request:  Authorization: Bearer TOKEN',
  'the client sends no token, or sends it as a cookie or under another name',
  'a proxy or a redirect to another host drops the Authorization header',
)
/** A token that is good, and not enough. */
export const forbidden = known(
  API,
  'RFC 6750 §3.1',
  'compare scope, roles and groups of the token with what the API asks for:  oauth-lab jwt decode TOKEN',
  'the token was taken, and the person or client may not do this',
  'the API reads the role or scope from another claim, or under another prefix',
)
/** A code that is redeemed without the right verifier. */
export const verifier = known(
  TOKEN,
  'RFC 7636 §4.6',
  'send the code_verifier of the same login: the base64url of its SHA-256, without padding, is the code_challenge',
  'the verifier is of another login: a second tab, a reload, or another instance of the application',
  'the challenge is the digest in hex or standard base64, or the verifier was sent as the challenge',
)
/** A login without PKCE, where the server wants it. */
export const unchallenged = known(
  CALLBACK,
  'RFC 7636 §4.4.1',
  'send code_challenge and code_challenge_method=S256 with the authorization request, and code_verifier with the code',
  'the client library has PKCE off, or is too old for it',
)
/** A proof of possession that is refused. */
export const proof = known(
  TOKEN,
  'RFC 9449 §5',
  'check htm, htu, iat and the key of the proof',
  'htm or htu is not that of the request',
  'iat is too old, or the clock is wrong',
  'the proof was sent twice',
  'ath is missing at a resource server',
)
/** A SAML response that an application refuses. */
export const assertion = known(
  'a message of an application that reads SAML',
  'SAML 2.0 Profiles §4.1.4.3',
  'paste the SAMLResponse:  oauth-lab explain  reads its status, signature, addresses and times',
  'Destination, Recipient or Audience is not the address or entity ID by which the application knows itself, as behind a proxy',
  'the certificate of the identity provider was changed, or the application holds that of another environment',
  'the clocks differ, or the page of the response was loaded a second time',
)
/** Metadata that a client did not get. */
export const discovery = known(
  CLIENT,
  'RFC 8414 §3.1',
  'fetch the metadata from the computer of the client:  oauth-lab discover URL',
  'the address is wrong, or a container or proxy does not reach the server',
  'the client does not trust the certificate of the server',
)
/** A code that a client could not redeem. */
export const exchange = known(
  CLIENT,
  SECTION_5,
  'read the log of the client at this time: it has the answer of the token endpoint',
  'the token endpoint refused the client: its secret is wrong, or its redirect_uri is another one',
  'the client did not reach the token endpoint, or does not trust its certificate',
  'a proxy or firewall before the server answered with a page of its own',
)
/** A login that failed, by a message that does not say why. */
export const unnamed = known(
  CLIENT,
  SECTION_4,
  'this line does not say why: read the lines around it, and the log of the client at this time',
  'the server refused the login or the token request, and its answer names the error',
  'the cookie of the login did not come back with the callback',
  'the client did not reach the server, or does not trust its certificate',
)
/** A certificate that is not trusted. */
export const tls = known(
  NETWORK,
  'RFC 6749 §10.9',
  'let the client trust the CA of the server; a program of Node.js by  NODE_EXTRA_CA_CERTS=ca.pem',
  'the certificate is signed by itself, or by a CA that the client does not know',
  'the server sends no intermediate certificate, or its certificate expired',
)
/** An address where nothing listens. */
export const refused = known(
  NETWORK,
  'RFC 6749 §10.9',
  'start the server, and check host and port: nothing listens at this address',
  'the server is not running, or listens on another port',
  'localhost in a container is the container itself',
)
/** A host name that is unknown. */
export const names = known(
  NETWORK,
  'RFC 6749 §10.9',
  'check the host name: DNS does not know it from this computer',
  'a name is mistyped, or known only inside a container network',
)
/** A network without an answer. */
export const slow = known(
  NETWORK,
  'RFC 6749 §10.9',
  'check the network between client and server: a firewall or a proxy drops the packets',
)
/** An answer in another form than JSON. */
export const notJson = known(
  CLIENT,
  'RFC 6749 §5.1',
  'fetch the address that the client asked, and read what it answers: it is no JSON',
  'the address of the endpoint is wrong, and a page about that came, or the login page',
  'a proxy or firewall before the server answered with a page of its own',
  'the server answers in a form, such as GitHub without Accept: application/json',
)
/** A server that is down behind its proxy. */
export const gateway = known(
  'a message of a proxy or server',
  'RFC 9110 §15.6.4',
  'check the server behind the proxy: it is not running, not ready, or at another address than the proxy asks',
)
/** A firewall that takes code or state for an attack. */
export const firewall = known(
  'a message of a proxy or server',
  'RFC 9110 §15.5.1',
  'let the firewall before the server pass this address: its log names the rule, by the number on the page',
  'code, state or an address in the query looks like an attack to a rule of the firewall',
  'the firewall blocks the network, the country or the kind of program',
)
/** A client that shows its credentials twice. */
export const twoCredentials = known(
  TOKEN,
  'RFC 6749 §2.3',
  'send the credentials of the client in one place: the Authorization header, the body or an assertion',
  'a public client sends an empty secret or an Authorization header beside its client_id',
)
/** A client that is configured for OAuth, and asked for OpenID Connect. */
export const plainOAuth = known(
  CLIENT,
  'OpenID Connect Core §3.1.3.3',
  'configure the client for OpenID Connect: it asked for openid, got an id_token, and reads plain OAuth (in NextAuth: idToken: true)',
)
/** A token of a workload that another system does not take in exchange for its own. */
export const federation = known(
  'a message of a system that takes tokens of workloads: AWS, Azure, Google Cloud, Vault',
  'RFC 7523 §3',
  'decode the token, and compare iss, sub and aud with the trust that is configured, letter by letter:  oauth-lab jwt decode TOKEN',
  'the subject is another one: another branch, environment, pull request, namespace or service account, or other letters in the name',
  'the audience is not that of the trust',
  'the issuer is not registered there, or its keys cannot be fetched',
)
/** A connection that ended without an answer. */
export const closed = known(
  NETWORK,
  'RFC 6749 §10.9',
  'read the log of the server, and of a proxy before it, at this time: the connection was closed without an answer',
  'the server or a proxy crashed, restarted or gave up',
  'http was spoken to a port for https, or https to a port for http',
)
/** A token that the API server of a cluster does not take. */
export const clusterToken = (next: string, ...causes: readonly string[]): KnownError =>
  known(CLUSTER, 'OpenID Connect Core §3.1.3.7', next, ...causes)

/** A request over http. */
export const insecure = known(
  CLIENT,
  'RFC 6749 §10.9',
  'use https; behind a proxy let the application trust X-Forwarded-Proto',
)
/** A login in a frame. */
export const frame = known(
  SCRIPT,
  PROMPT,
  'renew by refresh tokens, or log in by a redirect of the whole page',
  'the browser blocks cookies of third parties in frames, so the server shows its login page, which no frame may show',
  'the page of the redirect_uri does not hand the answer to its parent',
)
/** A login in a window. */
export const popup = known(
  SCRIPT,
  PROMPT,
  'open the window from a click, and let the page of the redirect_uri run no other script',
  'the person closed the window, or the browser blocked it',
)
/** A request without a page, where one is needed. */
export const interaction = known(
  CALLBACK,
  PROMPT,
  'the user has to do something: leave prompt=none out',
  'prompt=none was asked, and the server has a question: consent, a second factor, new terms',
  'the session cookie did not arrive in a frame of a third party',
)
/** A request without a page, where nobody is logged in. */
export const login = known(
  CALLBACK,
  PROMPT,
  'the user has no session at the server: leave prompt=none out; third-party cookies may be blocked',
  'prompt=none was asked, and the person has no session at the server',
  'the session cookie did not arrive, because the browser blocks cookies of third parties in frames',
)
/** A scope that is not given. */
export const scope = known(
  EITHER,
  SECTION_5,
  'ask for scopes that the server knows and the client may have',
  'a scope is unknown to the server, or not allowed for this client',
  'scopes are separated by commas, and not by spaces',
  'client_credentials asks for openid or offline_access, which need a person',
)
/** A request with a mistake. */
export const request = known(
  'an answer of any endpoint',
  SECTION_5,
  'a parameter is missing, repeated or wrong: compare with the documentation of the server',
  'a parameter is missing or stands twice',
  'the body is JSON, and the endpoint reads a form',
  'credentials stand in the header and in the body at once',
)
/** A token that an API refuses. */
export const token = known(
  API,
  'RFC 6750 §3.1',
  'the token expired, was revoked, or is for another API',
  'the access token expired, or was revoked',
  'it was issued by another server or for another audience',
  'an ID token was sent in place of the access token',
)
/** A cookie that a browser did not take, or did not send. */
export const cookie = (next: string, ...causes: readonly string[]): KnownError =>
  known('a message of the browser about a cookie', 'RFC 6265 §5.4', next, ...causes)

/** A browser that is sent around. */
export const loop = known(
  'a message of the browser',
  'RFC 6265 §5.4',
  'record the login, and explain the recording: a cookie does not come back, so each page begins the login again',
  'the session cookie of the application is Secure and the page is http, is above 4 kB, or is of another host or path',
  'the application behind a proxy takes its own address for http, and redirects to https for ever',
)
/** A request object that is refused. */
export const object = known(
  CALLBACK,
  'RFC 9101 §6.3',
  'check signature, aud and exp of the request object, and if the server takes any',
)
