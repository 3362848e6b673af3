import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TransportError, UsageError, type UserError } from '../../../../../src/protocol/errors.js'
import type { Send } from '../../../../../src/protocol/http/exchange.js'
import { attachmentOf, postsOf } from '../../../../../src/servers/cloudflare/client/webhook/post.js'
import { createPoster, readHook } from '../../../../../src/servers/cloudflare/client/webhook/poster.js'
import { forAll } from '../../../../support/for-all.js'
import { emulator } from '../../support.js'
import { sendTo } from '../support.js'
import { type Answered, chatService, event, postOf } from './support.js'

const address = 'https://hooks.chat.example/services/T00SECRET/B00SECRET/XyZzYsEcReT0123456789'
const [post] = postsOf([event], { channel: '#edge' }, 20)

const JSON_TYPE = 'application/json'

const posterTo = (hook: string, send: Send, more: Partial<Parameters<typeof createPoster>[1]> = {}) =>
  createPoster(readHook(hook), { send, now: () => 0, pause: async () => {}, waiting: () => {}, ...more })
const failing =
  (error: Error): Send =>
  () =>
    Promise.reject(error)

function posting(...answers: readonly Answered[]) {
  const waits: number[] = []
  const doubts: boolean[] = []
  const { send, posted } = chatService(...answers)
  const poster = posterTo(address, send, {
    pause: async ms => void waits.push(ms),
    inDoubt: doubt => void doubts.push(doubt),
  })
  return { poster, posted, waits, doubts }
}

describe('posting', () => {
  it('sends JSON, once, and then waits a second before the next', async () => {
    const { poster, posted, waits } = posting({ status: 200 })
    await poster(post!)
    expect(waits).toEqual([])
    await poster(post!)
    expect(waits).toEqual([1000])
    expect(posted).toHaveLength(2)
    expect(posted[0]).toMatchObject({ method: 'POST', url: address })
    // A request on a kept connection can be sent twice.
    expect(posted[0]?.headers).toContainEqual(['connection', 'close'])
    expect(postOf(posted[0]!)).toEqual({ channel: '#edge', attachments: [attachmentOf(event)] })
  })

  it.each([
    ['429 with a time', { status: 429, headers: [['Retry-After', '7']] }, [7000]],
    ['429 without one', { status: 429, body: 'rate_limited' }, [1000]],
    ['5xx', { status: 503, body: '<html>' }, [1000]],
    ['429 that asks for no wait', { status: 429, headers: [['Retry-After', '0']] }, [1000]],
  ] as const)('sends again after %s', async (_, answer, wanted) => {
    const { poster, posted, waits } = posting(answer, { status: 200 })
    await poster(post!)
    expect(waits).toEqual(wanted)
    expect(posted).toHaveLength(2)
  })

  it('gives up after three, or when the wait is too long', async () => {
    const forever = posting({ status: 500, body: 'rollup_error' })
    await expect(forever.poster(post!)).rejects.toThrow(/failed at its own work \(rollup_error, HTTP 500\)/)
    expect(forever.posted).toHaveLength(4)
    expect(forever.waits).toEqual([1000, 2000, 4000])
    const long = posting({ status: 429, headers: [['Retry-After', '86400']] })
    await expect(long.poster(post!)).rejects.toThrow(/wants fewer posts/)
    expect(long.posted).toHaveLength(1)
  })

  it.each([
    [400, 'invalid_payload', /cannot read the post \(invalid_payload, HTTP 400\)/],
    [400, 'too_many_attachments', /more attachments/],
    [400, 'no_text', /nothing to show/],
    [400, 'user_not_found', /no user of that name/],
    [403, 'action_prohibited', /do not let this hook post/],
    [403, 'invalid_token', /not valid/],
    [404, 'channel_not_found', /no channel of that name/],
    [404, 'no_service', /revoked/],
    [404, 'no_team', /no team/],
    [410, 'channel_is_archived', /archived/],
    [404, '{"message":"Unknown Webhook","code":10015}', /no hook at this address \(Unknown Webhook, HTTP/],
    [400, '', /did not take the post \(HTTP 400\)/],
    [418, 'x', /did not take the post \(x, HTTP 418\)/],
    [302, '', /redirects \(HTTP 302\)/],
  ])('%i %j is explained, once', async (status, body, says) => {
    const { poster, posted } = posting({ status, body })
    const refused = await poster(post!).catch((error: unknown) => error)
    expect(refused).toMatchObject({ kind: 'refused', message: expect.stringMatching(says) })
    expect((refused as UserError).hints).toHaveLength(1)
    expect(posted).toHaveLength(1)
  })

  it.each([
    ['Slack', 'text/html', 'ok'],
    ['Mattermost', 'text/plain', 'ok'],
    ['Discord', 'text/html; charset=utf-8', 'ok'],
    ['Rocket.Chat', 'application/json', '{"success":true}'],
    ['a message object', 'application/json', '{"id":"1","content":""}'],
    ['an empty body', 'text/html', ''],
  ])('is done after the answer of %s', async (_, type, body) => {
    const { poster, posted } = posting({ status: 200, body, headers: [['content-type', type]] })
    await poster(post!)
    expect(posted).toHaveLength(1)
  })

  it.each([
    ['a login page', 'text/html', '<!DOCTYPE html><title>Log in</title>', /a page in HTML/],
    ['a page without its content type', 'text/plain', '\n<html>', /a page in HTML/],
    ['a failure in JSON', JSON_TYPE, '{"success":false,"error":"no-room"}', /\(no-room, HTTP 200\)/],
    ['an error in JSON', JSON_TYPE, '{"ok":false,"error":"not_authed"}', /\(not_authed, HTTP 200\)/],
    ['an error code', 'text/html', 'no_service', /revoked/],
  ])('is refused by %s with status 200', async (_, type, body, says) => {
    const { poster } = posting({ status: 200, body, headers: [['content-type', type]] })
    await expect(poster(post!)).rejects.toThrow(says)
  })

  it.each([
    ['an acceptance', [{ status: 200 }], false],
    ['a refusal', [{ status: 404, body: 'no_service' }], false],
    ['a spent budget', [{ status: 429, headers: [['retry-after', '86400']] }], false],
    ['a failing service', [{ status: 502 }], true],
    ['a page', [{ status: 200, body: '<html>' }], true],
    ['a refusal after a failure', [{ status: 500 }, { status: 404, body: 'no_service' }], true],
    ['an acceptance after a failure', [{ status: 500 }, { status: 200 }], false],
  ] as const)('knows after %s whether the message may be in the chat', async (_, answers, doubt) => {
    const { poster, doubts } = posting(...answers)
    await poster(post!).catch(() => {})
    expect(doubts.at(-1)).toBe(doubt)
  })

  it.each([
    ['ECONNREFUSED', false],
    ['SELF_SIGNED_CERT_IN_CHAIN', false],
    ['ECONNRESET', true],
  ])('knows after %s whether the message may be in the chat', async (code, doubt) => {
    const doubts: boolean[] = []
    const inDoubt = (each: boolean) => void doubts.push(each)
    const poster = posterTo(address, failing(new TransportError('x', code)), { inDoubt })
    await expect(poster(post!)).rejects.toThrow('x')
    expect(doubts.at(-1)).toBe(doubt)
  })

  it('works with the chat of the emulator, whose refusals are explained', async () => {
    const { site, published, clock } = emulator()
    const to = (hook: string) =>
      posterTo(`https://localhost:8446/services/T0/B0/${hook}`, sendTo(site.handle), {
        now: () => clock.ms,
        async pause(ms) {
          clock.ms += ms
        },
      })(post!)
    await to('anything')
    const attachments = [attachmentOf(event)]
    expect(published.at(-1)).toMatchObject({ type: 'chat.posted', channel: '#edge', attachments })
    await to('slow')
    expect(published.map(({ type }) => type)).toEqual(['chat.posted', 'chat.refused', 'chat.posted'])
    await expect(to('archived')).rejects.toThrow(/the channel is archived \(channel_is_archived, HTTP 410\)/)
    await expect(to('missing')).rejects.toThrow(/channel_not_found/)
    await expect(to('revoked')).rejects.toThrow(/revoked/)
    await expect(to('prohibited')).rejects.toThrow(/action_prohibited/)
    await expect(to('broken')).rejects.toThrow(/rollup_error/)
  })
})

describe('the chat of the emulator answers literally as', () => {
  const one = { attachments: [{}] }
  const MATTERMOST = {
    id: 'web.incoming_webhook.invalid.app_error',
    message: 'Invalid webhook.',
    detailed_error: '',
    request_id: expect.stringMatching(/^[0-9a-f]{26}$/),
    status_code: 400,
  }
  const INVALID = 'Invalid integration id or token provided.'
  const SLOW = { message: 'You are being rate limited.', retry_after: 1, global: false }
  const many = (count: number) => ({ attachments: Array.from({ length: count }, () => ({})) })
  it.each([
    ['slack', one, 200, 'text/html', 'ok'],
    ['slack-revoked', one, 404, 'text/html', 'no_service'],
    ['slack', {}, 400, 'text/html', 'no_text'],
    ['slack', many(101), 400, 'text/html', 'too_many_attachments'],
    ['mattermost', one, 200, 'text/plain', 'ok'],
    ['mattermost-revoked', one, 400, JSON_TYPE, MATTERMOST],
    ['rocketchat', one, 200, JSON_TYPE, { success: true }],
    ['rocket.chat', {}, 200, JSON_TYPE, { success: true }],
    ['rocketchat-revoked', one, 404, JSON_TYPE, { success: false, error: INVALID }],
    ['discord', many(10), 200, 'text/html; charset=utf-8', 'ok'],
    ['discord/slack', one, 200, 'text/html; charset=utf-8', 'ok'],
    ['discord-revoked', one, 404, JSON_TYPE, { message: 'Unknown Webhook', code: 10015 }],
    ['discord', many(11), 400, JSON_TYPE, expect.objectContaining({ code: 50035 })],
    ['discord-slow', one, 429, JSON_TYPE, SLOW],
    ['mattermosty', one, 200, 'text/html', 'ok'],
  ])('%s', async (hook, body, status, type, answered) => {
    const answer = await emulator().ask(`/services/T0/B0/${hook}`, { method: 'POST', body })
    expect([answer.status, answer.header('content-type')]).toEqual([status, type])
    expect(type === JSON_TYPE ? answer.json() : answer.text).toEqual(answered)
  })

  it.each([
    ['mattermost-revoked', /revoked.* \(Invalid webhook, HTTP 400\)/],
    ['mattermost-archived', /the channel is archived/],
    ['mattermost-missing', /no channel of that name/],
    ['mattermost-prohibited', /do not let this hook post there/],
    ['rocketchat-revoked', /no hook at this address \(Invalid integration id or token provided, HTTP 404\)/],
    ['rocketchat-broken', /fails \(Service Unavailable, HTTP 503\)/],
    ['discord-revoked', /no hook at this address \(Unknown Webhook, HTTP 404\)/],
  ])('%s, and its refusal is explained', async (hook, says) => {
    const poster = posterTo(`https://localhost:8446/services/T0/B0/${hook}`, sendTo(emulator().site.handle))
    await expect(poster(post!)).rejects.toThrow(says)
  })
})

describe('the address of a hook', () => {
  const secrets = ['T00SECRET', 'B00SECRET', 'XyZzYsEcReT', 'hooks.chat.example']

  it.each([
    ['it echoes the path', { status: 404, body: JSON.stringify({ message: `no ${address} here` }) }],
    ['it echoes a part', { status: 400, body: JSON.stringify({ error: 'XyZzYsEcReT0123456789 is bad' }) }],
    ['it echoes it plainly', { status: 400, body: 'B00SECRET is unknown' }],
  ])('is in no message, though %s', async (_, answer) => {
    const refused = (await posting(answer)
      .poster(post!)
      .catch((error: unknown) => error)) as UserError
    const said = `${refused.message}\n${refused.hints.join('\n')}`
    expect(secrets.filter(each => said.includes(each))).toEqual([])
  })

  it('is not in messages of network errors', async () => {
    const message = `cannot reach ${new URL(address).origin} (ECONNREFUSED)`
    const error = new TransportError(message, 'ECONNREFUSED', [`Is ${address} right?`])
    const poster = posterTo(address, failing(error))
    const refused = (await poster(post!).catch((error: unknown) => error)) as TransportError
    expect(refused.message).toBe('cannot reach the chat webhook (ECONNREFUSED)')
    expect(refused).toMatchObject({ code: 'ECONNREFUSED', kind: 'transport', hints: ['Is … right?'] })
    expect(refused.cause).toBeUndefined()
  })

  it.each([
    ...['', 'hooks.slack.com/services/T/B/x', 'ftp://a.example/x'],
    ...['http://hooks.chat.example/services/T/B/x', 'https://user:pw@a.example/x'],
    ...['https://discord.com/api/webhooks/123456789/XyZzYsEcReT'],
  ])('%j is refused without being repeated', text => {
    const read = () => readHook(text)
    expect(read).toThrow(UsageError)
    try {
      read()
    } catch (error) {
      const { message, hints } = error as UsageError
      if (text !== '') expect(message + hints.join('')).not.toContain(text)
    }
  })

  it('is removed from any message', async () => {
    const part = fc.stringMatching(/^[A-Za-z0-9_-]{8,24}$/)
    await forAll(part, part, fc.string(), fc.string(), (team, secret, before, after) => {
      const { hide } = readHook(`https://hooks.example/services/${team}/${secret}`)
      const said = hide(`${before}/services/${team}/${secret}${after} ${secret}`)
      if (!before.includes(secret) && !after.includes(secret)) expect(said).not.toContain(secret)
    })
  })
})
