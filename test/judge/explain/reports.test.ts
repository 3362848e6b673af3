import { expect, it } from 'vitest'
import { explainText } from '../../../src/judge/explain/paste/explain-text.js'
import { fragmentLines } from '../../../src/show/render/explain/fragment-lines.js'

/** Lines of public reports, with made up hosts and values: where, the lines, what a person should read. */
const REPORTS: [where: string, lines: string, ...read: RegExp[]][] = [
  [
    'ministryofjustice/intranet#806',
    'MOJ_AUTH: Error:  Array\n(\n    [error] => invalid_grant\n    [error_description] => AADSTS9002313: Invalid request. Request is malformed or invalid.\n)',
    /AADSTS9002313: Invalid request/,
    /missing, repeated or not encoded/,
  ],
  [
    'justlovemaki/AIClient2API#391',
    '[INFO] [OAuth Manual Callback] Callback URL: http://localhost:1455/auth/callback?code=abcdefghijk&state=06095d0b\n[ERROR] [Codex Auth] Token exchange failed: Invalid URL',
    /says “\[ERROR\] \[Codex Auth\] Token exchange failed: Invalid URL”/,
    /log of the client/,
  ],
  [
    'lennart-k/rustical#105',
    'ERROR http-request{otel.name=GET /oidc/callback?code=LKy215cM1brb5Tuk&state=L298tB5I1r ua=Mozilla/5.0 status=500}: server error: No local OIDC state',
    /No local OIDC state/,
    /Compare host, path, Secure and SameSite/,
  ],
  [
    'emansih/FireflyMobile#48',
    'local.ERROR: The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed. {"exception":"[object]"}',
    /A parameter is missing or stands twice/,
  ],
  [
    'lennart-k/rustical#184',
    'Cookie “rustical_session” with the “SameSite” attribute value “Lax” or “Strict” was omitted because of a cross-site redirect.',
    /about a cookie/,
    /SameSite=None; Secure/,
  ],
  [
    'keycloak/keycloak#29112',
    'Cookie “AUTH_SESSION_ID” will soon be rejected because it is foreign and does not have the “Partitioned“ attribute.',
    /in a frame of another site/,
  ],
  [
    'keycloak/keycloak-community#282',
    "There was an error while logging in: request to the redirect_uri path but there's no session state found",
    /Compare host, path, Secure and SameSite/,
  ],
  [
    'AzureAD/microsoft-identity-web#1324',
    `WWW-Authenticate: Bearer error="invalid_token", error_description="The issuer '(null)' is invalid"`,
    /Compare the issuer of the configuration/,
  ],
  [
    'Azure-Samples/ms-identity-java-webapi#3',
    '{"error":"invalid_token","error_description":"Invalid Issuer (iss) claim: https://login.example/x/v2.0"}',
    /Compare the issuer of the configuration/,
  ],
  [
    'keycloak/keycloak-nodejs-auth-utils#80',
    'Grant validation failed. Reason: invalid token (wrong ISS)',
    /Compare the issuer of the configuration/,
  ],
  [
    'okta/okta-oidc-js#348',
    'InvalidBearerTokenException: An error occurred while attempting to decode the Jwt: Signed JWT rejected: Another algorithm expected, or no matching key(s) found',
    /Jwt: Signed JWT rejected/,
    /published keys/,
  ],
  [
    'mauriciovigolo/keycloak-angular#464',
    'WARN  [org.keycloak.events] type=CODE_TO_TOKEN_ERROR, clientId=spa, userId=null, error=invalid_code, grant_type=authorization_code',
    /invalid_code/,
    /The code was used before/,
  ],
  [
    'mauriciovigolo/keycloak-angular#212',
    'type=CODE_TO_TOKEN_ERROR, clientId=spa, error=invalid_client_credentials, grant_type=authorization_code',
    /Check the client_id, its secret or key/,
  ],
  [
    'oauth2-proxy/oauth2-proxy#1461',
    'Error redeeming code during OAuth2 callback: error performing request: Post "https://git.example/token": dial tcp: i/o timeout',
    /a firewall or a proxy drops the packets/,
  ],
  [
    'argoproj/argo-cd, GiganticMinecraft/seichi_infra#59',
    'github: failed to get token: oauth2: server response missing access_token',
    /failed to get token: oauth2: server/,
  ],
  [
    'linchus/omniauth-gitlab#10',
    'ERROR -- omniauth: (gitlab) Authentication failure! invalid_credentials: OAuth2::Error, invalid_grant: The grant is invalid',
    /invalid_credentials: OAuth2::Error, invalid_grant/,
  ],
  [
    'MaikuB/flutter_appauth#540',
    'Failed to get token: [error: invalid_client, description: null]',
    /get token: \[error: invalid_client/,
  ],
  [
    'mmanos/laravel-social#25',
    'Failed to request resource. HTTP Code: HTTP/1.1 400 Bad Request',
    /HTTP Code: HTTP\/1\.1 400/,
  ],
  [
    'radiasoft/sirepo#2943',
    '21:56:47 raise MismatchingStateError()\n21:56:47 MismatchingStateError: mismatching_state: CSRF Warning!',
    /“21:56:47 MismatchingStateError/,
  ],
  [
    'MaikuB/flutter_appauth#536',
    'PlatformException(failed, {code: 8, error_debug_description: AuthorizationException: {"type":0,"errorDescription":"Unable to parse ID Token"}}, null)',
    /“Unable to parse ID Token”/,
  ],
  [
    'hashicorp/vault#30549',
    'Error exchanging oidc code: "Provider.Exchange: oauth2: cannot fetch token: 403 Forbidden\\nResponse: {\\"error\\":\\"invalid_grant\\",\\"error_description\\":\\"late\\"}"',
    /invalid_grant, “late”/,
  ],
  [
    'keycloak/keycloak-community#185',
    'WARN  [org.keycloak.events] type=LOGIN_ERROR, clientId=web, error=invalid_redirect_uri, redirect_uri=http://a.example/cb',
    /This is the error invalid_redirect_uri: an error page of the authorization server/,
  ],
  [
    'Azure/azure-sdk-for-net#22540',
    'Azure.Identity.CredentialUnavailableException: DefaultAzureCredential failed to retrieve a token from the included credentials.',
    /Exception: DefaultAzureCredential failed/,
  ],
  [
    'DuendeArchive/IdentityServer4#945',
    'IDX10500: Signature validation failed. Unable to resolve the key, token: \'{"alg":"RS256","kid":"6B7A","typ":"JWT"}.{"exp":1467398285,"iss":"http://localhost:5000","aud":"api"}\'.',
    /IDX10500: Signature validation failed/,
    /published keys/,
  ],
  [
    'bitly/oauth2_proxy#534',
    'upstream sent too big header while reading response header from upstream, request: "GET /auth?client_id=k8s&redirect_uri=https%3A%2F%2Fa.example%2Fcb&response_type=code&state=76dd HTTP/1.1", upstream: "http://100.103.64.6:8080/auth?client_id=k8s&redirect_uri=https%3A%2F%2Fa.example%2Fcb&response_type=code&state=76dd"',
    /Make cookies and headers smaller/,
  ],
  [
    'bitly/oauth2_proxy#374',
    'oauthproxy.go:478: 127.0.0.1:27048 error redeeming code missing code',
    /Read the whole address at which the callback was opened/,
  ],
  [
    'oauth2-proxy/oauth2-proxy#1700',
    'no access token found {"error":"unauthorized_client","error_description":"Invalid client secret"}',
    /The client_secret is wrong/,
  ],
  [
    'golang/oauth2#85',
    'oauth2: cannot fetch token: 400 Bad Request\nResponse: {"error":"invalid_request","error_description":"client_secret is missing."}',
    /Check the client_id, its secret or key/,
  ],
  [
    'golang/oauth2#441',
    'lvl=eror msg=login.OAuthLogin error="oauth2: server response missing access_token"',
    /an error with status 200, such as GitHub/,
  ],
  [
    'grafana/grafana#9499',
    'EROR login.OAuthLogin error="Error getting user info: Get http://localhost:5000/UserInfo: oauth2: token expired and refresh token is not set"',
    /has no refresh token/,
  ],
  [
    'lets-fiware/FIWARE-Big-Bang#2',
    'error="oauth2: cannot fetch token: 400 Bad Request\\nResponse: \\"Invalid scope: Requested scope is invalid\\""',
    /Ask for scopes that the server knows/,
  ],
  ['goauthentik/authentik#14695', 'Login failed\nFailed to get token from provider', /log of the client/],
  [
    'AzureAD/microsoft-authentication-library-for-js#3014',
    'InteractionRequiredAuthError: Silent authentication was denied. The user must first sign in',
    /Leave prompt=none out|leave prompt=none out/,
  ],
  ['sergiodxa/remix-auth-oauth2#153', 'Missing state on cookie.', /Compare host, path, Secure and SameSite/],
  [
    'maps of Go',
    'map[error:invalid_grant error_description:Token has been expired or revoked.]',
    /“Token has been expired or revoked\.”/,
  ],
  [
    'hashes of Ruby',
    '{"error"=>"invalid_client", "error_description"=>"Client authentication failed"}',
    /invalid_client, “Client authentication failed”/,
  ],
  [
    'x-tools/SuperCount#25',
    'https://tools.example/supercount/?oauth_verifier=xxx&oauth_token=yyy',
    /OAuth 1\.0a/,
  ],
  [
    'authlib/example-oauth2-server#50',
    [
      '> POST /oauth/token HTTP/1.1',
      '> Authorization: Basic Og==',
      '> Content-Type: multipart/form-data; boundary=----329be3b09d236e51',
      '>',
      '< HTTP/1.0 401 UNAUTHORIZED',
      '< WWW-Authenticate: Basic error="invalid_client", error_description=""',
      '<',
      '{"error": "invalid_client"}',
    ].join('\n'),
    /holds an empty client_id/,
    /multipart\/form-data, in which servers read no parameters/,
  ],
  [
    'authlib/example-oauth2-server#3',
    '$ curl -u id:secret -XPOST http://127.0.0.1:5000/oauth/token -F grant_type=password -F username=<username> -F password=valid',
    /a token request, as a line with curl/,
    /use -d in place of -F/,
    /<username> stands in place of a value/,
  ],
  [
    'iainporter/oauth2-provider#13',
    "curl -v -X POST -H 'Authorization: Basic aWQ6c2VjcmV0' \\\n 'http://localhost:8080/oauth/token?grant_type=password&username=xxx&password=hunter22'",
    /The password is in the URL of the token request/,
  ],
  [
    'Reposoft/openidc-keycloak-test#29',
    [
      'proxy | 192.0.2.1 - - [07/Feb/2024:06:16:59 +0000] "GET /oauth/callback?state=OGyUnTOezZqDzUaq&code=k3V9mQ1zzz HTTP/1.1" 302 209 "-"',
      'proxy | 192.0.2.1 - - [07/Feb/2024:06:16:59 +0000] "GET /protected/ HTTP/1.1" 302 467 "-"',
      'proxy | 192.0.2.1 - - [07/Feb/2024:06:16:59 +0000] "GET /auth?response_type=code&client_id=app&state=R4eTEuD9&redirect_uri=https%3A%2F%2Fapp.example%2Foauth%2Fcallback HTTP/1.1" 302 - "-"',
    ].join('\n'),
    /A login begins here after the callback of another one/,
  ],
  [
    'quarkusio/quarkus#30797',
    'https://app.example/oidc/callback?code=k3V9mQ1zzz&state=x1aaaaaaa\nhttps://app.example/login\nhttps://id.example/authorize?response_type=code&client_id=0oa1&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&state=x2',
    /state +x1aaaaaaa +binds/,
    /client_id +0oa1/,
  ],
  ['sqlpage/SQLPage#1341', 'No sqlpage_oidc_state_* cookie found', /Compare host, path, Secure and SameSite/],
  [
    'oauth2-proxy/oauth2-proxy#2167',
    'token exchange failed: Post "https://id.example/realms/my/protocol/openid-connect/token": EOF',
    /closed without an answer/,
  ],
  [
    'userbradley/documentation.breadnet.co.uk#526',
    `E0614 00:29:57.960378       1 authentication.go:75] "Unable to authenticate the request" err="[invalid bearer token, oidc: email not verified]"`,
    /API server of a Kubernetes cluster/,
    /email_verified: true/,
  ],
  [
    'int128/kubelogin#280',
    'error: You must be logged in to the server (Unauthorized)',
    /Compare iss, aud and exp|compare iss, aud and exp/,
  ],
  [
    'kubernetes/kubernetes#50432',
    'Error from server (Forbidden): User "system:anonymous" cannot list nodes at the cluster scope. (get nodes)',
    /Send a token: the API server saw none/,
  ],
  [
    'kubernetes/kubernetes#110782',
    'oidc: verify token: oidc: expected audience "kubernetes" got ["kube-dashboard"]',
    /--oidc-client-id of the API server be the aud/,
  ],
  [
    'int128/kubelogin#706',
    'nodes is forbidden: User "https://id.example#alice" cannot list resource "nodes" in API group "" at the cluster scope',
    /kubectl auth whoami/,
  ],
  [
    'grafana/grafana#16636',
    `lvl=eror msg="login.OAuthLogin(get info from google)" error="invalid character '<' looking for beginning of value"`,
    /it is no JSON/,
  ],
  ['grafana/grafana#41247', 'Post "": unsupported protocol scheme ""', /the whole address of the endpoint/],
  [
    'argoproj/argo-cd#3975',
    'Failed to query provider "https://cd.example/api/dex": 502 Bad Gateway:',
    /server behind the proxy/,
  ],
  ['argoproj/argo-cd#13432', 'oidc: expected audience "cli" got ["cd"]', /Compare aud of the token/],
  [
    'NapthaAI/http-oauth-mcp-server#2',
    'Protected resource https://id.example/ does not match expected http://mcp.example:5050/mcp (or origin)',
    /RFC 9728 §3\.3/,
  ],
  [
    'DevCycleHQ/cli#581',
    'SDK auth failed: Incompatible auth server: does not support dynamic client registration',
    /Give the client a client_id that is registered/,
  ],
  [
    'onyx-dot-app/onyx#12874',
    'invalid_request: Client must not use multiple authentication methods',
    /in one place/,
  ],
  [
    'aws-actions/configure-aws-credentials#1446',
    'Error: Could not assume role with OIDC: Not authorized to perform sts:AssumeRoleWithWebIdentity',
    /compare iss, sub and aud with the trust/,
  ],
  [
    'nextauthjs/next-auth#6729',
    'https://next-auth.js.org/errors#oauth_callback_error no access token provided {\n  error: TypeError: no access token provided',
    /Read the answer of the token endpoint itself/,
  ],
  [
    'karakeep-app/karakeep#2190',
    'error: Error [OAuthCallbackError]: id_token detected in the response, you must use client.callback() instead of client.oauthCallback()',
    /reads plain OAuth/,
  ],
  [
    'nextauthjs/next-auth#1661',
    'https://app.example/login?callbackUrl=https%3A%2F%2Fapp.example%2F&error=Callback#_=_',
    /Read the log of the client/,
  ],
  [
    'MozillaSecurity/FuzzManager#479',
    'Exception Value: Session `oidc_state` does not match the OIDC callback state',
    /Compare host, path, Secure and SameSite/,
  ],
  [
    'mozilla/mozilla-django-oidc#154',
    'HTTPError: 403 Client Error: Forbidden for url: https://id.example/oauth/token',
    /it has the answer of the token endpoint/,
  ],
  [
    'Apicurio/apicurio-registry#4041',
    'WARN [org.keycloak.events] type=REFRESH_TOKEN_ERROR, clientId=portal, error=invalid_token, grant_type=refresh_token',
    /The refresh token was rotated, revoked/,
  ],
  [
    'openid/AppAuth-iOS#916',
    'The operation couldn’t be completed. (org.openid.appauth.general error -3.)',
    /The person closed the window/,
  ],
]

for (const [where, lines, ...read] of REPORTS) {
  it(`what people met at ${where} is explained`, async () => {
    const fragment = await explainText(lines)
    const pieces = [fragment!, ...(fragment?.more ?? [])]
    const judged = fragment?.explanation?.flows.flatMap(flow =>
      flow.findings.map(({ text, next }) => `${text}\n${next}`),
    )
    const said = [
      ...pieces.flatMap(piece => fragmentLines(piece, { showSecrets: false, ascii: false })),
      ...(judged ?? []),
    ].join('\n')
    for (const each of read) expect(said).toMatch(each)
  })
}

it('takes no address for a mistake because a line of a log names it', async () => {
  const lines = 'INFO Callback URL: http://localhost:1455/auth/callback?code=abcdefghijk&state=06095d0b'
  expect((await explainText(lines))?.what).toBe('callback')
})
