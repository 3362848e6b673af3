import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainText } from '../../../src/judge/explain/paste/explain-text.js'
import { fragmentJson, fragmentLines } from '../../../src/show/render/explain/fragment-lines.js'
import { forAll } from '../../support/for-all.js'
import { jwt } from './recording.js'

const CODE = 'SplxlOBeZQQYbYS6WxSbIA'
const HELD =
  'response_type=code&redirect_uri=https://a.example/cb&scope=openid&state=x&nonce=y&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256'
const past = jwt({ iss: 'https://id.example', sub: 'a', aud: 'web', exp: 1_600_000_000 })
const ERROR = '{"error":"invalid_grant","error_description":"code is spent"}'

const CURL = `*   Trying 127.0.0.1:8443...
* Connected to id.example (127.0.0.1) port 8443 (#0)
> POST /oauth2/token HTTP/1.1
> Host: id.example:8443
> Authorization: Basic d2ViOnNlY3JldA==
> Content-Length: 29
>
* upload completely sent off
< HTTP/1.1 400 Bad Request
< content-type: application/json
<
{ [61 bytes data]
${ERROR}
* Connection #0 to host id.example left intact`

const TRACE = `== Info: Connected to id.example
=> Send SSL data, 5 bytes (0x5)
0000: .....
=> Send header, 90 bytes (0x5a)
0000: POST /token HTTP/1.1
0016: Host: id.example
0028: Content-Type: application/x-www-form-urlencoded
0058:
=> Send data, 70 bytes (0x46)
0000: grant_type=authorization_code&code=SplxlOBeZQQYbYS6WxSbIA&code_ver
0040: ifier=x
<= Recv header, 26 bytes (0x1a)
0000: HTTP/1.1 400 Bad Request
<= Recv header, 32 bytes (0x20)
0000: Content-Type: application/json
<= Recv data, 61 bytes (0x3d)
0000: ${ERROR}`

const PYTHON = `send: b'POST /token HTTP/1.1\\r\\nHost: id.example\\r\\nContent-Type: application/x-www-form-urlencoded\\r\\n\\r\\n'
send: b'grant_type=authorization_code&code=${CODE}'
reply: 'HTTP/1.1 400 Bad Request\\r\\n'
header: content-type: application/json
HTTP Error 400: Bad Request ${ERROR}`

const HTTPIE = `POST /token HTTP/1.1
Host: id.example
Content-Type: application/x-www-form-urlencoded

grant_type=refresh_token&refresh_token=abcdefghijklmnop

HTTP/1.1 400 Bad Request
Content-Type: application/json

${ERROR}`

const VCR = `---
http_interactions:
- request:
    method: post
    uri: https://id.example/token
    body: { string: 'grant_type=refresh_token&refresh_token=abcdefghijklmnop' }
    headers: { Content-Type: [application/x-www-form-urlencoded] }
  response:
    status: { code: 400 }
    headers: { Content-Type: [application/json] }
    body: { string: '${ERROR}' }
`

const NEWMAN = JSON.stringify({
  run: {
    executions: [
      {
        request: {
          method: 'POST',
          url: { protocol: 'https', host: ['id', 'example'], path: ['token'] },
          header: [{ key: 'Content-Type', value: 'application/x-www-form-urlencoded' }],
          body: { mode: 'urlencoded', urlencoded: [{ key: 'grant_type', value: 'client_credentials' }] },
        },
        response: { code: 400, header: [], stream: { type: 'Buffer', data: [...Buffer.from(ERROR)] } },
      },
    ],
  },
})

const BACK = 'https://app.example/cb?error=access_denied&error_description=User+cancelled&state=x'
const SAML = Buffer.from(
  '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="a" Version="2.0" IssueInstant="2026-01-01T00:00:00Z"><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:NoPassive"/></samlp:Status></samlp:Response>',
)
const CORS =
  "Access to fetch at 'https://id.example/authorize' from origin 'https://app.example' has been blocked by CORS policy: No 'Access-Control-Allow-Origin' header is present."
const pem = () =>
  execFileSync('openssl', ['genrsa', '2048'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()

/** Text, kind, the first finding by name (or none), and a sentence that a person reads. */
const cases: readonly (readonly [text: string, what: string, finding: string | undefined, said: RegExp])[] = [
  [`https://app.example/cb?code=${CODE}&state=x`, 'callback', undefined, /the callback of a login/],
  [
    '/cb?error=access_denied&error_description=No&state=x',
    'callback',
    'callback',
    /access_denied, “No”.*likely.*Cancel/s,
  ],
  [
    'https://app.example/#access_token=opaque-token-value&token_type=bearer',
    'callback',
    undefined,
    /Bearer or DPoP/,
  ],
  [
    'https%3A%2F%2Fapp.example%2Fcb%3Ferror%3Dlogin_required%26state%3Dx',
    'callback',
    'callback',
    /prompt=none/,
  ],
  [
    'https://id.example/authorize?response_type=code&redirect_uri=https%3A%2F%2Fa.example',
    'authorization_request',
    'parameter-missing',
    /client_id is missing/i,
  ],
  [
    'https://id.example/authorize?response_type=code&client_id=web&redirect_uri=https%253A%252F%252Fa.example',
    'authorization_request',
    'redirect-uri-unsafe',
    /percent-encoded twice/,
  ],
  [
    'https://id.example/authorize?response_type=code&client_id=web&state=x&nonce=y&redirect_uri=https%3A%2',
    'authorization_request',
    'cut-off',
    /cut off/,
  ],
  ...[
    `https://dex.example/auth/local/login?back=/dex/auth?client_id=web&${HELD}`,
    `https://dex.example/login?back=https://dex.example/auth?client_id=web&${HELD}`,
    `https://dex.example/login?theme=dark&back=/authorize?access_type=offline&client_id=web&${HELD}`,
  ].map(
    text =>
      [text, 'login_page', undefined, /a login page, which returns to .* in back.*client_id +web/s] as const,
  ),
  [
    `https://id.example/authorize?client_id=web&ui=/x?y=1&${HELD}`,
    'authorization_request',
    undefined,
    /an authorization request\.(?!.*missing)/s,
  ],
  [`grant_type=authorization_code&code=${CODE}`, 'token_request', undefined, /a token request, as a form/],
  [ERROR, 'token_error', 'token-error', /invalid_grant, “code is spent”/],
  [
    '{"error":{"message":"Error validating client secret.","type":"OAuthException"}}',
    'token_error',
    'token-error',
    /Error validating client secret/,
  ],
  [
    '{"access_token":"abcdefghijklmnopqrst","expires_in":"3599"}',
    'token_answer',
    'token-type-missing',
    /abcd…rst/,
  ],
  ['{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}', 'jwks', 'private-key', /shared secret/],
  [
    '{"issuer":"http://id.example","token_endpoint":"https://id.example/token"}',
    'discovery',
    'issuer-plain-http',
    /oauth-lab discover http:\/\/id\.example/,
  ],
  ['{"active":false}', 'introspection', 'inactive', /does not accept the token/],
  [
    'WWW-Authenticate: Bearer error="invalid_token", error_description="late"',
    'challenge',
    'challenge',
    /invalid_token, “late”/,
  ],
  ['Bearer realm="x", error="insufficient_scope"', 'challenge', 'challenge', /scope that the API needs/],
  ['Set-Cookie: sid=abcdefgh; SameSite=None', 'set_cookie', 'cookie-dropped', /browsers drop it/],
  ['__Host-sid=1; Path=/x; Secure', 'set_cookie', 'cookie-dropped', /__Host-/],
  [past, 'jwt', 'expired', /expired/],
  [`Authorization: Bearer ${past}`, 'jwt', 'expired', /signature was not verified/],
  [Buffer.from(past).toString('base64'), 'jwt', 'expired', /in base64/],
  ['eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.a.b.c.d', 'jwe', undefined, /only the holder of the key/],
  [pem(), 'pem', 'private-key', /private key was pasted/],
  [pem().replaceAll('\n', '\\n'), 'pem', 'line-ends', /two characters/],
  [
    '<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="a" Version="2.0" IssueInstant="2026-01-01T00:00:00Z"/>',
    'saml',
    undefined,
    /a SAML message/,
  ],
  ['invalid_grant', 'error_code', 'error-code', /used before/],
  ['AADSTS50011', 'error_code', 'error-code', /register this redirect_uri/i],
  [
    '2026-11-27 ERROR o.s.s.OAuth2: [invalid_client] Client authentication failed',
    'error_code',
    'error-code',
    /Client authentication failed/,
  ],
  [CORS, 'cors_message', 'cors', /https:\/\/app\.example/],
  [
    '<html><head><title>Error</title></head><h1>Invalid parameter: redirect_uri</h1></html>',
    'error_page',
    'error-page',
    /Invalid parameter: redirect_uri/,
  ],
  [CURL, 'http', undefined, /the output of curl -v/],
  [TRACE, 'http', undefined, /the output of curl --trace-ascii/],
  [PYTHON, 'http', undefined, /the output of http\.client/],
  [HTTPIE, 'http', undefined, /HTTP messages/],
  [`> [callback](${BACK})`, 'callback', 'callback', /access_denied/],
  [`<${BACK}>`, 'callback', 'callback', /access_denied/],
  [`\`\`\`\n${BACK}\n\`\`\``, 'callback', 'callback', /access_denied/],
  [`${BACK.slice(0, 40)}\r\n  ${BACK.slice(40)}`, 'callback', 'callback', /access_denied, “User cancelled”/],
  [
    `${BACK.replaceAll('=', '=3D').slice(0, 60)}=\n${BACK.replaceAll('=', '=3D').slice(60)}`,
    'callback',
    'callback',
    /User cancelled/,
  ],
  [BACK.replaceAll('&', '&amp;'), 'callback', 'callback', /User cancelled/],
  [BACK.replaceAll('&', '\\u0026'), 'callback', 'callback', /User cancelled/],
  [`Location: ${BACK}`, 'callback', 'callback', /access_denied/],
  ['com.example.app:/oauth2redirect?code=4/P7q7W91&scope=email', 'callback', undefined, /code +•/],
  ['myapp://open?code=12345&from=login', 'callback', undefined, /code +•/],
  ['https://app.example/api/handleCallback?code=12345&lang=en', 'callback', undefined, /code +•/],
  [
    `1.2.3.4 - - "GET /cb?error=access_denied&state=x HTTP/1.1" 302 5`,
    'callback',
    'callback',
    /access_denied/,
  ],
  [`Started GET "/cb?code=${CODE}&state=xyz" for ::1\nCompleted 401`, 'callback', undefined, /Splx…bIA/],
  [JSON.stringify({ level: 'info', url: BACK }), 'callback', 'callback', /access_denied/],
  [ERROR.replaceAll('"', "'"), 'token_error', 'token-error', /code is spent/],
  [ERROR.replace(/"/g, (_, i) => (i % 2 ? '”' : '“')), 'token_error', 'token-error', /code is spent/],
  [`\u001b[31m1: ${ERROR}\u001b[0m`, 'token_error', 'token-error', /code is spent/],
  [
    JSON.stringify({ level: 'error', body: ERROR }),
    'token_error',
    'token-error',
    /invalid_grant, “code is spent”/,
  ],
  [`oauth2: cannot fetch token: 401\nResponse: ${ERROR}`, 'token_error', 'token-error', /code is spent/],
  [ERROR.slice(0, 35), 'token_error', 'token-error', /invalid_grant.*cut off/s],
  [`I see ${BACK} and my token is ${past}.`, 'callback', 'callback', /access_denied/],
  [past.replace(/(.{40})/g, '$1\n'), 'jwt', 'expired', /expired/],
  [past.slice(0, 90), 'jwt', 'cut-off', /iss.*not its three parts/s],
  ['{"iss":"https://id.example","sub":"a","exp":1600000000}', 'jwt_claims', 'expired', /expired/],
  ['{"alg":"RS256","kid":"k1"}', 'jwt_header', undefined, /the header of a token/],
  ['Authorization: Basic d2ViOnMzY3JldC12YWx1ZQ==', 'basic', undefined, /client_id +web/],
  ['Cookie: sid=abcdefghijklmnop', 'cookie', undefined, /sid +•/],
  [
    `curl -u web:s3cret-value https://id.example/token -d grant_type=authorization_code \\\n -d 'code=${CODE}'`,
    'token_request',
    undefined,
    /as a line with curl/,
  ],
  [
    `fetch("https://id.example/token", {"method":"POST","body":"grant_type=refresh_token&refresh_token=abcdefghijklmnop"});`,
    'token_request',
    undefined,
    /abcd…nop/,
  ],
  [
    `POST https://id.example/token\nContent-Type: application/x-www-form-urlencoded\n\ngrant_type=authorization_code&code=${CODE}`,
    'token_request',
    undefined,
    /as a call of a program/,
  ],
  [CURL.replace(/^/gm, '> '), 'http', undefined, /the output of curl -v/],
  [
    'level=error msg=x error="invalid_client" error_description="Secret expired"',
    'error_code',
    'error-code',
    /invalid_client, “Secret expired”/,
  ],
  [
    '[error] checks.state argument is missing',
    'error_message',
    'error-message',
    /cookie that holds the state/,
  ],
  ['IDX10501: Signature validation failed.', 'error_message', 'error-message', /published keys/],
  [
    'reason: self-signed certificate in certificate chain',
    'error_message',
    'error-message',
    /NODE_EXTRA_CA_CERTS/,
  ],
  ['connect ECONNREFUSED 127.0.0.1:8443', 'error_message', 'error-message', /nothing listens/],
  [
    'Refused to display it in a frame because it set X-Frame-Options',
    'error_message',
    'error-message',
    /third parties in frames/,
  ],
  [
    'app.example redirected you too many times',
    'error_message',
    'error-message',
    /cookie does not come back/,
  ],
  [
    'Reason: CORS header ‘Access-Control-Allow-Origin’ missing'.replace(
      'Reason',
      'Cross-Origin Request Blocked: Reason',
    ),
    'cors_message',
    'cors',
    /allow the origin of the page/,
  ],
  [
    CORS.replace(/No '.*/, 'Request header field x-a is not allowed by Access-Control-Allow-Headers'),
    'cors_message',
    'cors',
    /Allow-Headers name x-a/,
  ],
  ['AADSTS50034', 'error_code', 'error-code', /no such user/],
  [
    'AADSTS50011: The redirect URI does not match.',
    'error_code',
    'error-code',
    /register this redirect_uri/i,
  ],
  ['<s:Fault><faultstring>ID3242: no</faultstring></s:Fault>', 'error_page', 'error-page', /ID3242/],
  [SAML.toString('base64'), 'saml', 'saml-status', /NoPassive/],
  [VCR, 'cassette', undefined, /a VCR cassette/],
  [NEWMAN, 'postman_run', undefined, /a Postman run/],
]

it('every kind of text stands in docs/explain.md', () => {
  const page = readFileSync('docs/explain.md', 'utf8')
  for (const [, what] of cases) expect(page).toContain(`\`${what}\``)
})

const view = { showSecrets: false, ascii: false }

describe('a pasted text', () => {
  it.each(cases)('number %# is what it is', async (text, what, name, said) => {
    const fragment = await explainText(text)
    expect(fragment?.what).toBe(what)
    expect(
      fragment?.findings.find(({ severity }) => severity === 'fault')?.name ?? fragment?.findings[0]?.name,
    ).toBe(name)
    expect(fragmentLines(fragment!, view).join('\n')).toMatch(said)
  })

  it.each([CURL, TRACE, PYTHON, HTTPIE, VCR, NEWMAN])(
    'with a refused token request is a conversation: number %#',
    async text => {
      const fragment = await explainText(text)
      expect(fragment?.explanation?.verdict).toMatchObject({
        outcome: 'fault',
        broken: { name: 'request-refused', words: 'invalid_grant, “code is spent”' },
      })
    },
  )

  it.each([
    '',
    'hello world',
    '42',
    '{"a":1}',
    'https://example.com/',
    'https://example.com/?a=b',
    '<xml/>',
    'true',
    'https://shop.example/cart?code=SAVE10',
    '{"name":"x","type":"module","description":"A tool"}',
    '{"status":"ok","message":"hello"}',
    '<html><title>Welcome</title><h1>Recipes</h1></html>',
    'npm ERR! code ERESOLVE',
    '1.2.3.4 - - "GET /index.html HTTP/1.1" 200 5',
    'openidc.lua:1520: authenticate(): session.present=nil, try_to_renew=true, token_expired=false',
    'https://id.example/protocol/openid-connect/login-status-iframe.html/init?client_id=web&origin=https://a.example',
    "ModuleNotFoundError: No module named 'authlib'",
    "Error: Cannot find module 'oauth'",
    'If the oven is too hot, the cookie is too large.',
    "import { TokenExpiredError } from 'jsonwebtoken'",
    'from .exceptions import InvalidKeyError, PyJWKError',
    'except OAuthError:\n    pass',
    'Failed to fetch token price for 0xdAC17F9',
    'The system cannot execute the program. Access is denied.',
    'INFO oauth2-proxy started; OIDC provider configured; errors=0 failed=0',
    "src/oauth.ts(12,5): error TS2345: Argument of type 'string'",
    'FAIL test/oauth/login.test.ts > logs in',
    'column "code" expected integer; column "state" is empty',
    'error_page 401 = /oauth2/sign_in;',
    '@azure/msal-browser@3.2.0 : Verbose - acquireTokenSilent called',
    '{"name":"shop","description":"Login required for all pages"}',
    '{"Effect":"Allow","Action":"sts:AssumeRoleWithWebIdentity"}',
  ])('%j is nothing of OAuth', async text => {
    expect(await explainText(text)).toBeUndefined()
  })

  it('shows no secret', async () => {
    for (const text of [
      `https://app.example/cb?code=${CODE}&state=x`,
      `error: invalid_grant code=${CODE} token ${past}`,
      `{"access_token":"${past}","token_type":"Bearer"}`,
      JSON.stringify({ error: 'x_y', request: `grant_type=authorization_code&code=${CODE}` }),
      `invalid_grant: {"code"=>"${CODE}"} Authorization: Bearer ${CODE}`,
      `curl -d code=${CODE} -d grant_type=x https://id.example/token`,
      `Cookie: sid=${CODE}`,
      `INF HTTP URI=/oauth/callback?code=${CODE}&state=x status=400`,
    ]) {
      const fragment = await explainText(text)
      const all = `${fragmentLines(fragment!, view).join('\n')}${JSON.stringify(fragmentJson(fragment!, false))}`
      for (const secret of [CODE, past]) expect(all).not.toContain(secret)
    }
  })

  it('of any characters ends soon, in an explanation or in none', async () => {
    const piece = fc.constantFrom(
      '<',
      '<script',
      '&',
      '=',
      '%',
      '{"',
      '> POST / HTTP/1.1\n',
      '< HTTP/1.1 400\n',
      '0000: a\n',
      'eyJ',
      '.',
      ';',
      '-----BEGIN ',
      'error',
      ' ',
      '\n',
      '"',
      '\u001b[31m',
    )
    await forAll(fc.array(fc.oneof(piece, fc.string()), { maxLength: 300 }), async pieces => {
      const fragment = await explainText(pieces.join(''))
      if (fragment) expect(fragmentLines(fragment, view).join('')).not.toContain('\u001b')
    })
    for (const each of ['<', '<script>', 'a=', '%', '{"a":', 'eyJ', '> a\n', 'x;', 'error '])
      await explainText(`${'<html>'}${each.repeat(200_000 / each.length)}`)
  }, 60_000)
})
