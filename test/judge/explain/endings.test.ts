import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { explainSource } from '../../../src/judge/explain/read/explain-source.js'
import { entry, form, type HarEntry, har, stream } from './recording.js'

const [APP, ID] = ['https://app.example', 'https://id.example']
const AUTHORIZE = `${ID}/authorize`
const VERIFIER = 'Vv0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'
const PAGE = { origin: APP, 'sec-fetch-mode': 'cors', 'user-agent': 'Mozilla/5.0' }
const FRAME = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }

const asked = (more: Readonly<Record<string, string>> = {}, at = AUTHORIZE) =>
  `${at}?${form({ response_type: 'code', client_id: 'web', redirect_uri: `${APP}/cb`, state: 'k3Vq9sTzYb71LmNwPd4R', nonce: 'n-1', code_challenge: hash('sha256', VERIFIER, 'base64url'), code_challenge_method: 'S256', ...more })}`
const back = (state = 'k3Vq9sTzYb71LmNwPd4R', code = 'SplxlOBeZQQYbYS6WxSbIA') =>
  `${APP}/cb?${form({ code, state })}`
const start = (at = 1): HarEntry => entry(at, 'GET', asked(), { html: '<form>' })
const sent = (at = 1): HarEntry => entry(at, 'GET', asked(), { location: back() })
const page = (at: number, path: string, html = '<h1>Hello</h1>', more: object = {}): HarEntry =>
  entry(at, 'GET', `${APP}${path}`, { html, ...more })
/** A login whose callback the client answers with a redirect, and the pages after it. */
const landed = (to: string, ...pages: readonly HarEntry[]) => [
  sent(),
  entry(2, 'GET', back(), { location: to }),
  ...pages,
]
const token = (answer: Parameters<typeof entry>[3], headers: Record<string, string> = {}, at = 4) =>
  entry(at, 'POST', `${ID}/token`, answer, {
    form: {
      grant_type: 'authorization_code',
      client_id: 'web',
      redirect_uri: `${APP}/cb`,
      code: 'SplxlOBeZQQYbYS6WxSbIA',
      code_verifier: VERIFIER,
    },
    headers,
  })
const spa = (...later: readonly HarEntry[]) => [
  sent(),
  entry(2, 'GET', back(), { html: '<div id=root>' }),
  ...later,
]
const tokens = (more: object = {}) => ({
  json: { access_token: 'opaque-token-1', token_type: 'Bearer' },
  ...more,
})
const api = (
  at: number,
  answer: Parameters<typeof entry>[3],
  bearer = 'opaque-token-1',
  headers: Record<string, string> = {},
) =>
  entry(at, 'GET', 'https://api.example/a', answer, {
    headers: { authorization: `Bearer ${bearer}`, ...headers },
  })
const preflight = (status: number, headers: Record<string, string>, url = `${ID}/token`, method = 'POST') =>
  entry(
    3,
    'OPTIONS',
    url,
    { status, headers },
    { headers: { origin: APP, 'access-control-request-method': method } },
  )
const unsent = (error: string): HarEntry => {
  const blocked = token({ status: 0 }, PAGE)
  blocked.response._error = error
  return blocked
}
/** Logins in a row that nobody types anything in. */
const rounds = (count: number, pages: (at: number) => readonly HarEntry[]) =>
  Array.from({ length: count }, (_, i) => i * 5).flatMap(at => {
    const url = back(`state-${at}-abcdef`, `code-${at}-abcdefgh`)
    return [
      entry(at, 'GET', asked({ state: `state-${at}-abcdef`, nonce: `n-${at}` }), { location: url }),
      entry(at + 1, 'GET', url, { location: '/', headers: { 'set-cookie': `sid=${at}; Path=/; HttpOnly` } }),
      ...pages(at + 2),
    ]
  })
const withCookie = (
  at: number,
  path: string,
  answer: Parameters<typeof entry>[3],
  headers: Record<string, string> = {},
) => entry(at, 'GET', `${APP}${path}`, answer, { headers: { cookie: `sid=${at - 2}`, ...headers } })
/** The callback is refused, after a page of the application has set a cookie. */
const refused = (cookie: string, headers: Record<string, string> = {}, to = APP) => [
  entry(0, 'GET', `${to}/login`, {
    location: asked({ redirect_uri: `${to}/cb` }),
    headers: { 'set-cookie': cookie },
  }),
  entry(1, 'GET', asked({ redirect_uri: `${to}/cb` }), { location: back().replace(APP, to) }),
  entry(2, 'GET', back().replace(APP, to), { status: 400, html: 'no state' }, { headers }),
]
const compressed = token({ status: 400 })
compressed.response.content = {
  mimeType: 'application/json',
  size: 40,
  encoding: 'base64',
  text: gzipSync('{"error":"invalid_grant","error_description":"spent"}').toString('base64'),
}

const explained = (entries: readonly HarEntry[]) => explainSource(stream(har(entries)), 'x.har')

describe('a login that failed', () => {
  it.each<[string, readonly HarEntry[], string, RegExp]>([
    [
      'an error page after the callback',
      landed(
        '/auth/error?error=OAuthCallback',
        page(3, '/auth/error?error=OAuthCallback', '<h1>Sign in failed</h1>'),
      ),
      'callback-refused',
      /\/auth\/error.*OAuthCallback, “Sign in failed”/,
    ],
    [
      '?error after the callback',
      landed(
        '/login?error',
        page(3, '/login?error', '<div class="alert">[invalid_token_response] 401</div>'),
      ),
      'callback-refused',
      /invalid_token_response/,
    ],
    [
      'a page about a failure',
      spa().with(
        1,
        entry(2, 'GET', back(), { html: '<title>Login Failure</title><p>An error occurred.</p>' }),
      ),
      'callback-refused',
      /“An error occurred\.”/,
    ],
    [
      '403 after the callback',
      landed('/', page(3, '/', '<h1>No entry</h1>', { status: 403 })),
      'callback-refused',
      /answered with 403 .*“No entry”/,
    ],
    [
      'a code that a page hands to its server',
      spa(
        entry(
          3,
          'POST',
          `${APP}/api/exchange`,
          { status: 401, json: { message: 'Bad code' } },
          {
            form: JSON.stringify({ code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'k3Vq9sTzYb71LmNwPd4R' }),
            headers: { ...PAGE, 'content-type': 'application/json' },
          },
        ),
      ),
      'callback-refused',
      /401: “Bad code”/,
    ],
    ['a loop by scripts of pages', rounds(3, at => [page(at, '/')]), 'login-loop', /begun 3 times/],
    [
      'a loop over an API',
      rounds(3, at => [
        withCookie(at, '/', { html: '<p>' }),
        withCookie(at + 1, '/me', { status: 401 }, PAGE),
      ]),
      'login-loop',
      /The cookie sid came back/,
    ],
    [
      'an error page of the server',
      [
        entry(1, 'GET', asked(), { location: '/error?id=1' }),
        entry(2, 'GET', `${ID}/error?id=1`, { html: '<p>Sorry: unauthorized_client</p>' }),
      ],
      'request-shown-error',
      /unauthorized_client/,
    ],
    [
      'an error page of another host',
      [
        entry(1, 'GET', asked(), { location: 'https://login.example/e' }),
        entry(2, 'GET', 'https://login.example/e', { html: '<p>Error 400: redirect_uri_mismatch</p>' }),
      ],
      'request-shown-error',
      /redirect_uri_mismatch/,
    ],
    [
      'a wrong password',
      [
        start(),
        entry(
          4,
          'POST',
          `${ID}/login?x`,
          { html: 'Invalid username or password.' },
          { form: { username: 'a' } },
        ),
      ],
      'login-failed',
      /Invalid username or password/,
    ],
    [
      'no response_type',
      [
        entry(1, 'GET', 'https://github.example/login/oauth/authorize?client_id=a&scope=user', {
          html: '<p>The redirect_uri is not associated with this application.</p>',
        }),
      ],
      'request-shown-error',
      /not associated/,
    ],
    [
      'a page in a frame',
      [
        entry(
          1,
          'GET',
          asked({ prompt: 'none' }),
          { html: '<form>', headers: { 'x-frame-options': 'DENY' } },
          { headers: FRAME },
        ),
      ],
      'frame-refused',
      /DENY/,
    ],
    [
      'a silent renewal',
      [
        entry(1, 'GET', asked({ prompt: 'none' }), {
          location: `${APP}/cb?error=login_required&state=k3Vq9sTzYb71LmNwPd4R`,
        }),
      ],
      'authorization-error',
      /login_required/,
    ],
    [
      'a login by fetch',
      [
        entry(
          1,
          'GET',
          asked(),
          { html: '<form>', headers: { vary: 'origin' } },
          { headers: { ...PAGE, origin: 'null' } },
        ),
      ],
      'cors-missing',
      /a script sent the authorization request/,
    ],
    [
      'a preflight without the origin',
      spa(
        preflight(204, { 'access-control-allow-origin': 'https://else.example' }),
        unsent('net::ERR_FAILED'),
      ),
      'cors-preflight',
      /allows the origin https:\/\/else\.example/,
    ],
    [
      'a preflight without the method',
      spa(
        token(tokens({ headers: { 'access-control-allow-origin': '*' } }), PAGE),
        preflight(204, { 'access-control-allow-origin': '*' }, 'https://api.example/a', 'PUT'),
        { ...api(5, { status: 0 }, 'opaque-token-1', PAGE), _error: 'net::ERR_FAILED' },
      ),
      'cors-header',
      /not the method PUT/,
    ],
    [
      'a preflight that wants a token, and no call behind it',
      spa(
        token(tokens({ headers: { 'access-control-allow-origin': '*' } }), PAGE),
        entry(
          5,
          'OPTIONS',
          'https://api.example/a',
          { status: 401 },
          {
            headers: {
              origin: APP,
              'access-control-request-method': 'GET',
              'access-control-request-headers': 'authorization',
            },
          },
        ),
      ),
      'cors-preflight',
      /did not send the resource request: its preflight \(OPTIONS\) was answered with 401/,
    ],
    [
      'another origin',
      spa(token(tokens({ headers: { 'access-control-allow-origin': 'http://app.example' } }), PAGE)),
      'cors-missing',
      /it is http:\/\/app\.example/,
    ],
    [
      'a certificate',
      spa(unsent('net::ERR_CERT_AUTHORITY_INVALID')),
      'tls-failed',
      /does not trust the certificate/,
    ],
    [
      'a certificate, at a program',
      [{ ...token({ status: 0 }), _error: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
      'tls-failed',
      /DEPTH_ZERO/,
    ],
    ['a blocker', spa(unsent('net::ERR_BLOCKED_BY_CLIENT')), 'no-answer', /extension/],
    ['a page that went away', spa(unsent('net::ERR_ABORTED')), 'no-answer', /page went away/],
    [
      'a page in place of tokens',
      spa(token({ html: '<title>x</title>Sign in' })),
      'no-tokens',
      /a page of HTML, “Sign in”/,
    ],
    [
      'a redirect in place of tokens',
      spa(token({ location: '/login' })),
      'no-tokens',
      /redirected \(302\) to \/login/,
    ],
    ['an answer without tokens', spa(token({ json: {} })), 'no-tokens', /200 and no token/],
    ['a compressed answer', spa(compressed), 'request-refused', /invalid_grant, “spent”/],
    [
      'a challenge without words',
      spa(token({ status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } })),
      'request-refused',
      /401; the server wants Basic/,
    ],
    [
      'words of a failed server',
      spa(token({ status: 500, json: { message: 'No database' } })),
      'server-error',
      /500: “No database”/,
    ],
    [
      'an API that allows nothing',
      spa(token(tokens()), api(5, { status: 403, json: { message: 'Forbidden' } })),
      'token-refused',
      /403: “Forbidden”/,
    ],
    ['a name with __Host-', refused('__Host-tx=1; Path=/api; Secure'), 'cookie-lost', /__Host-, which wants/],
    [
      'a Domain of others',
      refused('tx=1; Path=/; Domain=example.org'),
      'cookie-lost',
      /its Domain is example\.org/,
    ],
    [
      'a frame of another site',
      refused('tx=1; Path=/; Secure', FRAME),
      'cookie-lost',
      /in a frame of another site/,
    ],
    [
      'a cookie that nothing keeps away',
      refused('tx=1; Path=/', { cookie: 'other=1' }),
      'cookie-lost',
      /cookie tx.* nothing in it forbids that/,
    ],
    [
      'a cookie of another company',
      [
        entry(0, 'GET', 'https://ads.co.uk/x', { headers: { 'set-cookie': 'uid=1' } }),
        ...refused('tx=1; Path=/', { cookie: 'tx=1' }, 'https://app.co.uk'),
      ],
      'callback-refused',
      /no state/,
    ],
    [
      'https before http',
      landed(
        'http://app.example/',
        entry(3, 'GET', 'http://app.example/', { location: '/login' }),
        entry(4, 'GET', 'http://app.example/login', { location: asked() }),
      ).with(
        1,
        entry(2, 'GET', back(), {
          location: 'http://app.example/',
          headers: { 'set-cookie': 'sid=1; Path=/; Secure' },
        }),
      ),
      'cookie-lost',
      /cookie sid.*over http/,
    ],
  ])('%s', async (_name, entries, name, text) => {
    const { verdict } = await explained(entries)
    expect(verdict).toMatchObject({ outcome: 'fault', broken: { name, text: expect.stringMatching(text) } })
    expect(verdict.broken?.next).toBeTruthy()
  })
})

describe('a login without a known end', () => {
  it.each<[string, readonly HarEntry[], RegExp]>([
    [
      'a login page after the callback',
      landed('/', page(3, '/', '', { location: '/login' }), page(4, '/login', '<input type="password">')),
      /showed its own login page \/login/,
    ],
    [
      'a new start after the callback',
      landed('/', page(3, '/', '', { location: asked({ state: 'another-state-1' }) })),
      /began the login again/,
    ],
    [
      'a call that was refused',
      landed('/', page(3, '/'), entry(4, 'GET', `${APP}/me`, { status: 401 }, { headers: PAGE })),
      /call of \/me \(entry 4\) was answered with 401/,
    ],
    [
      'a page of the callback',
      spa().with(1, entry(2, 'GET', back(), { html: '<p>One moment' })),
      /“One moment”/,
    ],
    [
      'a later page of the server',
      [start(), entry(3, 'POST', `${ID}/next`, { html: 'Approve on your phone' }, { form: { a: 'b' } })],
      /“Approve on your phone” \(entry 2\)/,
    ],
  ])('%s', async (_name, entries, text) => {
    const { verdict } = await explained(entries)
    expect(verdict).toMatchObject({ outcome: 'unfinished', open: { lastSeen: expect.stringMatching(text) } })
  })
})

describe('a right login', () => {
  const inside = entry(4, 'POST', `${ID}/login`, { location: back() }, { form: { username: 'a' } })
  const after = [entry(5, 'GET', back(), { location: '/' }), page(6, '/')]
  it.each<[string, readonly HarEntry[]]>([
    [
      'with Kerberos',
      [
        entry(1, 'GET', asked(), {
          status: 401,
          html: 'Kerberos Unsupported',
          headers: { 'www-authenticate': 'Negotiate' },
        }),
        sent(2),
        ...after,
      ],
    ],
    [
      'with a help text about errors',
      [entry(1, 'GET', asked(), { html: 'If you see access_denied, call us.' }), inside, ...after],
    ],
    [
      'with a wrong password first',
      [
        start(),
        entry(
          2,
          'POST',
          `${ID}/login?x`,
          { html: 'Invalid username or password.' },
          { form: { username: 'a' } },
        ),
        inside,
        ...after,
      ],
    ],
    [
      'with a silent one before',
      [
        entry(0, 'GET', asked({ prompt: 'none', state: 'silent-state' }), {
          location: `${APP}/cb?error=login_required&state=silent-state`,
        }),
        start(),
        inside,
        ...after,
      ],
    ],
    [
      'with an old token before',
      [
        api(0, { status: 401 }, 'old-token'),
        entry(1, 'POST', `${ID}/token`, tokens(), {
          form: { grant_type: 'refresh_token', refresh_token: 'r1-abcdefgh' },
        }),
        api(2, { json: {} }),
      ],
    ],
    [
      'with a nonce of DPoP',
      spa(token({ status: 400, json: { error: 'use_dpop_nonce' } }), token(tokens(), {}, 5)),
    ],
    ['with one call that is forbidden', spa(token(tokens()), api(5, { json: {} }), api(6, { status: 403 }))],
    [
      'without headers of answers',
      spa({ ...token(tokens(), PAGE), response: { ...token(tokens()).response, headers: [] } }),
    ],
    [
      'at a server that lets log in elsewhere',
      [
        entry(1, 'GET', `${ID}/broker`, {
          location: asked(
            { redirect_uri: `${ID}/endpoint`, state: 'broker-state-1' },
            'https://social.example/authorize',
          ),
        }),
        entry(
          2,
          'GET',
          asked(
            { redirect_uri: `${ID}/endpoint`, state: 'broker-state-1' },
            'https://social.example/authorize',
          ),
          { location: `${ID}/endpoint?code=social-code-1&state=broker-state-1` },
        ),
        entry(3, 'GET', `${ID}/endpoint?code=social-code-1&state=broker-state-1`, { location: back() }),
        ...after,
      ],
    ],
    ['with two rounds', [...rounds(2, at => [page(at, '/')])]],
  ])('%s', async (_name, entries) => {
    expect((await explained(entries)).verdict.outcome).toBe('right')
  })
})
