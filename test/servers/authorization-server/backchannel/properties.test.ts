import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodeForm } from '../../../../src/protocol/http/form.js'
import { forAll } from '../../../support/for-all.js'
import { json } from '../support.js'
import { TOKEN, world } from './world.js'

// The endpoint and the page with hostile input: every answer is one of the documented ones, and nothing is ever allowed.

const NAMES = [
  ...['scope', 'login_hint', 'id_token_hint', 'login_hint_token', 'binding_message', 'user_code'],
  ...['requested_expiry', 'acr_values', 'client_notification_token', 'authorization_details', 'resource'],
  ...['request', 'client_id', 'client_secret', 'client_assertion', '__proto__', 'constructor', ''],
]
const VALUES = [
  ...['openid', 'alice', 'bob', '60', TOKEN, '[]', '{}', 'a.b.c', 'null', '\u0000', '\u202e', '%', ' '],
]
const value = fc.oneof(
  fc.constantFrom(...VALUES),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ maxLength: 2000 }),
)
const pairs = fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 12 })
const CODES = [
  ...['invalid_request', 'invalid_client', 'unauthorized_client', 'invalid_scope', 'unknown_user_id'],
  ...['invalid_binding_message', 'invalid_target', 'invalid_authorization_details'],
  'temporarily_unavailable',
]

it('the endpoint answers every form with an id or a documented error', async () => {
  const made = world()
  await forAll(fc.constantFrom('poller', 'pinged', 'signer', 'other'), pairs, async (id, form) => {
    const good = { scope: 'openid', login_hint: 'alice', client_notification_token: TOKEN }
    const kept = Object.entries(good).filter(([name]) => !form.some(([each]) => each === name))
    const answer = await made.askAs(id, encodeForm([...kept, ...form]))
    const body = json(answer)
    if (answer.status === 200) {
      expect(body).toEqual({ auth_req_id: expect.any(String), expires_in: expect.any(Number), interval: 5 })
      expect(body.expires_in).toBeGreaterThan(0)
      expect(body.expires_in).toBeLessThanOrEqual(600)
      expect(json(await made.poll(String(body.auth_req_id), id)).error).toBe('authorization_pending')
      made.clock.now += 600_000
    } else {
      expect(CODES).toContain(body.error)
      expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
    }
  })
})

it('the page allows nothing by any form without the csrf value of its button', async () => {
  const made = world()
  const id = await made.idOf()
  const page = await made.login()
  const handle = /name="request" value="([^"]*)"/.exec(Buffer.from(page.body).toString())?.[1] ?? ''
  const fields = ['decision', 'csrf', 'otp', 'request', 'username', 'password', 'login', '__proto__']
  const forms = fc.array(
    fc.tuple(fc.constantFrom(...fields), fc.oneof(value, fc.constantFrom('allow', handle))),
  )
  await forAll(forms, async form => {
    const sent = encodeForm([['request', handle], ['decision', 'allow'], ...form])
    const type = ['content-type', 'application/x-www-form-urlencoded'] as const
    const answer = await made.agent.send('POST', '/ciba', [type], sent)
    expect([200, 400, 403, 429, 503]).toContain(answer.status)
    made.clock.now += 1
    expect(['authorization_pending', 'slow_down']).toContain(json(await made.poll(id)).error)
  })
})
