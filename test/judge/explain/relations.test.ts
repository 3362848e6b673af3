import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { explainSource } from '../../../src/judge/explain/read/explain-source.js'
import { entry, form, type HarEntry, har, jwt, stream } from './recording.js'

const ID = 'https://id.example'
const CALLBACK = 'https://app.example/cb'
const [ONE, TWO] = ['1', '2'].map(n => ({
  verifier: `Vv0123456789abcdefghijklmnopqrstuvwxyzABCDEF${n}`,
  state: `state-of-login-${n}`,
  nonce: `nonce-${n}`,
  code: `code-of-login-${n}`,
})) as [Login, Login]
interface Login {
  readonly verifier: string
  readonly state: string
  readonly nonce: string
  readonly code: string
}
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
const URI = 'urn:ietf:params:oauth:request_uri:abc'

/** A request that is answered with a code, and its callback. */
const login = (
  at: number,
  { verifier, state, nonce, code }: Login,
  server = `${ID}/authorize`,
): HarEntry[] => {
  const landed = `${CALLBACK}?${form({ code, state })}`
  const request = form({
    response_type: 'code',
    client_id: 'web',
    redirect_uri: CALLBACK,
    state,
    nonce,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  })
  return [
    entry(at, 'GET', `${server}?${request}`, { location: landed }),
    entry(at + 1, 'GET', landed, { html: '' }),
  ]
}
const token = (at: number, sent: Readonly<Record<string, string>>, json: object, url = `${ID}/token`) =>
  entry(
    at,
    'POST',
    url,
    { status: 'error' in json ? 400 : 200, json },
    { form: { client_id: 'web', ...sent } },
  )
const redeem = (at: number, { code, verifier }: Login, json: object, url?: string) =>
  token(
    at,
    { grant_type: 'authorization_code', redirect_uri: CALLBACK, code, code_verifier: verifier },
    json,
    url,
  )
const refresh = (at: number, json: object, more: Readonly<Record<string, string>> = {}, url?: string) =>
  token(at, { grant_type: 'refresh_token', refresh_token: 'refresh-1', ...more }, json, url)
const poll = (at: number, json: object, more: Readonly<Record<string, string>> = {}) =>
  token(at, { grant_type: DEVICE, device_code: 'device-code-1', ...more }, json)
const asks = entry(
  0,
  'POST',
  `${ID}/device`,
  { json: { device_code: 'device-code-1', interval: 5 } },
  { form: { client_id: 'web' } },
)
const pushed = entry(
  0,
  'POST',
  `${ID}/par`,
  { status: 201, json: { request_uri: URI, expires_in: 60 } },
  {
    form: { response_type: 'code', client_id: 'web', redirect_uri: CALLBACK, state: ONE.state, nonce: 'n' },
  },
)
const uses = (at: number, answer: Parameters<typeof entry>[3], client = 'web') =>
  entry(at, 'GET', `${ID}/authorize?${form({ client_id: client, request_uri: URI })}`, answer)
const [TOKENS, NO] = [{ access_token: 'opaque-token-1', token_type: 'Bearer' }, { error: 'invalid_grant' }]
const idToken = (nonce: string) => jwt({ iss: ID, aud: 'web', sub: 'a', exp: 4e9, nonce })
const REFUSED = { status: 400, html: 'invalid_request_uri' }

describe('exchanges that do not belong together', () => {
  it.each(
    Object.entries<[readonly HarEntry[], string, RegExp]>({
      'a device_code after its tokens': [
        [asks, poll(6, TOKENS), poll(12, NO)],
        'device-code-reused',
        /in entry 2/,
      ],
      'a device_code of another client': [
        [asks, poll(6, NO, { client_id: 'tv' })],
        'client-differs',
        /issued to the client web, and tv/,
      ],
      'a refresh token of another client': [
        [redeem(0, ONE, { ...TOKENS, refresh_token: 'refresh-1' }), refresh(9, NO, { client_id: 'tv' })],
        'client-differs',
        /to the client web/,
      ],
      'a refresh token at another server': [
        [
          redeem(0, ONE, { ...TOKENS, refresh_token: 'refresh-1' }),
          refresh(9, NO, {}, 'https://else.example/token'),
        ],
        'code-elsewhere',
        /sent to https:\/\/else\.example/,
      ],
      'a refresh token twice at once': [
        [refresh(0, { ...TOKENS, refresh_token: 'refresh-2' }), refresh(0.1, NO)],
        'refresh-token-reused',
        /in entry 1/,
      ],
      'a request_uri twice': [
        [
          pushed,
          uses(1, { location: `${CALLBACK}?${form({ code: ONE.code, state: ONE.state })}` }),
          uses(9, REFUSED),
        ],
        'request-uri-reused',
        /in entry 2/,
      ],
      'a request_uri that is late': [
        [pushed, uses(100, REFUSED)],
        'request-uri-late',
        /100 s, and was good for 60 s/,
      ],
      'a request_uri of another client': [
        [pushed, uses(1, REFUSED, 'tv')],
        'client-differs',
        /web pushed the request, and tv/,
      ],
      'a code at another server': [
        [...login(1, ONE), redeem(3, ONE, NO, 'https://else.example/token')],
        'code-elsewhere',
        /another server/,
      ],
      'a code at another realm': [
        [
          ...login(1, ONE, `${ID}/realms/a/protocol/auth`),
          redeem(3, ONE, NO, `${ID}/realms/b/protocol/token`),
        ],
        'code-elsewhere',
        /another tenant or realm/,
      ],
      'the nonce of another login': [
        [...login(1, ONE), ...login(3, TWO), redeem(5, TWO, { ...TOKENS, id_token: idToken(ONE.nonce) })],
        'nonce-differs',
        /that of another login \(entry 1\)/,
      ],
      'the verifier of another login': [
        [...login(1, ONE), ...login(3, TWO), redeem(5, { ...ONE, verifier: TWO.verifier }, NO)],
        'verifier-differs',
        /that of another login \(entry 3\)/,
      ],
      'an ID token at an API': [
        [
          ...login(1, ONE),
          redeem(3, ONE, { ...TOKENS, id_token: idToken(ONE.nonce) }),
          entry(
            5,
            'GET',
            'https://api.example/',
            { status: 401 },
            { headers: { authorization: `Bearer ${idToken(ONE.nonce)}` } },
          ),
        ],
        'id-token-sent',
        /in place of the access token/,
      ],
      'an issuer of another site': [
        JSON.parse(
          JSON.stringify(login(1, ONE)).replaceAll('code=code', 'iss=https%3A%2F%2Fevil.test&code=code'),
        ),
        'iss-differs',
        /evil\.test/,
      ],
    }),
  )('%s', async (_name, [entries, name, text]) => {
    const { verdict } = await explainSource(stream(har([...entries])), 'x.har')
    expect(verdict.broken).toMatchObject({
      name,
      text: expect.stringMatching(text),
      next: expect.any(String),
    })
  })

  it('tells an ID token at an API once', async () => {
    const sent = { authorization: `Bearer ${idToken(ONE.nonce)}` }
    const call = entry(5, 'GET', 'https://api.example/', { status: 401 }, { headers: sent })
    const entries = [redeem(3, ONE, { ...TOKENS, id_token: idToken(ONE.nonce) }), call]
    const { flows } = await explainSource(stream(har(entries)), 'x.har')
    const findings = flows.flatMap(each => each.findings)
    expect(findings.filter(({ name }) => name === 'id-token-sent')).toHaveLength(1)
  })

  it.each([
    ['nonce', 'nonce-reused'],
    ['verifier', 'challenge-reused'],
  ] as const)('a %s of two logins', async (part, name) => {
    const entries = [...login(1, ONE), ...login(90, { ...TWO, [part]: ONE[part] })]
    const { flows } = await explainSource(stream(har(entries)), 'x.har')
    expect(flows[1]?.findings).toMatchObject([{ name, severity: 'weakness' }])
  })

  it('a code of Google goes to another host', async () => {
    const entries = [
      ...login(1, ONE, 'https://accounts.google.com/auth'),
      redeem(3, ONE, NO, 'https://oauth2.googleapis.com/token'),
    ]
    const { verdict } = await explainSource(stream(har(entries)), 'x.har')
    expect(verdict.broken?.name).toBe('request-refused')
  })
})

describe('no conversation', () => {
  it.each<[string, HarEntry]>([
    [
      'a coupon',
      entry(0, 'POST', 'https://shop.example/cart', {}, { form: { code: 'SUMMER2026SALE', state: 'CA' } }),
    ],
    ['a search', entry(0, 'GET', 'https://shop.example/products?code=4006381333931&state=available')],
    [
      'a tracker',
      entry(0, 'POST', 'https://t.example/collect?client_id=1.2&code=abcdefghijklmnop&state=xyz12345&v=2'),
    ],
    [
      'a response_type of others',
      entry(0, 'POST', 'https://t.example/collect?client_id=1&response_type=image'),
    ],
    ['a list of issues', entry(0, 'GET', 'https://api.example/issues?state=open&code=abcdefghijklmnop1')],
    ['an error of a shop', entry(0, 'GET', 'https://shop.example/?error=not_found&state=NY')],
    ['the key of a map', entry(0, 'GET', 'https://map.example/v1?access_token=pk.abcdefghij')],
    [
      'a payment',
      entry(
        0,
        'POST',
        'https://pay.example/intents',
        {},
        { form: { client_secret: 'pi_1', code: 'x', client_id: 'a' } },
      ),
    ],
    ['a picture', entry(0, 'GET', 'https://cdn.example/oauth/logo.svg?code=abcdefghijklmnop&state=xyz12345')],
  ])('%s', async (_name, only) => {
    const { flows } = await explainSource(stream(har([only])), 'x.har')
    expect(flows).toEqual([])
  })
})
