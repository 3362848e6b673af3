import {
  CLIENT,
  CLUSTER,
  client,
  clusterToken,
  exchange,
  type KnownError,
  known,
  redirect,
  scope,
  stale,
  target,
  twoCredentials,
  unallowed,
  unassigned,
} from './error-groups.js'

/** A part of a message, and what is known about it. */
export type KnownMessage = readonly [RegExp, KnownError]

/** Messages of kubectl, and of an API server that reads ID tokens (`k8s.io/apiserver/plugin/pkg/authenticator/token/oidc`). */
export const OF_CLUSTER: readonly KnownMessage[] = [
  [
    /no Auth Provider found for name/i,
    known(
      'a message of a client of a Kubernetes cluster',
      'OpenID Connect Core §3.1.3.7',
      'let the kubeconfig name a program that brings the token, such as kubelogin (users: exec), or use a newer build of this client',
    ),
  ],
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
    /is forbidden: User "|Error from server \(Forbidden\)|\(Forbidden\): .*\bUser "/i,
    known(
      CLUSTER,
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
export const OF_MCP: readonly KnownMessage[] = [
  [
    /protected resource .{1,200}does not match/i,
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
  [/multiple (?:client )?authentication methods/i, twoCredentials],
]

/** Sentences of login pages, such as those of Keycloak, Auth0, Okta, Google and Entra. */
export const OF_LOGIN_PAGES: readonly KnownMessage[] = [
  [
    /(?:^|login )cookie not found|cookies are (?:disabled|enabled) in your browser|page has expired|action expired|login timeout|you are already logged in|Auth(?:orization)?[ _]?Request[. _]?Not[ _]?Found|\b(?:expired_code|cookie_not_found|session_expired)\b/im,
    stale,
  ],
  [
    /not assigned to (?:the|this) (?:client )?application|(?:developer|owner) hasn.t given you access|hasn.t approved this consumer|OAUTH_APP_(?:ACCESS_DENIED|BLOCKED)|app is blocked|hasn.t verified this app|need admin approval|does not exist in tenant|not in (?:an? |the )?allowed (?:group|domain)|credentials aren.t allowed|policy evaluation failed|SSO error: no such user|email.{0,20}(?:isn.t|is not|not) verified/i,
    unassigned,
  ],
  [
    /grant type \S{1,60} (?:is )?not (?:allowed|enabled|supported) for|(?:unsupported|invalid|error in handling) response[ _]type|response[ _]type\b.{0,60}not (?:supported|allowed|enabled|permitted)|not (?:enabled|allowed|authorized|configured) (?:to|for) (?:retrieve service account|access "|OAuth\b|direct access|standard flow|implicit)|client-grant/i,
    unallowed,
  ],
  [/service not enabled within domain/i, target],
  [
    /^client (?:was )?not found|\bclient_not_found\b|the OAuth client was (?:not found|deleted)|(?:invalid|unknown|unregistered) client[ _]?id|client[ _]?id\b.{0,60}(?:not found|not available|unknown|is invalid|does not exist)/im,
    client,
  ],
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
  [
    /unexpected error when (?:authenticating with|handling authentication request to) identity provider|\bIdentityBroker(?:Service|Exception)\b/i,
    exchange,
  ],
]
