import { generateKeyPairSync, hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { explainSource } from '../../../src/judge/explain/read/explain-source.js'
import { entry, form, type HarEntry, har, jwt } from './recording.js'

const AUTHORIZE = 'https://id.example/authorize'
const CALLBACK = 'https://app.example/cb'
const VERIFIER = 'Vv0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'

const asked = (more: Readonly<Record<string, string>> = {}) =>
  `${AUTHORIZE}?${form({ response_type: 'code', client_id: 'web', redirect_uri: CALLBACK, scope: 'openid', state: 'k3Vq9sTzYb71LmNwPd4R', nonce: 'n-0S6_WzA2Mj', code_challenge: hash('sha256', VERIFIER, 'base64url'), code_challenge_method: 'S256', ...more })}`

const code = (n = '') => `SplxlOBeZQQYbYS6WxSbIA${n}`
const back = (n = '', state = 'k3Vq9sTzYb71LmNwPd4R', to = CALLBACK) =>
  `${to}?${form({ code: code(n), state })}`

/** Request and redirect: the server sends the browser back with a code. */
const sentBack = (at: number, n = '', to = CALLBACK): HarEntry =>
  entry(at, 'GET', asked({ redirect_uri: to }), { status: 302, location: back(n, undefined, to) })

/** A round of a login that does not hold: page, server, callback, page again. */
function round(n: number, session: Record<string, string>, page = 'https://app.example/'): HarEntry[] {
  const state = `k3Vq9sTzYb71LmNwPd4R${n}`
  const start = asked({ state })
  return [
    entry(n * 4, 'GET', page, { status: 302, location: start }),
    entry(n * 4 + 1, 'GET', start, { status: 302, location: back(`${n}`, state) }),
    entry(n * 4 + 2, 'GET', back(`${n}`, state), { status: 302, location: page, headers: session }),
  ]
}

const tokenForm = {
  grant_type: 'authorization_code',
  client_id: 'web',
  redirect_uri: CALLBACK,
  code: code(),
  code_verifier: VERIFIER,
}
const fromPage = { origin: 'https://app.example', 'sec-fetch-mode': 'cors', 'user-agent': 'Mozilla/5.0' }
const token = (
  answer: Parameters<typeof entry>[3],
  headers: Record<string, string> = {},
  sent: string | typeof tokenForm = tokenForm,
) => entry(4, 'POST', 'https://id.example/token', answer, { form: sent, headers })
const landed = () => [sentBack(1), entry(2, 'GET', back(), { html: '<p>one moment</p>' })]
const refused = (status: number, answer: Parameters<typeof entry>[3]) => [
  ...landed(),
  token({ status, ...answer }),
]

/** The callback is refused, after a page of the application has set a cookie. */
const callbackWith = (cookie: string, page: string, to = CALLBACK, headers: Record<string, string> = {}) => [
  entry(0, 'GET', page, {
    status: 302,
    location: asked({ redirect_uri: to }),
    headers: { 'set-cookie': cookie },
  }),
  sentBack(1, '', to),
  entry(2, 'GET', back('', undefined, to), { status: 400, html: 'state is missing' }, { headers }),
]

const preflight = (status: number, headers: Record<string, string>) =>
  entry(
    3,
    'OPTIONS',
    'https://id.example/token',
    { status, headers },
    {
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,sentry-trace',
      },
    },
  )
/** As Chrome writes a preflight: with pseudo headers and its own members. */
const byChrome = (asked: HarEntry): HarEntry => ({
  ...asked,
  _resourceType: 'preflight',
  _initiator: { type: 'preflight' },
  request: {
    ...asked.request,
    headers: [
      { name: ':method', value: 'OPTIONS' },
      { name: ':path', value: '/token' },
      ...asked.request.headers,
      { name: 'sec-fetch-mode', value: 'cors' },
    ],
  },
})
const unsent = (): HarEntry => {
  const blocked = token({ status: 0 }, fromPage)
  blocked.response._error = 'net::ERR_FAILED'
  return blocked
}
const html = (status: number, page: string) => [entry(1, 'GET', asked(), { status, html: page })]
const challenge = (made: string) => [
  entry(1, 'GET', asked({ code_challenge: made }), { status: 302, location: back() }),
  entry(2, 'GET', back(), { html: '' }),
  token({ status: 400, json: { error: 'invalid_grant' } }),
]

/** A whole login, whose ID token has a signature by nobody. */
function wrongKeys(): HarEntry[] {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const metadata = {
    issuer: 'https://id.example',
    authorization_endpoint: AUTHORIZE,
    token_endpoint: 'https://id.example/token',
    jwks_uri: 'https://id.example/jwks',
  }
  const seconds = Date.parse('2026-03-01T10:00:00Z') / 1000
  const claims = {
    iss: 'https://id.example',
    aud: 'web',
    sub: 'a',
    nonce: 'n-0S6_WzA2Mj',
    iat: seconds,
    exp: seconds + 3600,
  }
  return [
    entry(0, 'GET', 'https://id.example/.well-known/openid-configuration', { json: metadata }),
    entry(0, 'GET', 'https://id.example/jwks', {
      json: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key-1', alg: 'RS256' }] },
    }),
    ...landed(),
    token({
      json: {
        access_token: 'opaque-token-1',
        token_type: 'Bearer',
        id_token: jwt(claims).replace(/[^.]*$/, Buffer.alloc(256, 7).toString('base64url')),
      },
    }),
  ]
}

const explained = async (entries: readonly HarEntry[]) => {
  const text = har([...entries])
  return explainSource(
    (async function* () {
      yield Buffer.from(text)
    })(),
    'x.har',
  )
}

describe('a login that failed', () => {
  it.each<[string, readonly HarEntry[], string, RegExp]>([
    [
      'a Secure cookie, and http after the login',
      [1, 2, 3].flatMap(n => round(n, { 'set-cookie': 'session=s; Path=/; Secure' }, 'http://app.example/')),
      'cookie-lost',
      /cookie session, which entry 3 set, did not come .* entry 4: it has Secure, .*3 times/,
    ],
    [
      'localhost and 127.0.0.1',
      callbackWith('tx=1; Path=/', 'http://localhost:3000/login', 'http://127.0.0.1:3000/cb'),
      'cookie-lost',
      /cookie tx.*belongs to localhost, and the request goes to 127\.0\.0\.1.*400/,
    ],
    [
      'another subdomain',
      callbackWith('tx=1; Path=/', 'https://www.app.example/login', 'https://app.example/cb'),
      'cookie-lost',
      /belongs to www\.app\.example/,
    ],
    [
      'a path that is too narrow',
      callbackWith('tx=1', 'https://app.example/login/start'),
      'cookie-lost',
      /its path is \/login, and the request goes to \/cb/,
    ],
    [
      'a cookie above 4 kB',
      callbackWith(`tx=${'x'.repeat(4100)}; Path=/`, 'https://app.example/login'),
      'cookie-lost',
      /it has 4102 bytes/,
    ],
    [
      'Secure behind a proxy',
      callbackWith('tx=1; Path=/; Secure', 'http://app.example/login'),
      'cookie-lost',
      /Secure, and was set over http/,
    ],
    [
      'SameSite=Strict',
      callbackWith('tx=1; Path=/; SameSite=Strict', 'https://app.example/login', CALLBACK, {
        referer: AUTHORIZE,
      }),
      'cookie-lost',
      /SameSite=Strict/,
    ],
    [
      'form_post without SameSite=None',
      [
        entry(0, 'GET', 'https://app.example/login', {
          status: 302,
          location: asked(),
          headers: { 'set-cookie': 'tx=1; Path=/; Secure' },
        }),
        entry(1, 'GET', asked({ response_mode: 'form_post' }), { html: '<form>' }),
        entry(
          2,
          'POST',
          CALLBACK,
          { status: 401, html: 'no session' },
          {
            form: { code: code(), state: 'k3Vq9sTzYb71LmNwPd4R' },
            headers: { origin: 'https://id.example' },
          },
        ),
      ],
      'cookie-lost',
      /no SameSite, which means Lax.*form_post/,
    ],
    ['three starts', [1, 2, 3].flatMap(n => round(n, {})), 'login-loop', /begun 3 times/],
    [
      'a callback that is answered 400',
      [sentBack(1), entry(2, 'GET', back(), { status: 400, html: 'checks.state argument is missing' })],
      'callback-refused',
      /400: “checks\.state argument is missing”/,
    ],
    [
      'a callback that is answered 500',
      [sentBack(1), entry(2, 'GET', back(), { status: 500, html: '<h1>TypeError</h1>' })],
      'callback-refused',
      /500: “TypeError”/,
    ],
    [
      'an error page of the server',
      [
        entry(1, 'GET', asked(), {
          status: 302,
          location:
            'https://id.example/error?tracking=1&error=unauthorized_client&error_description=Callback+URL+mismatch.',
        }),
      ],
      'request-shown-error',
      /unauthorized_client, “Callback URL mismatch\.”/,
    ],
    [
      'AADSTS in a page with status 200',
      html(
        200,
        '<script>$Config={"strServiceExceptionMessage":"AADSTS50011: The redirect URI does not match."}</script>',
      ),
      'request-shown-error',
      /AADSTS50011: The redirect URI does not match\./,
    ],
    [
      'the page of Keycloak',
      html(
        400,
        '<head><title>Sign in</title></head><div id="kc-error-message"><p class="instruction">Invalid parameter: redirect_uri</p></div>',
      ),
      'request-shown-error',
      /“Invalid parameter: redirect_uri”/,
    ],
    [
      'the page of Google',
      html(400, '<title>Error 400 (OAuth2 Error)!!1</title><p>Error 400: redirect_uri_mismatch</p>'),
      'request-shown-error',
      /redirect_uri_mismatch/,
    ],
    [
      'a header that the preflight refuses',
      [
        ...landed(),
        preflight(204, {
          'access-control-allow-origin': 'https://app.example',
          'access-control-allow-headers': 'content-type',
        }),
        unsent(),
      ],
      'cors-header',
      /allows the origin, and not the request header sentry-trace/,
    ],
    ['a preflight that is refused', [...landed(), preflight(405, {}), unsent()], 'cors-preflight', /405/],
    [
      'a preflight that is refused, behind the request as Chrome may write it',
      [...landed(), unsent(), preflight(405, {})],
      'cors-preflight',
      /405/,
    ],
    [
      'a preflight of Chrome that is refused, and no request behind it',
      [...landed(), byChrome(preflight(403, {}))],
      'cors-preflight',
      /^the browser did not send the token request: its preflight \(OPTIONS\) was answered with 403$/,
    ],
    [
      'a preflight of Firefox that does not allow the page, and no request behind it',
      [...landed(), preflight(200, { 'access-control-allow-origin': 'https://other.example' })],
      'cors-preflight',
      /allows the origin https:\/\/other\.example, and the page is of https:\/\/app\.example/,
    ],
    [
      'a preflight that refuses a header, and no request behind it',
      [
        ...landed(),
        preflight(204, { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'x' }),
      ],
      'cors-header',
      /not the request header content-type, sentry-trace/,
    ],
    [
      'cookies, and an answer for *',
      [
        ...landed(),
        token(
          { json: {}, headers: { 'access-control-allow-origin': '*' } },
          { ...fromPage, cookie: 'idp=1' },
        ),
      ],
      'cors-credentials',
      /\* does not go with them/,
    ],
    [
      'cookies without Allow-Credentials',
      [
        ...landed(),
        token(
          { json: {}, headers: { 'access-control-allow-origin': 'https://app.example' } },
          { ...fromPage, cookie: 'idp=1' },
        ),
      ],
      'cors-credentials',
      /no Access-Control-Allow-Credentials/,
    ],
    [
      'an error object',
      refused(400, {
        json: { error: { message: 'Error validating client secret.', type: 'OAuthException', code: 1 } },
      }),
      'request-refused',
      /“Error validating client secret\.”/,
    ],
    [
      'a list of errors',
      refused(400, { json: { errors: [{ message: 'Invalid code' }] } }),
      'request-refused',
      /“Invalid code”/,
    ],
    [
      'problem+json',
      refused(400, { json: { type: 'about:blank', title: 'Bad Request', detail: 'code is spent' } }),
      'request-refused',
      /“code is spent”/,
    ],
    [
      'Okta',
      refused(401, { json: { errorCode: 'E0000011', errorSummary: 'Invalid token provided' } }),
      'request-refused',
      /E0000011, “Invalid token provided”/,
    ],
    [
      'a sentence',
      refused(400, { html: 'bad verification code' }),
      'request-refused',
      /“bad verification code”/,
    ],
    [
      'a challenge',
      [
        ...landed(),
        token({
          status: 401,
          headers: {
            'www-authenticate': 'Basic realm="x", error="invalid_client", error_description="no such client"',
          },
        }),
      ],
      'request-refused',
      /invalid_client, “no such client”/,
    ],
    [
      'JSON as a form',
      [
        ...landed(),
        token({ status: 400, json: { error: 'unsupported_grant_type' } }, {}, JSON.stringify(tokenForm)),
      ],
      'json-as-form',
      /JSON under the content type of a form/,
    ],
    [
      'a challenge of the hexadecimal digest',
      challenge(hash('sha256', VERIFIER, 'hex')),
      'verifier-differs',
      /as the hexadecimal digest/,
    ],
    [
      'a challenge in standard base64',
      challenge(hash('sha256', VERIFIER, 'base64')),
      'verifier-differs',
      /standard base64|with padding/,
    ],
    [
      'a state that two logins have',
      [
        entry(1, 'GET', asked(), { html: '' }),
        entry(2, 'GET', asked({ nonce: 'another-nonce' }), { html: '' }),
      ],
      'state-reused',
      /used before, by that of entry 1/,
    ],
    [
      'an API that refuses a token for another',
      [
        ...landed(),
        entry(
          5,
          'GET',
          'https://other.example/api',
          { status: 401 },
          { headers: { authorization: `Bearer ${jwt({ aud: 'https://api.example' })}` } },
        ),
      ],
      'token-elsewhere',
      /is for https:\/\/api\.example, and https:\/\/other\.example refused it/,
    ],
    [
      'a logout that names redirect_uri',
      [
        entry(1, 'GET', 'https://id.example/logout?redirect_uri=https%3A%2F%2Fapp.example', {
          status: 400,
          html: 'bad',
        }),
      ],
      'post-logout-name',
      /redirect_uri, which the server does not read here/,
    ],
    [
      'an ID token of other keys than the recording has',
      wrongKeys(),
      'signature-differs',
      /does not fit the key of its kid/,
    ],
  ])('%s', async (_name, entries, name, text) => {
    const { verdict } = await explained(entries)
    expect(verdict).toMatchObject({ outcome: 'fault', broken: { name, text: expect.stringMatching(text) } })
    expect(verdict.broken?.next).toBeTruthy()
  })
})

describe('a verdict', () => {
  const page = entry(3, 'GET', 'https://app.example/', { html: '<h1>Hello</h1>' })
  it.each<[string, readonly HarEntry[], string, RegExp?]>([
    [
      'a page of the server, and nothing after it',
      html(200, '<title>Sign in</title><p>Sign in to continue</p>'),
      'unfinished',
      /never came back .*“Sign in to continue”/,
    ],
    [
      'a code at the client, and nothing after it',
      landed(),
      'unfinished',
      /what the client did with it was not seen/,
    ],
    [
      'a page of the application after the callback',
      [sentBack(1), entry(2, 'GET', back(), { status: 302, location: 'https://app.example/' }), page],
      'right',
    ],
    [
      'a second login that ended well',
      [...round(1, {}), ...round(2, {}), { ...page, startedDateTime: '2026-03-01T10:00:30.000Z' }],
      'unfinished',
    ],
    [
      'a shop with code and state in its query',
      [
        entry(1, 'GET', 'https://shop.example/cart?code=SAVE10&state=CA', { html: '' }),
        entry(2, 'GET', 'https://t.example/p.gif?code=abcdefghijklmn&state=x', {}),
      ],
      'nothing',
    ],
  ])('%s', async (_name, entries, outcome, text) => {
    const { verdict } = await explained(entries)
    expect(verdict.outcome).toBe(outcome)
    if (text) expect(verdict.open?.lastSeen).toMatch(text)
  })
})
