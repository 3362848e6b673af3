import { generateKeyPairSync, hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { entry, form, type HarEntry, jwt } from './recording.js'

export const [APP, ID, API] = ['https://app.example', 'https://id.example', 'https://api.example/a']
export const [AUTHORIZE, TOKEN, CALLBACK] = [`${ID}/authorize`, `${ID}/token`, `${APP}/cb`]
export const VERIFIER = 'Vv0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'
export const [STATE, CODE] = ['k3Vq9sTzYb71LmNwPd4R', 'SplxlOBeZQQYbYS6WxSbIA']
export const PAGE = { origin: APP, 'sec-fetch-mode': 'cors', 'user-agent': 'Mozilla/5.0' }
export const FRAME = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }
export const tokenForm = {
  grant_type: 'authorization_code',
  client_id: 'web',
  redirect_uri: CALLBACK,
  code: CODE,
  code_verifier: VERIFIER,
}
const login = {
  response_type: 'code',
  client_id: 'web',
  redirect_uri: CALLBACK,
  state: STATE,
  nonce: 'n-0S6_WzA2Mj',
  code_challenge: hash('sha256', VERIFIER, 'base64url'),
  code_challenge_method: 'S256',
}

type Headers = Readonly<Record<string, string>>
type Answer = Parameters<typeof entry>[3]

export const get = (at: number, url: string, answer?: Answer, headers: Headers = {}) =>
  entry(at, 'GET', url, answer, { headers })
export const asked = (more: Headers = {}, at = AUTHORIZE) => `${at}?${form({ ...login, ...more })}`
export const back = (state = STATE, code = CODE, to = CALLBACK) => `${to}?${form({ code, state })}`
export const setting = (cookie: string) => ({ 'set-cookie': cookie })
export const allowing = (origin: string, more: Headers = {}) => ({
  'access-control-allow-origin': origin,
  ...more,
})
/** The application sends the browser to log in, and sets a cookie. */
export const starting = (at: number, cookie: string, more: Headers = {}) =>
  get(at, `${APP}/login`, { location: asked(more), headers: setting(cookie) })
/** The server sends the browser back with a code. */
export const sent = (at = 1, to = CALLBACK) =>
  get(at, asked({ redirect_uri: to }), { location: back(STATE, CODE, to) })
export const start = (at = 1) => get(at, asked(), { html: '<form>' })
export const shown = (html: string, status = 200) => [get(1, asked(), { status, html })]
export const typed = (html: string, at = 4) =>
  entry(at, 'POST', `${ID}/login?x`, { html }, { form: { username: 'a' } })
export const page = (at: number, path: string, html = '<h1>Hello</h1>', more: object = {}) =>
  get(at, `${APP}${path}`, { html, ...more })
/** A login whose callback gets an answer, and what comes after it. */
export const answered = (answer: Answer, ...later: readonly HarEntry[]) => [
  sent(),
  get(2, back(), answer),
  ...later,
]
export const landed = (to: string, ...pages: readonly HarEntry[]) => answered({ location: to }, ...pages)
export const spa = (...later: readonly HarEntry[]) => answered({ html: '<div id=root>' }, ...later)
export const token = (answer: Answer, headers: Headers = {}, at = 4, body: string | Headers = tokenForm) =>
  entry(at, 'POST', TOKEN, answer, { form: body, headers })
export const refusedToken = (status: number, answer: Answer) => spa(token({ status, ...answer }))
export const tokens = (more: object = {}) => ({
  json: { access_token: 'opaque-token-1', token_type: 'Bearer' },
  ...more,
})
export const api = (
  at: number,
  answer: Answer,
  bearer = 'opaque-token-1',
  headers: Headers = {},
  url = API,
) => get(at, url, answer, { authorization: `Bearer ${bearer}`, ...headers })
export const preflight = (status: number, headers: Headers, asks: Headers = {}, url = TOKEN, at = 3) =>
  entry(
    at,
    'OPTIONS',
    url,
    { status, headers },
    { headers: { origin: APP, 'access-control-request-method': 'POST', ...asks } },
  )
export const TRACED = { 'access-control-request-headers': 'content-type,sentry-trace' }
/** As Chrome writes a preflight: with pseudo headers and its own members. */
export const byChrome = (plain: HarEntry): HarEntry => ({
  ...plain,
  _resourceType: 'preflight',
  _initiator: { type: 'preflight' },
  request: {
    ...plain.request,
    headers: [
      { name: ':method', value: 'OPTIONS' },
      { name: ':path', value: '/token' },
      ...plain.request.headers,
      { name: 'sec-fetch-mode', value: 'cors' },
    ],
  },
})
export const unsent = (error = 'net::ERR_FAILED'): HarEntry => {
  const blocked = token({ status: 0 }, PAGE)
  blocked.response._error = error
  return blocked
}
/** Logins in a row that nobody types anything in. */
export const rounds = (count: number, pages: (at: number) => readonly HarEntry[]) =>
  Array.from({ length: count }, (_, i) => i * 5).flatMap(at => {
    const url = back(`state-${at}-abcdef`, `code-${at}-abcdefgh`)
    return [
      get(at, asked({ state: `state-${at}-abcdef`, nonce: `n-${at}` }), { location: url }),
      get(at + 1, url, { location: '/', headers: setting(`sid=${at}; Path=/; HttpOnly`) }),
      ...pages(at + 2),
    ]
  })
export const withCookie = (at: number, path: string, answer: Answer, headers: Headers = {}) =>
  get(at, `${APP}${path}`, answer, { cookie: `sid=${at - 2}`, ...headers })
/** A round of a login that does not hold: page, server, callback, page again. */
export function round(n: number, headers: Record<string, string> = {}, home = `${APP}/`): HarEntry[] {
  const begin = asked({ state: `${STATE}${n}` })
  const end = back(`${STATE}${n}`, `${CODE}${n}`)
  return [
    get(n * 4, home, { location: begin }),
    get(n * 4 + 1, begin, { location: end }),
    get(n * 4 + 2, end, { location: home, headers }),
  ]
}
/** The callback is refused, after a page of the application has set a cookie. */
export const refused = (cookie: string, headers: Headers = {}, from = `${APP}/login`, to = CALLBACK) => [
  get(0, from, { location: asked({ redirect_uri: to }), headers: setting(cookie) }),
  sent(1, to),
  get(2, back(STATE, CODE, to), { status: 400, html: 'no state' }, headers),
]
export const compressed = token({ status: 400 })
compressed.response.content = {
  mimeType: 'application/json',
  size: 40,
  encoding: 'base64',
  text: gzipSync('{"error":"invalid_grant","error_description":"spent"}').toString('base64'),
}
export const challenge = (made: string) => [
  get(1, asked({ code_challenge: made }), { location: back() }),
  get(2, back(), { html: '' }),
  token({ status: 400, json: { error: 'invalid_grant' } }),
]
/** A whole login, whose ID token has a signature by nobody. */
export function wrongKeys(): HarEntry[] {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const metadata = {
    issuer: ID,
    authorization_endpoint: AUTHORIZE,
    token_endpoint: TOKEN,
    jwks_uri: `${ID}/jwks`,
  }
  const iat = Date.parse('2026-03-01T10:00:00Z') / 1000
  const claims = { iss: ID, aud: 'web', sub: 'a', nonce: login.nonce, iat, exp: iat + 3600 }
  const signature = Buffer.alloc(256, 7).toString('base64url')
  const id_token = jwt(claims).replace(/[^.]*$/, signature)
  return [
    get(0, `${ID}/.well-known/openid-configuration`, { json: metadata }),
    get(0, `${ID}/jwks`, {
      json: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key-1', alg: 'RS256' }] },
    }),
    ...spa(token({ json: { ...tokens().json, id_token } })),
  ]
}
