import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headerValues, text } from '../../../../src/protocol/http/message.js'
import type { DetailTypes } from '../../../../src/protocol/oauth/authorization-details.js'
import { DEVICE_GRANT } from '../../../../src/servers/authorization-server/grants/polled-grant.js'
import {
  basic,
  claimsOf,
  client,
  codeRequest,
  expectError,
  field,
  json,
  lab,
  landed,
  type Parameters,
  query,
  SECRET,
  settings,
} from '../support.js'

const fixture = JSON.parse(readFileSync(new URL('../../../../fixtures/lab.json', import.meta.url), 'utf8'))
const detailTypes: DetailTypes = {
  ...fixture.authorization_details_types,
  free: { properties: { any: { type: 'object' }, count: { type: 'integer', minimum: 1, maximum: 3 } } },
}

/** The examples of RFC 9396 §2, Figures 1 to 3, in short. */
const PAYMENT = {
  type: 'payment_initiation',
  actions: ['initiate', 'status', 'cancel'],
  locations: ['https://example.com/payments'],
  instructedAmount: { currency: 'EUR', amount: '123.50' },
  creditorName: 'Merchant A',
  creditorAccount: { iban: 'DE02100100109307118603' },
  remittanceInformationUnstructured: 'Ref Number Merchant',
}
const ACCOUNTS = {
  type: 'account_information',
  actions: ['list_accounts', 'read_balances', 'read_transactions'],
  locations: ['https://example.com/accounts'],
}
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const clients = [
  ...settings.clients,
  client('tv', { client_secret: 'tv-secret', grant_types: [DEVICE_GRANT, 'refresh_token'] }),
  client('back', { client_secret: 'back-secret', grant_types: [EXCHANGE] }),
  client('reader', { client_secret: 'x', authorization_details_types: ['account_information'] }),
]
const bank = (resources: 'any' | readonly string[] = []) => lab({ clients, detailTypes, resources })
const sent = (...details: readonly unknown[]): Parameters => ({
  authorization_details: JSON.stringify(details),
})
const INVALID = 'invalid_authorization_details'
const SERVICE = [basic('service', 'service-secret')]
const CREDENTIALS = { grant_type: 'client_credentials' }

describe('authorization_details (RFC 9396) that the code flow', () => {
  it('asks for are in the token answer, the token, introspection, events and refreshed tokens', async () => {
    const { newCode, redeem, token, post, events } = bank()
    const tokens = json(await redeem(await newCode(sent(PAYMENT, ACCOUNTS))))
    expect(tokens.authorization_details).toEqual([PAYMENT, ACCOUNTS])
    expect(tokens).not.toHaveProperty('scope')
    const both = { authorization_details: [PAYMENT, ACCOUNTS] }
    expect(claimsOf(tokens.access_token)).toMatchObject({ aud: 'demo', ...both })
    expect(claimsOf(tokens.access_token)).not.toHaveProperty('scope')
    for (const each of [tokens.access_token, tokens.refresh_token]) {
      const reported = await post('/introspection', { token: String(each) }, [basic('other', 'other-secret')])
      expect(json(reported)).toMatchObject({ active: true, ...both })
      expect(json(reported)).not.toHaveProperty('scope')
    }
    for (const type of ['authorization.requested', 'token.issued']) {
      expect(events.find(each => each.type === type)).toMatchObject(both)
    }
    const refresh = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) }
    const renewed = json(await token(refresh))
    expect(renewed.authorization_details).toEqual([PAYMENT, ACCOUNTS])
    const again = { ...refresh, refresh_token: String(renewed.refresh_token) }
    const elsewhere = sent({ ...ACCOUNTS, locations: ['https://other.example'] })
    expectError(await token({ ...again, ...elsewhere }), 400, INVALID)
    const narrow = json(await token({ ...again, ...sent(ACCOUNTS) }))
    expect(narrow.authorization_details).toEqual([ACCOUNTS])
    const whole = json(await token({ ...again, refresh_token: String(narrow.refresh_token) }))
    expect(whole.authorization_details).toEqual([PAYMENT, ACCOUNTS])
  })

  it('asks for come beside a scope (§3.1), and in a pushed request', async () => {
    const { newCode, redeem, post, login } = bank()
    const tokens = json(await redeem(await newCode({ ...sent(PAYMENT), scope: 'openid' })))
    expect(tokens).toMatchObject({ scope: 'openid', authorization_details: [PAYMENT] })
    const request = codeRequest(sent(PAYMENT))
    const pushed = json(await post('/par', request, [basic('demo', SECRET)]))
    const code = landed(await login({ client_id: 'demo', request_uri: String(pushed.request_uri) })).code!
    expect(json(await redeem(code))).toMatchObject({ authorization_details: [PAYMENT] })
    const unknown = codeRequest(sent({ type: 'unknown' }))
    expectError(await post('/par', unknown, [basic('demo', SECRET)]), 400, INVALID)
  })

  const narrower = { ...ACCOUNTS, actions: ['read_balances'] }
  it.each<[string, readonly unknown[], readonly unknown[] | undefined]>([
    ['less of the actions', [narrower], [narrower]],
    ['one of two', [ACCOUNTS], [ACCOUNTS]],
    ['none', [], undefined],
    ['another amount', [{ ...PAYMENT, instructedAmount: { currency: 'EUR', amount: '9' } }], undefined],
    ['without the locations', [{ type: ACCOUNTS.type, actions: ACCOUNTS.actions }], undefined],
    ['an empty list', [{ ...ACCOUNTS, locations: [] }], undefined],
    ['another member', [{ ...ACCOUNTS, identifier: 'x' }], undefined],
    ['another type', [{ type: 'free' }], undefined],
  ])('gets %s at the token endpoint as §6 says', async (name, asked, granted) => {
    const { newCode, redeem } = bank()
    const code = await newCode(sent(PAYMENT, ACCOUNTS))
    const answer = await redeem(code, sent(...asked))
    if (granted === undefined && name !== 'none') {
      expectError(answer, 400, INVALID)
      expect((await redeem(code)).status).toBe(200)
    } else expect(json(answer).authorization_details).toEqual(granted)
  })

  it('did not ask for cannot be added at the token endpoint', async () => {
    const { newCode, redeem } = bank()
    expectError(await redeem(await newCode(), sent(ACCOUNTS)), 400, INVALID)
  })

  it.each<[string, unknown]>([
    ['no JSON', 'x'],
    ['no list', '{"type":"free"}'],
    ['no type', '[{}]'],
    ['a name of every object as type', '[{"type":"toString"}]'],
    ['an unknown type', [{ type: 'free' }, { type: 'paymentInitiation' }]],
    ['an unknown member', [{ ...PAYMENT, debtor: 'x' }]],
    ['an unknown member inside', [{ ...PAYMENT, creditorAccount: { iban: 'x', name: 'y' } }]],
    ['a missing member', [{ type: 'payment_initiation' }]],
    ['a wrong type of a member', [{ ...PAYMENT, creditorName: 1 }]],
    ['a wrong value of a member', [{ ...PAYMENT, actions: ['steal'] }]],
    ['a long value', [{ ...PAYMENT, creditorName: 'x'.repeat(71) }]],
    ['a common member of another type', [{ type: 'free', locations: 'https://example.com' }]],
    ['a number out of range', [{ type: 'free', count: 4 }]],
    ['a member of prototypes', '[{"type":"free","__proto__":{}}]'],
    ['too many objects', Array.from({ length: 21 }, () => ({ type: 'free' }))],
    ['too many levels', '[{"type":"free","any":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}}}]'],
    ['too many characters', [{ type: 'free', identifier: 'x'.repeat(5000) }]],
  ])('refuses: %s (§5)', async (_name, details) => {
    const { authorize } = bank()
    const value = typeof details === 'string' ? details : JSON.stringify(details)
    const answer = landed(await authorize(codeRequest({ authorization_details: value, state: 's' })))
    expect(answer).toMatchObject({ error: INVALID, state: 's' })
    expect(answer.error_description!.length).toBeLessThan(300)
  })

  it('refuses a type that the client is not registered for, and answers without a place for details', async () => {
    const { authorize } = bank()
    const reader = codeRequest({ client_id: 'reader', ...sent(PAYMENT) })
    expect(landed(await authorize(reader))).toMatchObject({ error: INVALID })
    const spa = { client_id: 'demo-spa', response_type: 'token', ...sent(PAYMENT) }
    const { hash } = new URL(headerValues(await authorize(codeRequest(spa)), 'location')[0]!)
    expect(new URLSearchParams(hash.slice(1)).get('error')).toBe('invalid_request')
  })

  it('never fails to judge, whatever the JSON', () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), async value => {
        const answer = await bank().authorize(codeRequest({ authorization_details: JSON.stringify(value) }))
        expect([200, 302, 303]).toContain(answer.status)
      }),
      { numRuns: 30 },
    ))
})

describe('authorization_details on pages', () => {
  const script = '<script>alert(1)</script>'
  const hostile = { ...PAYMENT, creditorName: script, locations: ['https://a.example/"x'] }

  it('are shown whole and escaped (§3.1)', async () => {
    const { openForm } = bank()
    const { page } = await openForm(codeRequest(sent(hostile)))
    const shown = text(page.body)
    const parts = ['Start a payment', 'payment_initiation', 'Amount', 'EUR', '123.50', 'initiate', 'Where']
    for (const each of [...parts, '&lt;script&gt;', 'https://a.example/&quot;x'])
      expect(shown).toContain(each)
    expect(shown).not.toContain('<script>alert')
  })

  it('are asked about again in the same session, and prompt=none gets consent_required', async () => {
    const server = bank()
    const request = codeRequest(sent(PAYMENT))
    const done = await server.login(request)
    const session = headerValues(done, 'set-cookie').map(each => ['cookie', each.split(';')[0]!] as const)
    const again = (more: Parameters = {}) =>
      server.get(`/authorization?${query({ ...request, ...more })}`, session)
    const page = await again()
    expect(text(page.body)).toContain('Allow access?')
    expect(text(page.body)).toContain('DE02100100109307118603')
    const asked = { type: 'consent.shown', reason: 'details', authorization_details: [PAYMENT] }
    expect(server.events.at(-1)).toMatchObject(asked)
    expect(landed(await again({ prompt: 'none' })).error).toBe('consent_required')
  })
})

describe('authorization_details of other grants', () => {
  it('are what the policy of the client allows with client credentials (§6)', async () => {
    const { token } = bank()
    const answer = json(await token({ ...CREDENTIALS, ...sent(ACCOUNTS) }, SERVICE))
    expect(answer).toMatchObject({ authorization_details: [ACCOUNTS], token_type: 'Bearer' })
    expect(answer).not.toHaveProperty('scope')
    const both = json(await token({ ...CREDENTIALS, ...sent(ACCOUNTS), scope: 'records:read' }, SERVICE))
    expect(both).toMatchObject({ authorization_details: [ACCOUNTS], scope: 'records:read' })
    expectError(await token({ ...CREDENTIALS, ...sent({ type: 'x' }) }, SERVICE), 400, INVALID)
    const plain = json(await token({ ...CREDENTIALS, authorization_details: '[]' }, SERVICE))
    expect(plain).toMatchObject({ scope: 'records:read' })
    expect(plain).not.toHaveProperty('authorization_details')
  })

  it('come from the device authorization request, and are on its page', async () => {
    const { post, get, token } = bank()
    const tv = [basic('tv', 'tv-secret')]
    expectError(await post('/device_authorization', sent({ type: 'x' }), tv), 400, INVALID)
    const begun = json(await post('/device_authorization', sent(PAYMENT, ACCOUNTS), tv))
    const page = await get(`/device?user_code=${begun.user_code}`)
    expect(text(page.body)).toContain('Merchant A')
    const cookies = headerValues(page, 'set-cookie').map(each => ['cookie', each.split(';')[0]!] as const)
    const form = { user_code: String(begun.user_code), csrf: field(page, 'csrf') }
    await post('/device', { ...form, username: 'alice', password: 'wonderland' }, cookies)
    const poll = { grant_type: DEVICE_GRANT, device_code: String(begun.device_code) }
    const tokens = json(await token({ ...poll, ...sent(ACCOUNTS) }, tv))
    expect(tokens.authorization_details).toEqual([ACCOUNTS])
    const refresh = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) }
    expect(json(await token(refresh, tv)).authorization_details).toEqual([PAYMENT, ACCOUNTS])
  })

  it('are carried on and narrowed by a token exchange', async () => {
    const { token, accessToken } = bank()
    const subject = await accessToken({ ...sent(ACCOUNTS), scope: 'records:read' })
    const type = 'urn:ietf:params:oauth:token-type:access_token'
    const form = { grant_type: EXCHANGE, subject_token: subject, subject_token_type: type }
    const back = [basic('back', 'back-secret')]
    expect(json(await token(form, back)).authorization_details).toEqual([ACCOUNTS])
    expectError(await token({ ...form, ...sent(PAYMENT) }, back), 400, INVALID)
  })
})

describe('the audience of a token with authorization_details', () => {
  it('is that of the locations that the server knows, when the request names no resource (§2.2)', async () => {
    const { newCode, redeem } = bank(['https://example.com/accounts'])
    const tokens = json(await redeem(await newCode(sent(PAYMENT, ACCOUNTS))))
    expect(claimsOf(tokens.access_token).aud).toBe('https://example.com/accounts')
  })

  it('limits the details of one token to those for it (§9.1)', async () => {
    const { newCode, redeem } = bank('any')
    const both = { ...sent(PAYMENT, ACCOUNTS), resource: 'https://example.com/accounts' }
    const tokens = json(await redeem(await newCode(both)))
    const aud = 'https://example.com/accounts'
    expect(claimsOf(tokens.access_token)).toMatchObject({ aud, authorization_details: [ACCOUNTS] })
    expect(tokens.authorization_details).toEqual([ACCOUNTS])
  })
})

it('the metadata names the types (§10)', async () => {
  const ofLab = async (made: ReturnType<typeof lab>) =>
    json(await made.get('/.well-known/openid-configuration')).authorization_details_types_supported
  expect(await ofLab(bank())).toEqual(['payment_initiation', 'account_information', 'free'])
  expect(await ofLab(lab())).toBeUndefined()
})
