import { describe, expect, it } from 'vitest'
import type { ApprovalTask } from '../../src/client/authentication-device.js'
import type { Notifications, Ping } from '../../src/client/notifications.js'
import type { FlowOptions } from '../../src/flows/options.js'
import type { AllPorts } from '../../src/flows/ports.js'
import type { BackchannelWish } from '../../src/flows/requests/backchannel-wish.js'
import { type HttpResponse, jsonResponse } from '../../src/protocol/http/message.js'
import { decodeJwt } from '../../src/protocol/tokens/decode.js'
import { recorded } from './support/network.js'
import { expectRefused, stepOf, stepsOf } from './support/records.js'
import {
  checkOf,
  formOf,
  issued,
  refused,
  type Script,
  scriptedOptions,
  token,
  walk,
} from './support/scripted.js'

const acknowledged = { auth_req_id: '1c266114-a1be-4252-8ad1-04986c5b9ac1', expires_in: 120, interval: 7 }
const [pending, slow] = [refused('authorization_pending'), refused('slow_down')]
const ID_RULE = 'OpenID Connect CIBA Core §7.3'
const granted = (members: object = {}) => issued({ id_token: token(), ...members })

interface More {
  readonly members?: object
  readonly wish?: Partial<BackchannelWish>
  readonly wanted?: Partial<FlowOptions>
  readonly script?: Script
  readonly tasks?: ApprovalTask[]
  readonly ports?: Partial<AllPorts>
}

/** Walks the flow against a scripted server; a device that records its tasks. */
const asking = (
  answers: readonly HttpResponse[],
  { members = {}, wish, wanted, script, tasks = [], ports }: More = {},
) =>
  walk('ciba', {
    script: {
      'POST /b': jsonResponse(200, { ...acknowledged, ...members }),
      'POST /t': answers,
      'GET /u': jsonResponse(200, { sub: 'alice' }),
      ...script,
    },
    wanted: {
      scope: 'openid',
      metadata: { ...scriptedOptions.metadata, backchannel_authentication_endpoint: 'https://as.test/b' },
      backchannel: { hint: { name: 'login_hint', value: 'alice' }, ...wish },
      ...wanted,
    },
    ports: {
      authenticationDevice: {
        async *decide(task) {
          tasks.push(task)
          yield { name: 'approval_page' as const }
          yield { name: 'approval' as const, note: 'decided' }
        },
      },
      ...ports,
    },
  })

/** Notifications that come, or do not; and the calls of the flow. */
function endpoint(ping: Ping | undefined, refused = 0): { notifications: Notifications; calls: unknown[] } {
  const calls: unknown[] = []
  const notifications: Notifications = {
    expectToken: token => calls.push(['token', token]),
    expectRequest: id => calls.push(['request', id]),
    receive: async patience => {
      calls.push(['receive', patience])
      return ping
    },
    refused: () => refused,
  }
  return { notifications, calls }
}

const PING: Ping = {
  exchange: recorded(
    { method: 'POST', url: 'https://localhost:9443/ping', headers: [], body: new Uint8Array() },
    { status: 204, headers: [], body: new Uint8Array() },
  ),
  checks: [{ name: 'bearer', ok: true, rule: 'OpenID Connect CIBA Core §9' }],
}

describe('a client that is pinged', () => {
  const wish = { notificationEndpoint: 'https://localhost:9443/ping' }

  it('sends a fresh token, waits for the notification, and asks once', async () => {
    const { notifications, calls } = endpoint(PING)
    const { sent, records, outcome, waits } = await asking([granted()], { wish, ports: { notifications } })
    expect(outcome.outcome).toBe('granted')
    const { client_notification_token: token = '' } = formOf(sent[0]!)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(calls).toEqual([
      ['token', token],
      ['request', acknowledged.auth_req_id],
      ['receive', 7000],
    ])
    expect(waits).toEqual([])
    expect(stepsOf(records).map(({ name, n }) => `${n} ${name}`)).toEqual([
      '1 backchannel_authentication_request',
      '2 approval_page',
      '3 approval',
      '4 ping_callback',
      '5 token_request',
      '6 keys_request',
      '7 userinfo_request',
    ])
    expect(stepOf(records, 'ping_callback')).toMatchObject({
      from: 'authorization_server',
      to: 'client',
      title: 'POST /ping',
    })
  })

  it('polls where no notification comes, and says what it refused', async () => {
    const { notifications } = endpoint(undefined, 2)
    const { records, outcome, waits } = await asking([pending, granted()], { wish, ports: { notifications } })
    expect(outcome.outcome).toBe('granted')
    expect(waits).toEqual([7000, 7000])
    expect(stepOf(records, 'ping_callback').note).toBe('none within 7 s: the client polls')
    expect(checkOf(records, 'ping_callback', 'foreign_pings')).toMatchObject({
      ok: false,
      detail: '2 refused',
    })
  })

  it('goes on polling after a notification that came before the decision', async () => {
    const { notifications } = endpoint(PING)
    const { outcome, waits } = await asking([pending, granted()], { wish, ports: { notifications } })
    expect(outcome.outcome).toBe('granted')
    expect(waits).toEqual([7000])
  })

  it.each([
    ['nobody answers', { decision: 'ignore' as const }, {}],
    ['nobody here knows when', {}, { authenticationDevice: undefined }],
  ])('waits half the life of the request where %s', async (_why, more, ports) => {
    const { notifications, calls } = endpoint(PING)
    await asking([granted()], { wish: { ...wish, ...more }, ports: { notifications, ...ports } as never })
    expect(calls.at(-1)).toEqual(['receive', 60_000])
  })

  it('polls where the endpoint is on another computer', async () => {
    const { records, outcome, waits } = await asking([granted()], { wish })
    expect(outcome.outcome).toBe('granted')
    expect(waits).toEqual([7000])
    expect(checkOf(records, 'ping_callback', 'ping')).toMatchObject({
      ok: false,
      detail: expect.stringContaining('not on this computer'),
    })
  })
})

describe('the backchannel authentication flow', () => {
  it('names the person, asks, lets the person decide, and takes the tokens', async () => {
    const tasks: ApprovalTask[] = []
    const wish = { bindingMessage: 'W4SCT', requestedExpiry: 60 }
    const { sent, records, outcome } = await asking([pending, granted()], {
      wish,
      wanted: { acrValues: 'gold' },
      tasks,
    })
    expect(outcome).toMatchObject({ outcome: 'granted', tokens: { id_token: expect.any(String) } })
    expect(formOf(sent[0]!)).toEqual({
      scope: 'openid',
      login_hint: 'alice',
      binding_message: 'W4SCT',
      requested_expiry: '60',
      acr_values: 'gold',
      client_id: 'demo',
      client_secret: 'secret',
    })
    expect(formOf(sent[1]!)).toMatchObject({
      grant_type: 'urn:openid:params:grant-type:ciba',
      auth_req_id: acknowledged.auth_req_id,
    })
    expect(stepsOf(records).map(({ name, n }) => `${n} ${name}`)).toEqual([
      '1 backchannel_authentication_request',
      '2 poll_request',
      '3 approval_page',
      '4 approval',
      '5 token_request',
      '6 keys_request',
      '7 userinfo_request',
    ])
    expect(tasks).toMatchObject([{ clientId: 'demo', bindingMessage: 'W4SCT', denies: false }])
    const { note, checks } = stepOf(records, 'backchannel_authentication_request')
    expect(note).toBe('alice is asked: “W4SCT”')
    expect(checks).toEqual([
      { name: 'auth_req_id', ok: true, rule: ID_RULE, detail: 'good for 120 s, ask every 7 s' },
      { name: 'auth_req_id_entropy', ok: true, rule: ID_RULE, detail: '36 characters' },
      { name: 'auth_req_id_characters', ok: true, rule: ID_RULE, detail: 'A-Z a-z 0-9 . - _' },
    ])
  })

  it('puts its parameters into a signed request alone (CIBA §7.1.1)', async () => {
    const requestObject = { kind: 'signed', secret: 's'.repeat(32) } as const
    const { records, sent, outcome } = await asking([granted()], {
      wanted: { requestObject },
      wish: { bindingMessage: 'W4SCT', requestedExpiry: 60 },
    })
    expect(outcome).toMatchObject({ outcome: 'granted' })
    expect(stepsOf(records)[0]).toMatchObject({ n: 1, name: 'request_object' })
    const { request, ...beside } = formOf(sent[0]!)
    expect(beside).toEqual({ client_id: 'demo', client_secret: 'secret' })
    const now = expect.any(Number)
    const about = {
      iss: 'demo',
      aud: 'https://as.test',
      jti: expect.any(String),
      iat: now,
      nbf: now,
      exp: now,
    }
    const wish = { scope: 'openid', login_hint: 'alice', binding_message: 'W4SCT', requested_expiry: '60' }
    expect(decodeJwt(String(request)).claims).toEqual({ ...about, ...wish })
  })

  it.each<[answers: HttpResponse[], waits: number[]]>([
    [[granted()], []],
    [[pending, granted()], [7000]],
    [
      [pending, pending, granted()],
      [7000, 7000],
    ],
    [
      [pending, slow, granted()],
      [7000, 12_000],
    ],
    [
      [slow, slow, granted()],
      [12_000, 17_000],
    ],
  ])('waits as long as the server asks: %#', async (answers, waits) => {
    const { waits: waited, outcome } = await asking(answers)
    expect(outcome.outcome).toBe('granted')
    expect(waited).toEqual(waits)
  })

  it('waits five seconds where the server names no interval', async () => {
    const { waits } = await asking([pending, granted()], { members: { interval: undefined } })
    expect(waits).toEqual([5000])
  })

  it('ends when nobody decided in time, without one more poll', async () => {
    const { outcome, sent } = await asking([pending], {
      members: { expires_in: 20 },
      wish: { decision: 'ignore' },
    })
    expectRefused(outcome, 'expired_token')
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual(['/b', '/t', '/t', '/t'])
  })

  it('asks nobody to approve what is to be ignored', async () => {
    const tasks: ApprovalTask[] = []
    const { records } = await asking([pending, refused('expired_token')], {
      wish: { decision: 'ignore' },
      tasks,
    })
    expect(tasks).toEqual([])
    expect(stepsOf(records).some(({ name }) => name === 'approval')).toBe(false)
  })

  it('lets the person say no', async () => {
    const tasks: ApprovalTask[] = []
    const { outcome } = await asking([pending, refused('access_denied')], {
      wish: { decision: 'deny' },
      tasks,
    })
    expect(tasks).toMatchObject([{ denies: true }])
    expectRefused(outcome, 'access_denied')
  })

  it('only waits where nobody knows how the server asks', async () => {
    const { records, outcome } = await walk('ciba', {
      script: {
        'POST /b': jsonResponse(200, acknowledged),
        'POST /t': [pending, granted()],
        'GET /u': jsonResponse(200, { sub: 'alice' }),
      },
      wanted: {
        scope: 'openid',
        metadata: { ...scriptedOptions.metadata, backchannel_authentication_endpoint: 'https://as.test/b' },
        backchannel: { hint: { name: 'id_token_hint', value: token() } },
      },
    })
    expect(outcome.outcome).toBe('granted')
    expect(stepOf(records, 'approval').note).toContain('a device of their own')
    expect(stepOf(records, 'backchannel_authentication_request').note).toBe('the person is asked')
  })

  it.each(['unknown_user_id', 'invalid_binding_message', 'missing_user_code'])(
    'ends at the error %s of the endpoint',
    async error => {
      const { outcome, sent } = await asking([granted()], { script: { 'POST /b': refused(error) } })
      expectRefused(outcome, error, 'OpenID Connect CIBA Core §13')
      expect(sent).toHaveLength(1)
    },
  )

  it('refuses tokens without an id_token, for another client, or of another issuer', async () => {
    const claims = [{ aud: 'another' }, { iss: 'https://other.test' }, { exp: 1 }]
    const ends = await Promise.all([
      asking([issued()]),
      ...claims.map(each => asking([issued({ id_token: token(each) })])),
    ])
    expect(ends.map(({ outcome }) => [outcome.outcome, outcome.error?.error])).toEqual(
      Array(4).fill(['refused', 'invalid_token']),
    )
  })

  it('points out an auth_req_id that is short, or has other characters', async () => {
    const { records, outcome } = await asking([granted()], { members: { auth_req_id: 'käse' } })
    expect(outcome.outcome).toBe('granted')
    const name = 'backchannel_authentication_request'
    expect(checkOf(records, name, 'auth_req_id_entropy')).toMatchObject({ ok: false, advice: true })
    expect(checkOf(records, name, 'auth_req_id_characters')).toMatchObject({ ok: false, advice: true })
  })

  it('sends no dpop_jkt, which binds codes alone, and adds parameters of the person', async () => {
    const authorizationParameters = [
      ['dpop_jkt', 'x'],
      ['ui_locales', 'de'],
    ] as const
    const { sent } = await asking([granted()], { wanted: { authorizationParameters } })
    expect(formOf(sent[0]!)).toMatchObject({ ui_locales: 'de' })
    expect(formOf(sent[0]!)).not.toHaveProperty('dpop_jkt')
  })

  it('is refused without a hint, and at a server without the endpoint', async () => {
    const none = await walk('ciba', { wanted: { scope: 'openid' } })
    expectRefused(none.outcome, 'invalid_request')
    const wanted = { backchannel: { hint: { name: 'login_hint', value: 'alice' } as const } }
    const missing = await walk('ciba', { wanted })
    expectRefused(missing.outcome, 'invalid_metadata')
  })
})
