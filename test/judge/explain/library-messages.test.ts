import { describe, expect, it } from 'vitest'
import { explainText } from '../../../src/judge/explain/paste/explain-text.js'

/** Messages of libraries, gateways and servers, by a part of the next move that they need. */
const MESSAGES: Readonly<Record<string, readonly string[]>> = {
  'path, Secure and SameSite of the cookie': [
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
    'We are sorry...\nCookie not found. Please make sure cookies are enabled in your browser.',
    'Restart login cookie not found. It may have expired; it may have been deleted.',
    'Page has expired\nTo restart the login process Click here',
    'Login timeout. Please sign in again.',
    'You are already logged in.',
  ],
  'log in as another account': [
    'User is not assigned to the client application.',
    "Error 403: access_denied The developer hasn't given you access to this app.",
    'Need admin approval',
    'Selected user account does not exist in tenant',
    'oauth2_proxy: could not get email from IDToken: email in id_token is not verified',
    'invalid_team_for_non_distributed_app',
  ],
  'allow the client this grant': [
    'Client not enabled to retrieve service account',
    "Grant type 'password' not allowed for the client.",
    'Client is not authorized to access "https://api". You need to create a "client-grant".',
    'User pool client is not configured for OAuth',
  ],
  'name a resource that the server knows': ['Service not enabled within domain: https://api'],
  'check the client_id': ['Client not found.', 'Error 401: invalid_client The OAuth client was not found.'],
  'scopes that the server knows': [
    'One or more scopes are not configured for the authorization server resource.',
  ],
  'ask for the scope that the API needs': ['missing_scope'],
  'register this redirect_uri': [
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
    'unexpected "iss" (issuer) response parameter value',
    'unexpected JWT "iss" (issuer) claim value',
    '"response" body "issuer" property does not match the expected value',
    'The iss claim is not valid',
    'Jwt issuer is not configured',
  ],
  'aud of the token with the name that the API expects': [
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
    'PKCE verification failed',
    'PKCE verification failed: Code mismatch',
    'Code verifier and code challenge do not match',
    '{"error":"invalid_grant","error_description":"PKCE verification failed"}',
  ],
  'code_challenge_method=S256': [
    'Missing parameter: code_challenge_method',
    'Public clients must use PKCE',
    'code challenge required',
  ],
  'used before, or belongs to another client': [
    'AuthApiError: Invalid Refresh Token: Already Used',
    'Unknown or invalid refresh token.',
    'Refresh token has expired',
    'Session not active',
    'Authorization code not found',
    'The code passed is incorrect or expired.',
    'This authorization code has been used.',
  ],
  'Fetch the metadata': [
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
  'X-Forwarded-Proto': ['only requests to HTTPS are allowed', 'HTTPS required'],
  'Paste the SAMLResponse': [
    'The response was received at http://app.example/acs instead of https://app.example/acs',
    'Invalid issuer in the Assertion/Response',
    'Signature validation failed. SAML Response rejected',
    'urn:oasis:names:tc:SAML:2.0:status:Requester',
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
