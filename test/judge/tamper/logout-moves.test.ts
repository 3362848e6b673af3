import { describe, expect, it } from 'vitest'
import { logoutFlow, logoutPlan } from '../../../src/flows/logout.js'
import { moves, whyNotHere } from '../../../src/judge/tamper/moves.js'
import { shapeOf } from '../../../src/judge/tamper/shape.js'
import type { Situation } from '../../../src/judge/tamper/situation.js'
import { tamperedFlow } from '../../../src/judge/tamper/tampered-flow.js'
import { parseForm } from '../../../src/protocol/http/form.js'
import {
  bytes,
  type HttpRequest,
  type HttpResponse,
  jsonResponse,
  redirectResponse,
  splitUrl,
} from '../../../src/protocol/http/message.js'
import type { Client } from '../../../src/protocol/oauth/client.js'
import { collect, demo, outcomeIn, stepsOf, type Tamper, world } from '../../flows/support/world.js'
import { move } from './named-move.js'
import { situationOf, tamperPorts } from './support.js'

const BYE = 'http://127.0.0.1:7000/logged-out'
const leaver: Client = {
  ...demo,
  consent: 'granted',
  post_logout_redirect_uris: ['http://127.0.0.1/logged-out'],
}
const { client_secret: _, ...bare } = leaver
const spa: Client = { ...bare, client_id: 'spa' }

async function run(wrong: string, tamper?: Tamper, more: Partial<Situation> = {}) {
  const here = await world({
    client: leaver,
    otherClients: [spa],
    scope: 'openid',
    wanted: { postLogoutRedirectUri: BYE },
    ...(tamper && { tamper }),
  })
  const situation = situationOf(here.wanted, {
    flow: shapeOf('logout'),
    logoutReturn: BYE,
    other: { clientId: 'spa', auth: 'none' },
    secondUser: 'bob',
    ...more,
  })
  const records = await collect(
    tamperedFlow(tamperPorts(here), here.wanted, move(wrong), situation, {
      plan: logoutPlan,
      run: (tampered, changed) => logoutFlow({ ...here.ports, ...tampered }, changed),
    }),
  )
  return { records, outcome: outcomeIn(records), events: here.events }
}

const isLogout = ({ url }: HttpRequest) => splitUrl(url).path === '/end-session'
const sent = ({ url, body }: HttpRequest) =>
  new Map(parseForm(splitUrl(url).query || new TextDecoder().decode(body)))

const page = (html: string): HttpResponse => ({
  status: 200,
  headers: [['content-type', 'text/html']],
  body: bytes(html),
})

/** A server that sends the browser to any address, and ends no session. */
const openRedirector: Tamper = request =>
  isLogout(request) && sent(request).has('post_logout_redirect_uri')
    ? redirectResponse(
        `${sent(request).get('post_logout_redirect_uri')}?state=${sent(request).get('state') ?? ''}`,
      )
    : undefined

/** A server that says in silence that the session has ended. */
const silent: Tamper = (request, answer) => {
  if (isLogout(request)) return page('<h1>Bye</h1>')
  // After the logout, prompt=none finds no session.
  return answer
}

describe('every wrong logout is refused as expected', () => {
  it.each<[wrong: string, error: string, last: string]>([
    ['unregistered-logout-return', 'invalid_request', 'logout_request'],
    ['logout-without-client', 'invalid_request', 'logout_request'],
    ['logout-as-other-client', 'invalid_request', 'logout_request'],
    ['logout-without-hint', 'asked_first', 'logout_confirmation'],
    ['foreign-logout-hint', 'asked_first', 'logout_confirmation'],
    ['unsigned-logout-hint', 'asked_first', 'logout_confirmation'],
    ['other-user-logout-hint', 'asked_first', 'logout_confirmation'],
    ['altered-logout-state', 'state_mismatch', 'logout_response'],
  ])('%s: %s', async (wrong, error, last) => {
    const { records, outcome } = await run(wrong)
    expect(outcome).toMatchObject({ outcome: 'refused', expected: true, tamper: { move: wrong } })
    expect([outcome.error?.error, stepsOf(records).at(-1)?.name]).toEqual([error, last])
    expect(stepsOf(records).at(-1)?.checks?.at(-1)).toMatchObject({ name: 'tamper', ok: true })
  })

  it('names each move of a logout once', () => {
    const named = moves.filter(({ at }) => at === 'logout_request' || at === 'logout_response')
    expect(named).toHaveLength(8)
  })
})

describe('a wrong logout that is not refused', () => {
  it.each([
    ['unregistered-logout-return', openRedirector, 'a redirect to https://attacker.example/logged-out'],
    ['logout-without-client', openRedirector, 'a return to the address of the request'],
    ['logout-as-other-client', openRedirector, 'a return to the address of the request'],
    [
      'unregistered-logout-return',
      (request: HttpRequest) =>
        isLogout(request)
          ? page(`<p><a id="on" href="${sent(request).get('post_logout_redirect_uri')}">on</a>`)
          : undefined,
      'a redirect to https://attacker.example/',
    ],
  ])('%s is a fault', async (wrong, tamper, found) => {
    const { outcome } = await run(wrong, tamper)
    expect(outcome).toMatchObject({ outcome: 'granted', expected: false, tamper: { found } })
  })

  it.each(['logout-without-hint', 'foreign-logout-hint', 'unsigned-logout-hint', 'other-user-logout-hint'])(
    '%s is a fault where the session ends without a question',
    async wrong => {
      let left = false
      const tamper: Tamper = (request, answer) => {
        left ||= isLogout(request)
        if (isLogout(request)) return redirectResponse(`${BYE}?state=${sent(request).get('state')}`)
        const location = answer.headers.find(([name]) => name === 'location')?.[1]
        return left && location?.includes('code=')
          ? {
              ...answer,
              headers: [['location', location.replace(/code=[^&]*/, 'error=login_required')]],
            }
          : undefined
      }
      const { outcome } = await run(wrong, tamper)
      expect(outcome).toMatchObject({
        outcome: 'granted',
        expected: false,
        tamper: { found: 'the end of the session, without a question' },
      })
    },
  )

  it.each([
    ['unregistered-logout-return', 'the browser is sent nowhere'],
    ['foreign-logout-hint', 'the session goes on'],
  ])('%s harms nobody where it does not count: %s', async (wrong, found) => {
    const { outcome } = await run(wrong, silent)
    expect(outcome).toMatchObject({ outcome: 'refused', expected: true, tamper: { found } })
  })
})

describe('a wrong logout that cannot be made', () => {
  it('has nothing to end where prompt=none shows no session', async () => {
    const noSession: Tamper = (request, answer) => {
      const location = answer.headers.find(([name]) => name === 'location')?.[1]
      return request.url.includes('prompt=none') && location?.includes('code=')
        ? { ...answer, headers: [['location', location.replace(/code=[^&]*/, 'error=login_required')]] }
        : undefined
    }
    const { outcome } = await run('logout-without-hint', (request, answer) =>
      isLogout(request) ? page('<h1>Bye</h1>') : noSession(request, answer),
    )
    expect(outcome).toMatchObject({ outcome: 'failed', error: { error: 'not_here' } })
  })

  it.each([
    ['logout-without-client', { logoutReturn: undefined }, /--post-logout-redirect-uri/],
    ['altered-logout-state', { logoutReturn: undefined }, /--post-logout-redirect-uri/],
    ['foreign-logout-hint', { flow: shapeOf('code') }, /no logout request/],
    ['foreign-logout-hint', { ownBrowser: true }, /your own browser/],
    ['logout-as-other-client', { other: undefined }, /no second client/],
  ])('%s: %j', async (wrong, situation, why) => {
    const { wanted } = await world({ client: leaver })
    const whole = { flow: shapeOf('logout'), logoutReturn: BYE, ...situation }
    expect(whyNotHere(move(wrong), situationOf(wanted, whole as Partial<Situation>))).toMatch(why)
  })

  it('is not made without an id_token', async () => {
    const tamper: Tamper = (request, answer) => {
      if (splitUrl(request.url).path !== '/token') return undefined
      const { id_token: _gone, ...members } = JSON.parse(new TextDecoder().decode(answer.body))
      return jsonResponse(200, { ...members, scope: 'profile' }, [['cache-control', 'no-store']])
    }
    const { outcome } = await run('foreign-logout-hint', tamper)
    expect(outcome).toMatchObject({ outcome: 'failed', error: { error: 'not_here' } })
  })
})
