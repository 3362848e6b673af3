import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Header, header, text } from '../../../../../src/protocol/http/message.js'
import { OAuthError } from '../../../../../src/protocol/oauth/oauth-error.js'
import { byPassword } from '../../../../../src/servers/authorization-server/logins/authentication.js'
import { createConsents } from '../../../../../src/servers/authorization-server/logins/consents.js'
import {
  createSessions,
  MAX_SESSIONS,
  newBrowserSession,
} from '../../../../../src/servers/authorization-server/logins/sessions.js'
import { readResources } from '../../../../../src/servers/authorization-server/parameters/resources.js'
import {
  findResponseType,
  responseModeError,
  responseModeOf,
} from '../../../../../src/servers/authorization-server/parameters/response-type.js'
import { createPushedRequests } from '../../../../../src/servers/authorization-server/stores/pushed-requests.js'
import { forAll } from '../../../../support/for-all.js'
import { browser } from '../../browser.js'
import {
  basic,
  CALLBACK,
  CHALLENGE,
  codeRequest,
  FORM,
  ISSUER,
  json,
  lab,
  numberedRandom,
  query,
  SECRET,
  settings,
} from '../../support.js'

const anyText = fc.string({ unit: 'binary', maxLength: 40 })
const oneOf = (...values: readonly string[]) => fc.oneof(fc.constantFrom(...values), anyText)
const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
/** Requests that are often valid, or wrong in one place. */
const request = fc.record({
  response_type: fc.oneof(
    {
      weight: 9,
      arbitrary: fc.constantFrom('code', 'token', 'id_token', 'id_token token', 'token id_token'),
    },
    { weight: 1, arbitrary: oneOf('code token') },
  ),
  response_mode: seldom(oneOf('query', 'fragment', 'form_post')),
  scope: oneOf('openid', 'openid email', 'openid profile'),
  nonce: oneOf('n'),
  state: anyText,
  prompt: seldom(oneOf('none', 'login', 'consent', 'none login')),
  max_age: seldom(oneOf('0', '1', '99999', '-1', '1e3')),
  login_hint: seldom(anyText),
  id_token_hint: seldom(oneOf('e30.e30.e30', 'e30.e30.')),
  resource: seldom(oneOf('https://api.example/', 'urn:a:b', 'https://api.example/#x', '/relative')),
  dpop_jkt: seldom(oneOf(CHALLENGE)),
  code_challenge: fc.constantFrom(CHALLENGE, 'short', undefined),
  code_challenge_method: fc.constantFrom('S256', 'plain', undefined),
  request_uri: seldom(oneOf('urn:ietf:params:oauth:request_uri:x', 'https://evil.example/')),
  claims: seldom(anyText),
})
type RequestOf<Requests> = Requests extends fc.Arbitrary<infer One> ? One : never

/** A request that is valid. */
const plainRequest: RequestOf<typeof request> = {
  response_type: 'code',
  response_mode: undefined,
  scope: 'openid',
  nonce: 'n',
  state: 's',
  prompt: undefined,
  max_age: undefined,
  login_hint: undefined,
  id_token_hint: undefined,
  resource: undefined,
  dpop_jkt: undefined,
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  request_uri: undefined,
  claims: undefined,
}
/** One of each kind, so that even a short run sees them all. */
const ofEachKind: [typeof plainRequest, boolean][] = [
  [plainRequest, true],
  [{ ...plainRequest, response_type: 'token' }, true],
  [{ ...plainRequest, response_type: 'id_token', nonce: '' }, true],
  [{ ...plainRequest, response_type: 'code token' }, true],
  [{ ...plainRequest, scope: 'nonsense' }, true],
]
const hosts = settings.clients.flatMap(client => client.redirect_uris).map(uri => new URL(uri).hostname)
/** The text as it arrives: lone surrogates cannot be sent. */
const sent = (value: string | undefined) => (value === '' ? undefined : value?.toWellFormed())

it('a session answers every request with a response or an error, and never puts a token into a query', async () => {
  const agent = browser(lab({ responseTypeErrors: 'redirect' }))
  const kinds = new Set<string>()
  const spa = { client_id: 'demo-spa', redirect_uri: CALLBACK }
  const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
  const scope = Object.keys(settings.scopes).join(' ')
  await agent.login(codeRequest({ ...spa, ...pkce, scope }))
  await fc.assert(
    fc.asyncProperty(request, fc.boolean(), async (parameters, good) => {
      const asked = { ...spa, ...parameters, ...(good ? pkce : {}) }
      const response = await agent.authorize(asked)
      expect([200, 302, 400]).toContain(response.status)
      const location = header(response, 'location')
      if (location === undefined) {
        expect(header(response, 'content-type')).toMatch(/^text\/html/)
        return
      }
      expect(location.startsWith(CALLBACK)).toBe(true)
      const { searchParams, hash } = new URL(location)
      const fragment = new URLSearchParams(hash.slice(1))
      for (const name of ['access_token', 'id_token']) expect(searchParams.has(name)).toBe(false)
      const answer = Object.fromEntries([...searchParams, ...fragment])
      expect(searchParams.size === 0 || fragment.size === 0).toBe(true)
      expect(answer.state).toBe(sent(asked.state))
      expect(answer.iss).toBe(ISSUER)
      expect(answer).not.toHaveProperty('refresh_token')
      const type = findResponseType(asked.response_type)
      const wanted =
        type === 'code'
          ? ['code']
          : (type?.split(' ').map(each => each.replace(/^token/, 'access_token')) ?? [])
      const got = ['code', 'access_token', 'id_token'].filter(name => name in answer)
      if (answer.error === undefined) {
        expect(got.sort()).toEqual(wanted.sort())
        kinds.add(wanted.join(' '))
      } else {
        expect(got).toEqual([])
        kinds.add(answer.error)
      }
    }),
    { numRuns: 2000, seed: 20, examples: ofEachKind },
  )
  for (const kind of [
    ...['code', 'access_token', 'invalid_request', 'unsupported_response_type', 'invalid_scope'],
  ]) {
    expect(kinds).toContain(kind)
  }
})

it('/par always answers JSON that is not cached', async () => {
  const { send } = lab()
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(request, fc.boolean(), async (parameters, authenticated) => {
      const form = query({ client_id: 'demo', redirect_uri: CALLBACK, ...parameters })
      const headers = authenticated ? [FORM, basic('demo', SECRET)] : [FORM]
      const response = await send('POST', '/par', headers, form)
      expect([201, 400]).toContain(response.status)
      expect(header(response, 'content-type')).toBe('application/json;charset=UTF-8')
      expect(header(response, 'cache-control')).toBe('no-store')
      expect(Object.keys(json(response))).toContain(response.status === 201 ? 'request_uri' : 'error')
      statuses.add(response.status)
    }),
    {
      numRuns: 1000,
      seed: 20,
      examples: [
        [plainRequest, true],
        [plainRequest, false],
      ],
    },
  )
  expect(statuses).toEqual(new Set([201, 400]))
})

it('/end-session never fails, logs nobody out for noise, and never redirects to a foreign host', async () => {
  const agent = browser(lab())
  await agent.login(codeRequest())
  const name = fc.constantFrom(
    'id_token_hint',
    'client_id',
    'post_logout_redirect_uri',
    'state',
    'csrf',
    'logout',
    'cancel',
  )
  const value = oneOf(
    'demo',
    'other',
    'https://client.example/bye?tenant=a',
    'https://evil.example/',
    'e30.e30.e30',
    'yes',
  )
  const pairs = fc.array(fc.tuple(name, value), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('GET', 'POST'), pairs, async (method, sent) => {
      const form = sent
        .map(pair => pair.map(each => encodeURIComponent(each.toWellFormed())).join('='))
        .join('&')
      const response = await agent.send(
        method,
        method === 'GET' ? `/end-session?${form}` : '/end-session',
        [FORM],
        form,
      )
      expect([200, 302, 400, 403]).toContain(response.status)
      expect(text(response.body)).not.toMatch(/(href|action)="[^"]*evil/)
      const location = header(response, 'location')
      if (location !== undefined) expect(hosts).toContain(new URL(location, ISSUER).hostname)
    }),
    { numRuns: 1000 },
  )
  expect((await agent.authorize(codeRequest())).status).toBe(302)
})

it('resources are distinct absolute URIs without fragment, or the request is refused', async () => {
  const uri = fc.oneof(
    fc.webUrl({ withFragments: true }),
    fc.string(),
    fc.constantFrom('urn:a:b', 'a:', 'http://[', 'x'),
  )
  await forAll(fc.array(uri, { maxLength: 25 }), uris => {
    try {
      const read = readResources(
        uris.map(each => ['resource', each]),
        settings,
      )
      expect(new Set(read).size).toBe(read.length)
      for (const each of read) {
        expect(URL.canParse(each)).toBe(true)
        expect(each).toMatch(/^[\x21\x24-\x7e]+$/)
      }
    } catch (error) {
      expect(error).toBeInstanceOf(OAuthError)
      expect((error as OAuthError).code).toBe('invalid_target')
    }
  })
})

it('a response with a token never goes into the query, for any response_mode', async () => {
  const word = fc.constantFrom('code', 'token', 'id_token', 'none', 'x')
  await forAll(
    fc.array(word, { minLength: 1, maxLength: 4 }),
    fc.option(oneOf('query', 'fragment', 'form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt')),
    fc.boolean(),
    (words, asked, signs) => {
      const request = { responseType: words.join(' '), asked: asked ?? undefined, signs, encrypted: false }
      const { delivery } = responseModeOf(request)
      const holdsToken = words.some(each => each === 'token' || each === 'id_token')
      if (holdsToken && responseModeError(request) === undefined) expect(delivery).not.toBe('query')
      if (holdsToken && !asked?.endsWith('jwt')) expect(delivery).not.toBe('query')
    },
  )
})

it('abandoned sessions and pushed requests take bounded memory, and leave those of others', () => {
  const now = () => 0
  const random = numberedRandom()
  const sessions = createSessions({ lifetime: 1000, isUser: () => true, now, random })
  const pushed = createPushedRequests({ now, random })
  const visit = { method: 'GET', url: ISSUER, headers: [], body: new Uint8Array() }
  const consents = createConsents()
  const start = (username: string) =>
    sessions.start(visit, { username, ...byPassword(0), consents, browser: newBrowserSession(random) })
  const cookie = start('bob').map(([, value]): Header => ['cookie', value.split(';')[0]!])
  for (let i = 0; i < 20_000; i++) {
    start('alice')
    pushed.push('demo', [], 'demo')
  }
  expect(sessions.find({ ...visit, headers: cookie })?.username).toBe('bob')
  expect(sessions.size).toBeLessThanOrEqual(MAX_SESSIONS)
  expect(pushed.size).toBeLessThanOrEqual(10_000)
})
