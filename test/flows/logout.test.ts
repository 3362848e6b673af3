import { describe, expect, it } from 'vitest'
import { logoutFlow } from '../../src/flows/logout.js'
import type { FlowOptions } from '../../src/flows/options.js'
import type { FlowRecord } from '../../src/flows/step.js'
import { parseForm } from '../../src/protocol/http/form.js'
import {
  bytes,
  type HttpResponse,
  header,
  jsonResponse,
  redirectResponse,
  splitUrl,
} from '../../src/protocol/http/message.js'
import type { Client } from '../../src/protocol/oauth/client.js'
import { page } from '../support/ask.js'
import {
  collect,
  demo,
  expectRefused,
  ISSUER,
  outcomeIn,
  RESOURCE,
  stepOf,
  stepsOf,
  type Tamper,
  world,
} from './support/world.js'

const BYE = 'http://127.0.0.1:7000/logged-out'
const client: Client = {
  ...demo,
  consent: 'granted',
  post_logout_redirect_uris: ['http://127.0.0.1/logged-out'],
}

async function walk(
  wanted: Partial<FlowOptions> = {},
  { tamper, as = client }: { readonly tamper?: Tamper; readonly as?: Client } = {},
) {
  const at = await world({
    client: as,
    scope: 'openid',
    wanted: { postLogoutRedirectUri: BYE, ...wanted },
    ...(tamper && { tamper }),
  })
  return { ...at, records: await collect(logoutFlow(at.ports, at.wanted)) }
}

const names = (records: readonly FlowRecord[]) => stepsOf(records).map(({ name }) => name)
const checkOf = (records: readonly FlowRecord[], step: Parameters<typeof stepOf>[1], name: string) =>
  stepOf(records, step).checks?.find(each => each.name === name)
const isAt =
  (path: string, method = 'GET') =>
  (request: { url: string; method: string }) =>
    request.method === method && splitUrl(request.url).path === path

const isPush = (step: { exchange?: { request: { url: string } } }) =>
  step.exchange !== undefined && splitUrl(step.exchange.request.url).path === '/par'
const isCookie = ([name]: readonly [string, string]) => name === 'set-cookie'

const moved = (status: number, location: string): HttpResponse => ({
  status,
  headers: [['location', location]],
  body: bytes(''),
})

const relocated = (answer: HttpResponse, change: (location: string) => string): HttpResponse => ({
  ...answer,
  headers: answer.headers.map(([name, value]) => [name, name === 'location' ? change(value) : value]),
})

/** Answers prompt=none with a code after the logout too, as a server that keeps the session. */
function keepsSession(tamper: Tamper): Tamper {
  return async (request, answer) => {
    const location = header(answer, 'location')
    if (isAt('/authorization')(request) && location?.includes('error=login_required')) {
      return relocated(answer, to => to.replace(/error=[^&]*(&error_[^&]*)*/, 'code=again'))
    }
    return tamper(request, answer)
  }
}

/** Answers the logout request in another way. */
const onLogout =
  (change: (...args: Parameters<Tamper>) => HttpResponse | undefined): Tamper =>
  (request, answer) =>
    isAt('/end-session')(request) ? change(request, answer) : undefined

describe('logoutFlow', () => {
  it('logs in, shows the session, logs out, comes back, and shows what did and what did not end', async () => {
    const { records, events } = await walk({ resource: `${RESOURCE}/resource` })
    expect(outcomeIn(records)).toEqual({ type: 'outcome', outcome: 'granted', logged_out: true })
    expect([...new Set(names(records))].slice(5)).toEqual([
      ...['keys_request', 'userinfo_request', 'session_check', 'logout_request', 'logout_response'],
      ...['ended_session_check', 'surviving_token_request', 'surviving_refresh_request'],
    ])
    const { exchange, checks } = stepOf(records, 'logout_request')
    const sent = parseForm(splitUrl(exchange?.request.url ?? '').query)
    const parameters = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state']
    expect(sent.map(([name]) => name)).toEqual(parameters)
    expect(checks?.every(({ ok }) => ok)).toBe(true)
    expect(checkOf(records, 'session_check', 'session')).toMatchObject({ ok: true })
    expect(checkOf(records, 'logout_response', 'state')).toMatchObject({ ok: true })
    expect(stepOf(records, 'logout_response').exchange?.response?.status).toBe(200)
    const ended = checkOf(records, 'ended_session_check', 'session_ended')
    expect(ended).toMatchObject({ ok: true, detail: 'login_required' })
    expect(stepOf(records, 'surviving_token_request').note).toMatch(/^did not end/)
    expect(stepOf(records, 'surviving_refresh_request').note).toMatch(/^did not end.*revoke/)
    expect(events.map(({ type }) => type)).toContain('session.ended')
  })

  it('without an ID token the server asks, and the browser answers', async () => {
    const { records } = await walk({ sendsHint: false })
    expect(outcomeIn(records)).toMatchObject({ logged_out: true })
    expect(stepOf(records, 'logout_request').note).toBe('asks “Log out?”: presses “Log out”')
    expect(checkOf(records, 'logout_request', 'id_token_hint')).toMatchObject({ ok: false, advice: true })
    expect(stepOf(records, 'logout_confirmation').exchange?.request.method).toBe('POST')
  })

  it('by POST, whose cookies a browser leaves out, the server redirects to itself', async () => {
    const { records } = await walk({ logoutMethod: 'POST' })
    expect(outcomeIn(records)).toMatchObject({ logged_out: true })
    const [posted, redirected] = stepsOf(records).filter(({ name }) => name === 'logout_request')
    expect(posted?.exchange?.request).toMatchObject({ method: 'POST', url: `${ISSUER}/end-session` })
    // The other cookie is for a frame of other sites (Session Management).
    expect(header(posted!.exchange!.request, 'cookie')).not.toContain('session=')
    expect(header(redirected!.exchange!.request, 'cookie')).toContain('session=')
  })

  it.each([307, 308])('sends the form of a POST on, as %i says', async status => {
    const tamper: Tamper = request =>
      isAt('/end-session', 'POST')(request) && !request.url.includes('?')
        ? moved(status, '/end-session?moved=yes')
        : undefined
    const { records } = await walk({ logoutMethod: 'POST' }, { tamper })
    expect(outcomeIn(records)).toMatchObject({ logged_out: true })
    const [first, second, third] = stepsOf(records).filter(({ name }) => name === 'logout_request')
    expect([first?.repeats, second?.repeats, third?.repeats]).toEqual([true, true, undefined])
    const { body } = first!.exchange!.request
    expect(body).toContain('id_token_hint=')
    const url = `${ISSUER}/end-session?moved=yes`
    expect(second?.exchange?.request).toMatchObject({ method: 'POST', url, body })
    // The page with the form is still one of another site.
    expect(header(second!.exchange!.request, 'cookie') ?? '').not.toContain('session=')
    expect(third?.exchange?.request.method).toBe('GET')
  })

  it('sends the form of the question on to the client, whose listener reads the state of the address', async () => {
    const tamper: Tamper = (request, answer) =>
      isAt('/end-session', 'POST')(request) ? { ...answer, status: 307 } : undefined
    const { records } = await walk({ sendsHint: false }, { tamper })
    expect(outcomeIn(records)).toMatchObject({ logged_out: true })
    const { exchange, note } = stepOf(records, 'logout_response')
    expect(exchange?.request).toMatchObject({ method: 'POST', body: expect.stringContaining('csrf=') })
    expect(exchange?.response?.status).toBe(200)
    expect(note).toBe('the redirect has the form sent to the client as well')
  })

  it.each([
    ['on and on', '/end-session', /redirects more than 10 times/],
    ['on in the clear', 'http://lab.test/end-session', /in the clear \(307\)/],
  ])('refuses to send the form %s', async (_, location, why) => {
    const tamper: Tamper = request =>
      isAt('/end-session', 'POST')(request) ? moved(307, location) : undefined
    const { records } = await walk({ logoutMethod: 'POST' }, { tamper })
    expectRefused(records, 'invalid_response')
    expect(outcomeIn(records).error?.error_description).toMatch(why)
  })

  it('names the person and the languages where it is asked to', async () => {
    const { records } = await walk({ logoutHint: 'alice', logoutLocales: 'de-CH de' })
    expect(outcomeIn(records)).toMatchObject({ logged_out: true })
    const sent = parseForm(splitUrl(stepOf(records, 'logout_request').exchange!.request.url).query)
    expect(Object.fromEntries(sent)).toMatchObject({ logout_hint: 'alice', ui_locales: 'de-CH de' })
    expect(checkOf(records, 'logout_request', 'logout_hint')).toMatchObject({ ok: true, detail: 'alice' })
    expect(checkOf(records, 'logout_request', 'ui_locales')).toMatchObject({ ok: true, detail: 'de-CH de' })
  })

  it('loads the frames of the logout page, and goes on by its link', async () => {
    const redirect_uris = [...client.redirect_uris, `${RESOURCE}/cb`]
    const as = { ...client, redirect_uris, frontchannel_logout_uri: `${RESOURCE}/out` }
    const { records } = await walk({}, { as })
    expect(outcomeIn(records)).toMatchObject({ logged_out: true })
    const frame = stepOf(records, 'frontchannel_logout')
    expect(frame.exchange?.request.url).toMatch(/\/out\?iss=https%3A%2F%2Flab\.test&sid=/)
    // The resource server has no such page.
    expect(frame.checks).toMatchObject([{ name: 'frame', ok: false, advice: true }])
    expect(stepOf(records, 'logout_response').note).toBe('the logout page leads on')
  })

  it('without a return address the logout page is the end', async () => {
    const at = await world({ client, scope: 'openid' })
    const records = await collect(logoutFlow(at.ports, at.wanted))
    expect(outcomeIn(records)).toMatchObject({ logged_out: true })
    expect(names(records)).not.toContain('logout_response')
    expect(stepOf(records, 'logout_request').note).toBe('the page “You are logged out”')
  })

  it('pushes the requests of a client that pushes', async () => {
    const { records } = await walk({ push: true })
    expect(outcomeIn(records)).toMatchObject({ logged_out: true })
    expect(stepsOf(records).filter(isPush)).toHaveLength(3)
  })

  it('says that a refresh token ended with the session', async () => {
    const as = { ...client, backchannel_logout_uri: 'https://web.example/out' }
    const tamper: Tamper = (request, _answer) =>
      isAt('/token', 'POST')(request) && new TextDecoder().decode(request.body).includes('refresh_token=')
        ? jsonResponse(400, { error: 'invalid_grant' })
        : undefined
    const { records } = await walk({}, { as, tamper })
    expect(stepOf(records, 'surviving_refresh_request').note).toMatch(/^ended with the session/)
  })

  const rule = 'OpenID Connect RP-Initiated Logout §2'
  const reason = '<h1>Why?</h1><form method="post"><input name="reason"><button>Log out</button></form>'
  const elsewhere = 'http://127.0.0.1:7000/elsewhere'
  it.each(
    Object.entries<[tamper: Tamper, error: string, last: string, wanted?: Partial<FlowOptions>]>({
      'an address that is not registered': [
        () => undefined,
        'invalid_request',
        'logout_request',
        { postLogoutRedirectUri: elsewhere },
      ],
      'another state': [
        onLogout((_, answer) => relocated(answer, to => to.replace(/state=[^&]*/, 'state=other'))),
        'state_mismatch',
        'logout_response',
      ],
      'a return without the state': [
        onLogout((_, answer) => relocated(answer, to => to.replace(/\?.*/, ''))),
        'state_mismatch',
        'logout_response',
      ],
      'a session that goes on': [
        keepsSession(
          onLogout(({ url }) => redirectResponse(`${BYE}?state=${new URL(url).searchParams.get('state')}`)),
        ),
        'still_logged_in',
        'ended_session_check',
      ],
      'a form that this program cannot answer': [
        onLogout(() => page(reason)),
        'unknown_page',
        'logout_request',
      ],
      'an answer that is no page': [
        onLogout(() => jsonResponse(500, { error: 'server_error' })),
        'server_error',
        'logout_request',
      ],
      'a redirect without end': [
        onLogout(() => redirectResponse('/end-session')),
        'invalid_response',
        'logout_request',
      ],
    }),
  )('refuses %s', async (_, [tamper, error, last, wanted]) => {
    const { records } = await walk(wanted, { tamper })
    expectRefused(records, error, error === 'invalid_response' ? 'RFC 9110 §15.4' : rule)
    expect(names(records).at(-1)).toBe(last)
  })

  it.each([
    ['no end_session_endpoint', undefined, 'is missing'],
    ['an endpoint in the clear', 'http://lab.test/end-session', 'is not https'],
  ])('refuses %s before anybody logs in', async (_, endpoint, why) => {
    const at = await world({ client, scope: 'openid' })
    const { end_session_endpoint: _old, ...metadata } = at.wanted.metadata
    const changed = endpoint === undefined ? metadata : { ...metadata, end_session_endpoint: endpoint }
    const records = await collect(logoutFlow(at.ports, { ...at.wanted, metadata: changed }))
    expect(records).toHaveLength(1)
    expect(outcomeIn(records).error).toMatchObject({
      error: 'invalid_metadata',
      error_description: expect.stringContaining(why),
      rule: 'OpenID Connect RP-Initiated Logout §2.1',
    })
  })

  it('reports a server that does not bring the browser back, and goes on', async () => {
    const tamper = onLogout((_, answer) => ({
      ...page('<h1>Bye</h1>'),
      headers: [...page('').headers, ...answer.headers.filter(isCookie)],
    }))
    const { records } = await walk({}, { tamper })
    expect(outcomeIn(records)).toMatchObject({ logged_out: true })
    expect(checkOf(records, 'logout_response', 'return')).toMatchObject({ ok: false, advice: true })
  })

  it('does not log in again where the server shows its form in spite of prompt=none', async () => {
    const form =
      '<form method="post"><input name="u"><input type="password" name="p"><button>Go</button></form>'
    const tamper: Tamper = (request, answer) =>
      isAt('/authorization')(request) && header(answer, 'location')?.includes('login_required')
        ? page(form)
        : undefined
    const { records, events } = await walk({}, { tamper })
    expect(outcomeIn(records)).toMatchObject({ logged_out: true })
    const ended = checkOf(records, 'ended_session_check', 'session_ended')
    expect(ended).toMatchObject({ ok: false, advice: true, rule: 'OpenID Connect Core §3.1.2.6' })
    expect(events.filter(({ type }) => type === 'login.succeeded')).toHaveLength(1)
  })
})
