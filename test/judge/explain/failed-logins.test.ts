import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { explainSource } from '../../../src/judge/explain/read/explain-source.js'
import {
  API,
  APP,
  AUTHORIZE,
  allowing,
  answered,
  api,
  asked,
  back,
  byChrome,
  CALLBACK,
  CODE,
  challenge,
  compressed,
  FRAME,
  get,
  ID,
  landed,
  PAGE,
  page,
  preflight,
  refused,
  refusedToken,
  round,
  rounds,
  STATE,
  sent,
  setting,
  shown,
  spa,
  start,
  starting,
  TRACED,
  token,
  tokenForm,
  tokens,
  typed,
  unsent,
  VERIFIER,
  withCookie,
  wrongKeys,
} from './failed-login-parts.js'
import { entry, type HarEntry, har, jwt, stream } from './recording.js'

const explained = (entries: readonly HarEntry[]) => explainSource(stream(har(entries)), 'x.har')

/** The page by which Auth0 answers a request without a page (`response_mode=web_message`). */
const posted = (response: object) =>
  `<script>(function(window) { var authorizationResponse = {type: "authorization_response",response: ${JSON.stringify(
    { ...response, state: STATE },
  )}}; window.parent.postMessage(authorizationResponse, "${APP}") })(this)</script>`
const byMessage = (response: object) =>
  get(1, asked({ prompt: 'none', response_mode: 'web_message' }), { html: posted(response) })

/** Recordings by the finding that names their fault, each with what its sentence says. */
const FAULTS: Readonly<Record<string, Readonly<Record<string, readonly [readonly HarEntry[], RegExp]>>>> = {
  'callback-refused': {
    'an error page after the callback': [
      landed(
        '/auth/error?error=OAuthCallback',
        page(3, '/auth/error?error=OAuthCallback', '<h1>Sign in failed</h1>'),
      ),
      /\/auth\/error.*OAuthCallback, “Sign in failed”/,
    ],
    '?error after the callback': [
      landed(
        '/login?error',
        page(3, '/login?error', '<div class="alert">[invalid_token_response] 401</div>'),
      ),
      /invalid_token_response/,
    ],
    'a page about a failure': [
      answered({ html: '<title>Login Failure</title><p>An error occurred.</p>' }),
      /“An error occurred\.”/,
    ],
    '403 after the callback': [
      landed('/', page(3, '/', '<h1>No entry</h1>', { status: 403 })),
      /answered with 403 .*“No entry”/,
    ],
    'a code that a page hands to its server': [
      spa(
        entry(
          3,
          'POST',
          `${APP}/api/exchange`,
          { status: 401, json: { message: 'Bad code' } },
          {
            form: JSON.stringify({ code: CODE, state: STATE }),
            headers: { ...PAGE, 'content-type': 'application/json' },
          },
        ),
      ),
      /401: “Bad code”/,
    ],
    'a cookie of another company': [
      [
        get(0, 'https://ads.co.uk/x', { headers: setting('uid=1') }),
        ...refused('tx=1; Path=/', { cookie: 'tx=1' }, 'https://app.co.uk/login', 'https://app.co.uk/cb'),
      ],
      /no state/,
    ],
    'a callback that is answered 400': [
      answered({ status: 400, html: 'checks.state argument is missing' }),
      /400: “checks\.state argument is missing”/,
    ],
    'a callback with large cookies': [
      [sent(), get(2, back(), { status: 431, html: '' }, { cookie: `tx=${'x'.repeat(9000)}` })],
      /with 431/,
    ],
    'a callback that was loaded again': [
      landed('/', page(3, '/'), get(4, back(), { status: 400, html: 'invalid state' })),
      /a second time \(first in entry 2\), with 400/,
    ],
    'a callback that is answered 500': [
      answered({ status: 500, html: '<h1>TypeError</h1>' }),
      /500: “TypeError”/,
    ],
  },
  'login-loop': {
    'a loop by scripts of pages': [rounds(3, at => [page(at, '/')]), /begun 3 times/],
    'a loop over an API': [
      rounds(3, at => [
        withCookie(at, '/', { html: '<p>' }),
        withCookie(at + 1, '/me', { status: 401 }, PAGE),
      ]),
      /The cookie sid came back/,
    ],
    'three starts': [[1, 2, 3].flatMap(n => round(n)), /begun 3 times/],
  },
  'request-shown-error': {
    'an error page of the server': [
      [
        get(1, asked(), { location: '/error?id=1' }),
        get(2, `${ID}/error?id=1`, { html: '<p>Sorry: unauthorized_client</p>' }),
      ],
      /unauthorized_client/,
    ],
    'an error page of another host': [
      [
        get(1, asked(), { location: 'https://login.example/e' }),
        get(2, 'https://login.example/e', { html: '<p>Error 400: redirect_uri_mismatch</p>' }),
      ],
      /redirect_uri_mismatch/,
    ],
    'an error in the address of a page of the server': [
      [
        get(1, asked(), {
          location: `${ID}/error?tracking=1&error=unauthorized_client&error_description=Callback+URL+mismatch.`,
        }),
      ],
      /unauthorized_client, “Callback URL mismatch\.”/,
    ],
    'no response_type': [
      [
        get(1, 'https://github.example/login/oauth/authorize?client_id=a&scope=user', {
          html: '<p>The redirect_uri is not associated with this application.</p>',
        }),
      ],
      /not associated/,
    ],
    'AADSTS in a page with status 200': [
      shown(
        '<script>$Config={"strServiceExceptionMessage":"AADSTS50011: The redirect URI does not match."}</script>',
      ),
      /AADSTS50011: The redirect URI does not match\./,
    ],
    'the page of Keycloak': [
      shown(
        '<head><title>Sign in</title></head><div id="kc-error-message"><p class="instruction">Invalid parameter: redirect_uri</p></div>',
        400,
      ),
      /“Invalid parameter: redirect_uri”/,
    ],
    'the page of Google': [
      shown('<title>Error 400 (OAuth2 Error)!!1</title><p>Error 400: redirect_uri_mismatch</p>', 400),
      /redirect_uri_mismatch/,
    ],
  },
  'login-failed': {
    'a wrong password': [[start(), typed('Invalid username or password.')], /Invalid username or password/],
  },
  'frame-refused': {
    'a page in a frame': [
      [get(1, asked({ prompt: 'none' }), { html: '<form>', headers: { 'x-frame-options': 'DENY' } }, FRAME)],
      /DENY/,
    ],
  },
  'authorization-error': {
    'a silent renewal': [
      [get(1, asked({ prompt: 'none' }), { location: `${CALLBACK}?error=login_required&state=${STATE}` })],
      /login_required/,
    ],
    'a silent renewal by a message': [
      [byMessage({ error: 'login_required', error_description: 'Login required' })],
      /answered login_required, “Login required”/,
    ],
  },
  'cors-missing': {
    'a login by fetch': [
      [get(1, asked(), { html: '<form>', headers: { vary: 'origin' } }, { ...PAGE, origin: 'null' })],
      /a script sent the authorization request/,
    ],
    'another origin': [
      spa(token(tokens({ headers: allowing('http://app.example') }), PAGE)),
      /it is http:\/\/app\.example/,
    ],
  },
  'cors-preflight': {
    'a preflight without the origin': [
      spa(preflight(204, allowing('https://else.example')), unsent()),
      /allows the origin https:\/\/else\.example/,
    ],
    'a preflight that wants a token, and no call behind it': [
      spa(
        token(tokens({ headers: allowing('*') }), PAGE),
        preflight(
          401,
          {},
          { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
          API,
          5,
        ),
      ),
      /did not send the resource request: its preflight \(OPTIONS\) was answered with 401/,
    ],
    'a preflight that is refused': [spa(preflight(405, {}, TRACED), unsent()), /405/],
    'a preflight that is refused, behind the request as Chrome may write it': [
      spa(unsent(), preflight(405, {}, TRACED)),
      /405/,
    ],
    'a preflight of Chrome that is refused, and no request behind it': [
      spa(byChrome(preflight(403, {}, TRACED))),
      /^the browser did not send the token request: its preflight \(OPTIONS\) was answered with 403$/,
    ],
    'a preflight of Firefox that does not allow the page, and no request behind it': [
      spa(preflight(200, allowing('https://other.example'), TRACED)),
      /allows the origin https:\/\/other\.example, and the page is of https:\/\/app\.example/,
    ],
  },
  'cors-header': {
    'a preflight without the method': [
      spa(
        token(tokens({ headers: allowing('*') }), PAGE),
        preflight(204, allowing('*'), { 'access-control-request-method': 'PUT' }, API),
        { ...api(5, { status: 0 }, 'opaque-token-1', PAGE), _error: 'net::ERR_FAILED' },
      ),
      /not the method PUT/,
    ],
    'a header that the preflight refuses': [
      spa(
        preflight(204, allowing(APP, { 'access-control-allow-headers': 'content-type' }), TRACED),
        unsent(),
      ),
      /allows the origin, and not the request header sentry-trace/,
    ],
    'a preflight that refuses a header, and no request behind it': [
      spa(preflight(204, allowing('*', { 'access-control-allow-headers': 'x' }), TRACED)),
      /not the request header content-type, sentry-trace/,
    ],
  },
  'cors-credentials': {
    'cookies, and an answer for *': [
      spa(token({ json: {}, headers: allowing('*') }, { ...PAGE, cookie: 'idp=1' })),
      /\* does not go with them/,
    ],
    'cookies without Allow-Credentials': [
      spa(token({ json: {}, headers: allowing(APP) }, { ...PAGE, cookie: 'idp=1' })),
      /no Access-Control-Allow-Credentials/,
    ],
  },
  'tls-failed': {
    'a certificate': [spa(unsent('net::ERR_CERT_AUTHORITY_INVALID')), /does not trust the certificate/],
    'a certificate, at a program': [
      [{ ...token({ status: 0 }), _error: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
      /DEPTH_ZERO/,
    ],
  },
  'no-answer': {
    'a blocker': [spa(unsent('net::ERR_BLOCKED_BY_CLIENT')), /extension/],
    'a page that went away': [spa(unsent('net::ERR_ABORTED')), /page went away/],
  },
  'no-tokens': {
    'a page in place of tokens': [
      spa(token({ html: '<title>x</title>Sign in' })),
      /a page of HTML, “Sign in”/,
    ],
    'a redirect in place of tokens': [spa(token({ location: '/login' })), /redirected \(302\) to \/login/],
    'an answer without tokens': [spa(token({ json: {} })), /200 and no token/],
  },
  'request-refused': {
    'a compressed answer': [spa(compressed), /invalid_grant, “spent”/],
    'a callback that waited for it': [
      answered(
        { status: 500, html: 'no access_token' },
        token({ status: 400, json: { error: 'invalid_client' } }),
      ),
      /token request was refused: invalid_client/,
    ],
    'a challenge without words': [
      refusedToken(401, { headers: { 'www-authenticate': 'Basic realm="x"' } }),
      /401; the server wants Basic/,
    ],
    'an error object': [
      refusedToken(400, {
        json: { error: { message: 'Error validating client secret.', type: 'OAuthException', code: 1 } },
      }),
      /“Error validating client secret\.”/,
    ],
    'a list of errors': [
      refusedToken(400, { json: { errors: [{ message: 'Invalid code' }] } }),
      /“Invalid code”/,
    ],
    'problem+json': [
      refusedToken(400, { json: { type: 'about:blank', title: 'Bad Request', detail: 'code is spent' } }),
      /“code is spent”/,
    ],
    Okta: [
      refusedToken(401, { json: { errorCode: 'E0000011', errorSummary: 'Invalid token provided' } }),
      /E0000011, “Invalid token provided”/,
    ],
    'a sentence': [refusedToken(400, { html: 'bad verification code' }), /“bad verification code”/],
    'a challenge': [
      refusedToken(401, {
        headers: {
          'www-authenticate': 'Basic realm="x", error="invalid_client", error_description="no such client"',
        },
      }),
      /invalid_client, “no such client”/,
    ],
  },
  'server-error': {
    'words of a failed server': [
      refusedToken(500, { json: { message: 'No database' } }),
      /500: “No database”/,
    ],
  },
  'token-refused': {
    'an API that allows nothing': [
      spa(token(tokens()), api(5, { status: 403, json: { message: 'Forbidden' } })),
      /403: “Forbidden”/,
    ],
  },
  'cookie-lost': {
    'a name with __Host-': [refused('__Host-tx=1; Path=/api; Secure'), /__Host-, which wants/],
    'a Domain of others': [refused('tx=1; Path=/; Domain=example.org'), /its Domain is example\.org/],
    'a frame of another site': [refused('tx=1; Path=/; Secure', FRAME), /in a frame of another site/],
    'a cookie that nothing keeps away': [
      refused('tx=1; Path=/', { cookie: 'other=1' }),
      /cookie tx.* nothing in it forbids that/,
    ],
    'https before http': [
      [
        sent(),
        get(2, back(), { location: 'http://app.example/', headers: setting('sid=1; Path=/; Secure') }),
        get(3, 'http://app.example/', { location: '/login' }),
        get(4, 'http://app.example/login', { location: asked() }),
      ],
      /cookie sid.*over http/,
    ],
    'a Secure cookie, and http after the login': [
      [1, 2, 3].flatMap(n => round(n, setting('session=s; Path=/; Secure'), 'http://app.example/')),
      /cookie session, which entry 3 set, did not come .* entry 4: it has Secure, .*3 times/,
    ],
    'localhost and 127.0.0.1': [
      refused('tx=1; Path=/', {}, 'http://localhost:3000/login', 'http://127.0.0.1:3000/cb'),
      /cookie tx.*belongs to localhost, and the request goes to 127\.0\.0\.1.*400/,
    ],
    'another subdomain': [
      refused('tx=1; Path=/', {}, 'https://www.app.example/login'),
      /belongs to www\.app\.example/,
    ],
    'a path that is too narrow': [
      refused('tx=1', {}, `${APP}/login/start`),
      /its path is \/login, and the request goes to \/cb/,
    ],
    'a cookie above 4 kB': [refused(`tx=${'x'.repeat(4100)}; Path=/`), /it has 4102 bytes/],
    'Secure behind a proxy': [
      refused('tx=1; Path=/; Secure', {}, 'http://app.example/login'),
      /Secure, and was set over http/,
    ],
    'SameSite=Strict': [refused('tx=1; Path=/; SameSite=Strict', { referer: AUTHORIZE }), /SameSite=Strict/],
    'form_post without SameSite=None': [
      [
        starting(0, 'tx=1; Path=/; Secure'),
        get(1, asked({ response_mode: 'form_post' }), { html: '<form>' }),
        entry(
          2,
          'POST',
          CALLBACK,
          { status: 401, html: 'no session' },
          { form: { code: CODE, state: STATE }, headers: { origin: ID } },
        ),
      ],
      /no SameSite, which means Lax.*form_post/,
    ],
  },
  'token-not-sent': {
    'a call without the token': [
      spa(
        token(tokens({ headers: allowing(APP) }), PAGE),
        get(5, `${APP}/api/me`, { status: 401, json: { message: 'No token' } }, PAGE),
      ),
      /call of https:\/\/app\.example\/api\/me \(entry 4\) went without one/,
    ],
  },
  'code-differs': {
    'a code whose + became a blank': [
      [
        get(1, asked(), { location: back(STATE, 'abc+def/ghi123') }),
        get(2, back(STATE, 'abc+def/ghi123'), { html: '<div id=root>' }),
        token({ status: 400, json: { error: 'invalid_grant' } }, {}, 3, {
          ...tokenForm,
          code: 'abc def/ghi123',
        }),
      ],
      /its \+ became a blank/,
    ],
  },
  'cookie-replaced': {
    'a login in a second tab': [
      [
        starting(0, 'tx=1; Path=/; Secure'),
        start(1),
        starting(2, 'tx=2; Path=/; Secure', { state: 'b' }),
        get(3, asked({ state: 'b' }), { html: '<form>' }),
        get(4, back(), { status: 403, html: 'Invalid state' }, { cookie: 'tx=2' }),
      ],
      /cookie tx, which entry 1 set for this login, was set again by entry 3 .*403: “Invalid state”/,
    ],
  },
  'json-as-form': {
    'JSON as a form': [
      spa(
        token({ status: 400, json: { error: 'unsupported_grant_type' } }, {}, 4, JSON.stringify(tokenForm)),
      ),
      /JSON under the content type of a form/,
    ],
  },
  'verifier-differs': {
    'a challenge of the hexadecimal digest': [
      challenge(hash('sha256', VERIFIER, 'hex')),
      /as the hexadecimal digest/,
    ],
    'a challenge in standard base64': [
      challenge(hash('sha256', VERIFIER, 'base64')),
      /standard base64|with padding/,
    ],
  },
  'state-reused': {
    'a state that two logins have': [
      [get(1, asked(), { html: '' }), get(2, asked({ nonce: 'another-nonce' }), { html: '' })],
      /used before, by that of entry 1/,
    ],
  },
  'token-elsewhere': {
    'an API that refuses a token for another': [
      spa(api(5, { status: 401 }, jwt({ aud: 'https://api.example' }), {}, 'https://other.example/api')),
      /is for https:\/\/api\.example, and https:\/\/other\.example refused it/,
    ],
  },
  'post-logout-name': {
    'a logout that names redirect_uri': [
      [get(1, `${ID}/logout?redirect_uri=https%3A%2F%2Fapp.example`, { status: 400, html: 'bad' })],
      /redirect_uri, which the server does not read here/,
    ],
  },
  'signature-differs': {
    'an ID token of other keys than the recording has': [wrongKeys(), /does not fit the key of its kid/],
  },
}

describe.each(Object.entries(FAULTS))('a login that failed, by %s', (name, recordings) => {
  it.each(Object.entries(recordings))('%s', async (_name, [entries, text]) => {
    const { verdict } = await explained(entries)
    expect(verdict).toMatchObject({ outcome: 'fault', broken: { name, text: expect.stringMatching(text) } })
    expect(verdict.broken?.next).toBeTruthy()
  })
})

describe('a login without a known end', () => {
  it.each(
    Object.entries<[readonly HarEntry[], RegExp]>({
      'a login page after the callback': [
        landed('/', page(3, '/', '', { location: '/login' }), page(4, '/login', '<input type="password">')),
        /showed its own login page \/login/,
      ],
      'a new start after the callback': [
        landed('/', page(3, '/', '', { location: asked({ state: 'another-state-1' }) })),
        /began the login again/,
      ],
      'a call that was refused': [
        landed('/', page(3, '/'), get(4, `${APP}/me`, { status: 401 }, PAGE)),
        /call of \/me \(entry 4\) was answered with 401/,
      ],
      'a page of the callback': [answered({ html: '<p>One moment' }), /“One moment”/],
      'a later page of the server': [
        [start(), entry(3, 'POST', `${ID}/next`, { html: 'Approve on your phone' }, { form: { a: 'b' } })],
        /“Approve on your phone” \(entry 2\)/,
      ],
      'a page of the server, and nothing after it': [
        shown('<title>Sign in</title><p>Sign in to continue</p>'),
        /never came back .*“Sign in to continue”/,
      ],
      'a server that did not answer': [
        [{ ...start(), response: { status: 0, headers: [] } } as unknown as HarEntry],
        /\(entry 1\) got no answer from https:\/\/id\.example/,
      ],
      'a code at the client, and nothing after it': [spa(), /what the client did with it was not seen/],
      'two logins, and a page at last': [[...round(1), ...round(2), page(30, '/')], /(?:)/],
    }),
  )('%s', async (_name, [entries, text]) => {
    const { verdict } = await explained(entries)
    expect(verdict).toMatchObject({ outcome: 'unfinished', open: { lastSeen: expect.stringMatching(text) } })
  })
})

describe('a right login', () => {
  const inside = entry(4, 'POST', `${ID}/login`, { location: back() }, { form: { username: 'a' } })
  const after = [get(5, back(), { location: '/' }), page(6, '/')]
  const silent = { prompt: 'none', state: 'silent-state' }
  const social = asked(
    { redirect_uri: `${ID}/endpoint`, state: 'broker-state-1' },
    'https://social.example/authorize',
  )
  const brokered = `${ID}/endpoint?code=social-code-1&state=broker-state-1`
  it.each(
    Object.entries<readonly HarEntry[]>({
      'with a page of the application after it': landed('/', page(3, '/')),
      'with Kerberos': [
        get(1, asked(), {
          status: 401,
          html: 'Kerberos Unsupported',
          headers: { 'www-authenticate': 'Negotiate' },
        }),
        sent(2),
        ...after,
      ],
      'with a help text about errors': [...shown('If you see access_denied, call us.'), inside, ...after],
      'with a wrong password first': [start(), typed('Invalid username or password.', 2), inside, ...after],
      'with a silent one before': [
        get(0, asked(silent), { location: `${CALLBACK}?error=login_required&state=silent-state` }),
        start(),
        inside,
        ...after,
      ],
      'with an old token before': [
        api(0, { status: 401 }, 'old-token'),
        token(tokens(), {}, 1, { grant_type: 'refresh_token', refresh_token: 'r1-abcdefgh' }),
        api(2, { json: {} }),
      ],
      'with a nonce of DPoP': spa(
        token({ status: 400, json: { error: 'use_dpop_nonce' } }),
        token(tokens(), {}, 5),
      ),
      'with one call that is forbidden': spa(token(tokens()), api(5, { json: {} }), api(6, { status: 403 })),
      'without headers of answers': spa({
        ...token(tokens(), PAGE),
        response: { ...token(tokens()).response, headers: [] },
      }),
      'at a server that lets log in elsewhere': [
        get(1, `${ID}/broker`, { location: social }),
        get(2, social, { location: brokered }),
        get(3, brokered, { location: back() }),
        ...after,
      ],
      'with a call before the token': spa(
        token(tokens({ headers: allowing(APP) }), PAGE),
        get(5, `${APP}/api/me`, { status: 401 }, PAGE),
        api(6, { json: {} }, undefined, PAGE, `${APP}/api/me`),
      ),
      'with a silent renewal by a message': [
        byMessage({ code: CODE }),
        token(tokens({ headers: allowing(APP) }), PAGE),
      ],
      'with two tabs': [
        starting(0, 'tx=1; Path=/; Secure'),
        start(1),
        starting(2, 'tx=2; Path=/; Secure', { state: 'b' }),
        get(3, back(), { location: '/' }, { cookie: 'tx=2' }),
        page(4, '/'),
      ],
      'with two rounds': rounds(2, at => [page(at, '/')]),
    }),
  )('%s', async (_name, entries) => {
    expect((await explained(entries)).verdict.outcome).toBe('right')
  })
})

it('a shop with code and state in its query is no login', async () => {
  const { verdict } = await explained([
    get(1, 'https://shop.example/cart?code=SAVE10&state=CA', { html: '' }),
    get(2, 'https://t.example/p.gif?code=abcdefghijklmn&state=x', {}),
  ])
  expect(verdict.outcome).toBe('nothing')
})
