import { describe, expect, it } from 'vitest'
import { explainText } from '../../../src/judge/explain/paste/explain-text.js'

/** Messages of libraries, gateways and servers, by a part of the next move that they need. */
const MESSAGES: Readonly<Record<string, readonly string[]>> = {
  'open the window from a click': [
    'Error Domain=org.openid.appauth.general Code=-3 "(null)"',
    '{error: "popup_closed_by_user"}',
    'ApiException: 12501: ',
  ],
  'it has no access_token as a member': ['Required option not passed: "access_token" at AccessToken.php:96'],
  'make cookies and headers smaller': ['400 Bad Request Request Header Or Cookie Too Large nginx'],
  'a parameter is missing, repeated or wrong': [
    'OAuth2RequestError: invalid_request at OAuth2Client.sendTokenRequest',
    'a.example:5000/callback?error=invalid_request&error_description=Missing+response_type+parameter.',
  ],
  'said no': [
    'social_core.exceptions.AuthCanceled: Authentication process canceled',

    'error_code=4201, error_message=User canceled the Dialog flow',

    '{"code":"access_denied","message":"An unexpected error occurred.","domain":"Auth0.WebAuthError"}',
  ],
  'let the client trust the CA': [
    '{"err":{"message":"Failed to obtain access token","oauthError":{"code":"UNABLE_TO_VERIFY_LEAF_SIGNATURE"}}}',
    `level=warning msg="Failed to verify token: ${'token verification failed for all audiences: '.repeat(8)}x509: unknown authority"`,
  ],
  'SameSite=None only together with Secure': [
    'Cookie “session” will be soon rejected because it has the “sameSite” attribute set to “none” or an invalid value, without the “secure” attribute.',
  ],
  'it has the answer of the token endpoint': [
    'OAuthRequestAuthenticator : failed to turn code into token',

    '[auth][error] CallbackRouteError: Read more at https://errors.authjs.dev',

    'ResponseBodyError: server responded with an error in the response body',
    '(shop) Authentication failure! invalid_credentials: OAuth2::Error, <html>',
  ],
  'compare the members with the metadata': ['InvalidClientMetadataError'],
  'has an error in place of a code': [
    'IllegalStateException - authorizationCode not available for exchange request',
    'Vault login failed. No code or id_token received.',

    '{"error":"invalid_request","error_description":"Missing required parameter: code"}',
  ],
  'log in with the right password': [
    '{"detail":"The email or password provided is incorrect."}',

    '[auth][error] CredentialsSignin: Read more at https://errors.authjs.dev#credentialssignin',
    'Restforce::AuthenticationError: invalid_grant: inactive user',
    'NotAuthorizedException Incorrect username or password.',

    '{"error":"invalid_grant","error_description":"authentication failure"}',
  ],
  'its WWW-Authenticate header': [
    'openid-connect exits with http status code 500',
    'Error: `POST https://api.example/issues` resulted in a `401 Unauthorized` response',

    'POST http://a.example/api/oauth/callback 500 (Internal Server Error)',
    'AxiosError: Request failed with status code 401',
    '"GET /application/o/userinfo/ HTTP/1.1" 400 226 "-" "-"',
  ],
  'the token expired, was revoked': [
    '401 Request had invalid authentication credentials.',
    '{"error":{"message":"Invalid OAuth access token.","type":"OAuthException","code":190}}',
    'Bearer error="invalid_token", error_description="An error occurred while decoding',

    'OAuth login invalid or expired access token',
    '[firebase_auth/invalid-credential] Invalid access_token, error code 43',
  ],
  'permissions: id-token: write': ['Could not load credentials from any providers'],
  'let the kubeconfig name a program': ['no Auth Provider found for name "oidc"'],
  'the scope that brings the claim': [
    'failed to get or create user: Claims verification failed',
    'https://a.example/callback?error=invalid_request&error_description=Invalid+user+attributes%3A+email&state=x',
  ],
  'look the number up': ['AADSTS90023: Invalid STS request.'],
  'a port of plain http was asked for TLS': [
    'SSL routines:ssl3_get_record:wrong version number',
    'http: server gave HTTP response to HTTPS client',
  ],
  'by a redirect of the whole page': [
    "Uncaught {error: 'idpiframe_initialization_failed', details: 'R'}",
    'OAuthErrorEvent {type: "silent_refresh_timeout", reason: null, params: null}',
  ],
  'leave prompt=none out': [
    'OAuthError: The client specified not to prompt, but the user is not logged in.',
    'Error: Login required',
    'Error: External interaction required',
  ],
  'log in with a page once more': [
    'failed to create oauth client: empty token found - please run "rclone config reconnect"',

    'Failed to acquire token silently. Call method AcquireToken',
    'ClientAuthError: no_tokens_found: No refresh token found in the cache.',
  ],
  'path, Secure and SameSite of the cookie': [
    'Cannot complete OAuth process. Could not find an OAuth cookie for shop url: a.example',

    'System.Exception: OpenIdConnectAuthenticationHandler: message.State is null or empty.',
    "OICE_20004: A 'nonce' was not found. The jwt token contained this nonce: '-fyo1Zj'.",
    'oidc_clean_expired_state_cookies: state (mod_auth_openidc_state_uH4b) has expired',
    'oidc_restore_proto_state: no "mod_auth_openidc_state_ozyX" state cookie found',
    'PKCE code verifier not found in storage.',
    'ERROR (invalid-state): Der State ist ungültig',
    '[E] UserSignIn: could not find a matching session for this request',

    '[lua] authenticate(): state from argument: 75f1 does not match state restored, request: "GET /cb?state=75f1ea8eb72acd29e8&code=9de7dc09-e3db-4507 HTTP/1.0"',
    'Unable to process request due to missing initial state.',
    '[AuthFailure] Invalid authentication via OAuth2: unable to obtain CSRF cookie',
    'Error validating csrf cookie: CSRF cookie does not match state',
    'http: named cookie not present',
    "'.AspNetCore.Correlation.OpenIdConnect.nPsgswKM8i' cookie not found.",
    'AuthMissingParameter: Missing needed parameter state',
    'Wrong state parameter given.',
    'State could not be found in server-side session data.',
    'slack_oauth_invalid_state',
    'CWWKS2408E: The callback request is missing the state parameter.',
    'ClientAuthError: no_cached_authority_error: No cached authority.',
    // oauth4webapi, which openid-client 6 is made of
    '"state" response parameter missing',
    'unexpected "state" response parameter value',
    'unexpected ID Token "nonce" claim value',
    'Failed to verify request state.',
    'Nonce in ID Token does not match',
    'invalid nonce',
    'mod_auth_openidc: oidc_check_state: state cookie not found',
    'oidc_authorization_response_match_state: unable to restore state',
    'Laravel\\Socialite\\Two\\InvalidStateException',
    '403 Forbidden: Unable to find a valid CSRF token. Please try again.',
  ],
  'Begin the login again at the application': [
    "Message contains error: 'invalid_request', error_description: 'Errors.AuthRequest.NotFound'",

    'type=LOGIN_ERROR, clientId=null, error=expired_code, restart_after_timeout=true',
    'We are sorry...\nCookie not found. Please make sure cookies are enabled in your browser.',
    'Restart login cookie not found. It may have expired; it may have been deleted.',
    'Page has expired\nTo restart the login process Click here',
    'Login timeout. Please sign in again.',
    'You are already logged in.',
  ],
  'log in as another account': [
    "invalid_grant: user hasn't approved this consumer",
    'Reason: OAUTH_APP_ACCESS_DENIED',
    'User is not assigned to the client application.',
    "Error 403: access_denied The developer hasn't given you access to this app.",
    'Need admin approval',
    'Selected user account does not exist in tenant',
    'oauth2_proxy: could not get email from IDToken: email in id_token is not verified',
    'invalid_team_for_non_distributed_app',
  ],
  'allow the client this grant': [
    'Error in handling response type.',
    'Client not enabled to retrieve service account',
    "Grant type 'password' not allowed for the client.",
    'Client is not authorized to access "https://api". You need to create a "client-grant".',
    'User pool client is not configured for OAuth',
  ],
  'name a resource that the server knows': ['Service not enabled within domain: https://api'],
  'check the client_id': [
    '{"error":{"message":"Error validating client secret.","type":"OAuthException","code":1}}',
    '{"error":"unauthorized_client","error_description":"Requests must be authenticated using OAuth client credentials"}',
    'NotAuthorizedException: Client x is configured with secret but SECRET_HASH was not received',
    'oauth2: "unauthorized_client" "invalid empty client secret"',
    '{"result":"Error","error":"{\\"stack\\":\\"InvalidClientAuth: invalid_client at auth\\"}"}',

    'Unable to verify secret hash for client 3ugt',
    'Sign_in_failed, com.google.android.gms.common.api.ApiException: 10',
    'https://a.example/callback?error=unauthorized_client&error_message=Unknown+client_id&state=x',
    'Client not found.',
    'Error 401: invalid_client The OAuth client was not found.',
    'Not found, invalid client_id ("")',
  ],
  'scopes that the server knows': [
    'https://a.example/callback?error=unauthorized_scope_error&error_description=Scope+r_liteprofile+is+not+authorized+for+your+application&state=x',
    'One or more scopes are not configured for the authorization server resource.',
  ],
  'ask for the scope that the API needs': ['missing_scope'],
  'register this redirect_uri': [
    'Redirect URI can’t have a fragment',

    "The request includes a parameter more than once, or is otherwise malformed. The 'redirect_uri' parameter does not match any.",
    "Error: invalid_request\nHint: The 'redirect_uri' parameter does not match any of the pre-registered 'redirect_uris'.",
    'TokenError: Invalid "redirect_uri" in request.',
    'Given URL is not allowed by the Application configuration.',
    "Can't Load URL: The domain of this URL isn't included in the app's domains.",
    'Callback URL mismatch.\nThe provided redirect_uri is not in the list of allowed callback URLs.',
  ],
  'by a form that POSTs': ['Attack prevented by OmniAuth::AuthenticityTokenProtection'],
  'let the firewall': [
    '<html><h1>Sorry, you have been blocked</h1></html>',
    'The requested URL was rejected. Please consult with your administrator.',
  ],
  whitelist_domains: ['Invalid redirect: rd parameter "https://b.example" is not whitelisted'],
  'below 4096 bytes': [
    'WARNING: Multiple cookies are required for this session as it exceeds the 4kb cookie limit.',
  ],
  'iss of the token, letter by letter': [
    'ID token not issued by expected OpenID provider.',
    'Jwt authentication completed with: Unknown issuer',
    'The Issuer "https://a.example" provided in the configuration metadata did not match the requested issuer "https://b.example/"',
    'unexpected "iss" (issuer) response parameter value',
    'unexpected JWT "iss" (issuer) claim value',
    '"response" body "issuer" property does not match the expected value',
    'The iss claim is not valid',
    'Jwt issuer is not configured',
  ],
  'aud of the token with the name that the API expects': [
    "IDX10206: Unable to validate audience. The 'audiences' parameter is empty.",
    'msg="Failed to verify token: oidc: expected audience \\"cli\\" got [\\"web\\"]"',
    "jwt.exceptions.InvalidAudienceError: Audience doesn't match",
    'Audiences in Jwt are not allowed',
    'unexpected "aud" claim value',
    'unexpected JWT "aud" (audience) claim value',
    'This aud claim is not equal to the configured audience',
    'Invalid token audience',
    'audience from claim aud with value [account] does not match with any of allowed audiences',
    'our configured client_id (web) could not be found in the array of values for "aud"',
  ],
  'clocks of both computers': [
    'jwt.exceptions.ExpiredSignatureError: Signature has expired',
    'Jwt is expired',
    '"exp" claim timestamp check failed',
    'unexpected JWT "exp" (expiration time) claim value, expiration is past current timestamp',
    'unexpected JWT "nbf" (not before) claim value',
    'NotBeforeError: jwt not active',
    'ID Token expired',
  ],
  'kid and alg of the token with the published keys': [
    'Verification failed: public key not found',

    'JSON::JWK::Set::KidNotFound: JSON::JWK::Set::KidNotFound',
    'DomainException: Unrecognised or unsupported EC curve',
    'java.security.SignatureException: Signature length not correct: got 38',
    '{"__type":"NotAuthorizedException","message":"Couldn\'t verify signed token."}',

    'WWW-Authenticate: Bearer error="invalid_token", error_description="The signature key was not found"',
    'Impossible to decode OIDC token: kid must be provided in JWT header.',
    'ID token verification failure: null',
    'JWS token verification failed.',
    "The provider algorithm 'RS256' does not match the client's OIDC_RP_SIGN_ALGO.",
    'invalid session: failed to verify the token',
    "Jwks doesn't have key to match kid or alg from Jwt",
    'Jwt verification fails',
    'no applicable key found in the JSON Web Key Set',
    'error when selecting a JWT verification key, no applicable keys found',
    'unexpected JWT alg received, expected RS256, got: HS256',
    '"alg" (Algorithm) Header Parameter value not allowed',
    'The specified alg value is not allowed',
    'JWT signature does not match locally computed signature. JWT validity cannot be asserted.',
    'token signature is invalid: crypto/rsa: verification error',
    'oidc: id token signed with unsupported algorithm, expected ["RS256"] got "HS256"',
  ],
  'what was sent as the token': [
    '{"error":"invalid_token","error_description":"Cannot convert access token to JSON"}',

    '[oidc] Error: Provided JWT is malformed OR provided JWT is missing an algorithm',
    "IDX12729: Unable to decode the header 'x' as Base64Url encoded string.",
    'Failed to authorize: [error: null, description: Unable to parse ID Token]',
    'JsonWebTokenError: jwt malformed',
    'jwt.exceptions.DecodeError: Not enough segments',
    'Invalid Compact JWS',
    'JWT strings must contain exactly 2 period characters. Found: 0',
    'IDX12741: JWT must have three segments (JWS) or five segments (JWE).',
    'token is malformed: token contains an invalid number of segments',
    'oidc: malformed jwt: oidc: malformed jwt, expected 3 parts got 1',
    'An error occurred while attempting to decode the Jwt: Malformed token',
  ],
  'Authorization: Bearer TOKEN': [
    'Bearer error="invalid_token", error_description="Authentication required"',
    'gate deny 401 missing token path=/user/login',

    'Request is missing required authentication credential. Expected OAuth 2 access token.',
    '{"message":"Empty oauth2 access token","status":401}',
    'missing client token',
    'Jwt is missing',
    'UnauthorizedError: No authorization token was found',
    'Missing Authorization Header',
    'Full authentication is required to access this resource',
  ],
  'scope, roles and groups of the token': [
    'RBAC: access denied',
    'org.springframework.security.access.AccessDeniedException: Access is denied',
    'Insufficient Scope',
  ],
  'code_verifier of the same login': [
    'invalid request: both auth code and code verifier should be non-empty',
    'PKCE verification failed',
    'PKCE verification failed: Code mismatch',
    'Code verifier and code challenge do not match',
    '{"error":"invalid_grant","error_description":"PKCE verification failed"}',
  ],
  'code_challenge_method=S256': [
    "otherwise malformed. Clients must include a 'code_challenge' when performing the authorize code flow",

    'Missing parameter: code_challenge_method',
    'Public clients must use PKCE',
    'code challenge required',
  ],
  'used before, or belongs to another client': [
    "couldn't fetch token: invalid_grant: maybe token expired? - try refreshing",
    '{"code":"INVALID_GRANT","message":"spent"}',
    'oidc.invalid_grant',
    'InvalidGrant',

    'TokenError: Invalid "code" in request.',
    'AuthApiError: Invalid Refresh Token: Already Used',
    'Unknown or invalid refresh token.',
    'Refresh token has expired',
    'Session not active',
    'Authorization code not found',
    'The code passed is incorrect or expired.',
    'This authorization code has been used.',
  ],
  'Fetch the metadata': [
    'The provider authorization_endpoint could not be fetched.',
    'Failed to verify connection: {URL:https://id.example/.well-known/openid-configuration VerifyCert:true}, err: 404 Not Found:',
    'oidc authenticator: initializing plugin: Get "https://id.example": x509: certificate signed by unknown authority',

    'Discovery has failed, status code: 403',
    '[next-auth][error][SIGNIN_OAUTH_ERROR]',
    '"response" is not a conform Authorization Server Metadata response (unexpected HTTP status code)',
    'authorization server metadata does not contain a valid "as.token_endpoint"',
    'Jwks remote fetch is failed',
    'Realm does not exist',
  ],
  'htm, htu, iat and the key of the proof': [
    'DPoP Proof ath mismatch',
    'DPoP Proof iat is not recent enough',
  ],
  'DNS does not know it': [
    'dial tcp: lookup idp.example on 10.96.0.10:53: no such host',
    'urllib3.exceptions.NameResolutionError: Temporary failure in name resolution',
  ],
  'a firewall or a proxy': ['dial tcp 10.0.0.7:443: connect: no route to host'],
  'X-Forwarded-Proto': [
    'the URL scheme (https) of the configured OIDCRedirectURI does not match the URL scheme of the URL being accessed (http)',
    'authlib.specs.rfc6749.errors.InsecureTransportError: late',
    'only requests to HTTPS are allowed',
    'HTTPS required',
  ],
  'Paste the SAMLResponse': [
    'Error: InResponseTo is missing from response',

    'The response was received at http://app.example/acs instead of https://app.example/acs',
    'Invalid issuer in the Assertion/Response',
    'Signature validation failed. SAML Response rejected',
    'urn:oasis:names:tc:SAML:2.0:status:Requester',
  ],
  'compare alg, iss, aud and exp with what the program expects': [
    'Failed to authenticate since the JWT was invalid',
    'JwtValidationException: late',
  ],
  'oauth-lab userinfo': [
    'InternalOAuthError: failed to fetch user profile',
    'Error returning OAuth user info: missing_token:',
  ],
  'issuer-uri': [
    "required a bean of type 'org.springframework.security.oauth2.jwt.JwtDecoder' that could not be found",
  ],
  'OAuth 1.0a': [
    'a 400 response with data = oauth_problem=parameter_absent&oauth_parameters_absent=oauth_token',
  ],
  'in one place': [
    '{"error_description":"Multiple client authentication methods found in the token request."}',
  ],
  'a page of https loads nothing over http': [
    'Blocked loading mixed active content “http://backend:8400/token”',
  ],
  'send the browser there, no script': [
    'Cross-Origin Read Blocking (CORB) blocked cross-origin response https://id.example/login?redirect_uri=https%3A%2F%2Fa.example with MIME type text/html.',
  ],
  'connect-src': [
    'Content Security Policy: The page’s settings blocked the loading of a resource at https://id.example/token (“default-src”).',
  ],
  'closed without an answer': [
    'I/O error on GET request for "https://id.example": Connection reset; nested exception',
    'Connection error making token request: The network connection was lost.',
  ],
  'drops the packets': ['connectex: the connected party did not properly respond after a period of time'],
  'of which the end has the cause': [
    "HTTPConnectionPool(host='localhost', port=8080): Max retries exceeded with url: /oauth/token",
  ],
  'this line does not say why': [
    'OAuth flow failed.',
    'Failed to finish oauth.',
    'Invalid OAuth callback.',
    'OIDC error: late',
    'org.example.OAuthProblemException: late',
  ],
}

describe.each(Object.entries(MESSAGES))('the next move %j', (move, messages) => {
  it.each(messages)('is told for %s', async message => {
    const fragment = await explainText(message)
    expect(fragment?.findings.map(({ next }) => next?.toLowerCase())).toEqual([
      expect.stringContaining(move.toLowerCase()),
    ])
  })
})

it('a message that begins with PK is no zip archive', async () => {
  expect((await explainText('PKCE verification failed'))?.what).toBe('error_message')
})
