import { describe, expect, it } from 'vitest'
import { email, emulator, key, records, token } from './support.js'

type Headers = readonly (readonly [string, string])[]

const chain = (...codes: number[]) => ({
  code: 6003,
  message: 'Invalid request headers',
  error_chain: codes.map(code => ({
    code,
    message: `Invalid format for ${{ 6102: 'X-Auth-Email', 6103: 'X-Auth-Key', 6111: 'Authorization' }[code]} header`,
  })),
})
const pair = (key: string, email: string): Headers => [
  ['X-Auth-Key', key],
  ['X-Auth-Email', email],
]
const authorization = (value: string): Headers => [['Authorization', value]]
const other = '0'.repeat(37)
const OTHER = `Bearer ${'x'.repeat(40)}`
const UNKNOWN = { code: 9103, message: 'Unknown X-Auth-Key or X-Auth-Email' }
const MISSING = { code: 9106, message: 'Missing X-Auth-Key, X-Auth-Email or Authorization headers' }
const INVALID = { code: 9109, message: 'Invalid access token' }

const refused: readonly [why: string, headers: Headers, status: number, error: object][] = [
  ['nothing is sent', [], 400, MISSING],
  ['the key has no form', pair('short', email), 400, chain(6103)],
  ['the e-mail has no form', pair(key, 'alice'), 400, chain(6102)],
  ['neither has one', pair('KEY', 'a@b'), 400, chain(6102, 6103)],
  ['the e-mail is missing', [['X-Auth-Key', key]], 400, chain(6102)],
  ['the key is missing', [['X-Auth-Email', email]], 400, chain(6103)],
  ['the key is another', pair(other, email), 403, UNKNOWN],
  ['the key has the form of 2026 and is another', pair(`cfk_${'a'.repeat(40)}00`, email), 403, UNKNOWN],
  ['the e-mail is another', pair(key, 'bob@example.com'), 403, UNKNOWN],
  ['the token is no token', authorization('Bearer abc'), 400, chain(6111)],
  ['the scheme is another', authorization(`Basic ${token}`), 400, chain(6111)],
  ['there is only a scheme', authorization('Bearer'), 400, chain(6111)],
  ['the token is another', authorization(OTHER), 403, INVALID],
  ['a wrong token comes beside the right key', [...pair(key, email), ...authorization(OTHER)], 403, INVALID],
]

const accepted: readonly [what: string, headers: Headers][] = [
  ['key and e-mail', pair(key, email)],
  ['other letters', Object.entries({ 'x-auth-key': key, 'x-auth-email': 'ALICE@Example.COM' })],
  ['a bearer token', authorization(`Bearer ${token}`)],
  ['a bearer token in lower case', [['authorization', `bearer ${token}`]]],
  ['all of them', [...pair(key, email), ...authorization(`Bearer ${token}`)]],
]

describe('credentials', () => {
  it.each(refused)('are refused when %s', async (_, headers, status, error) => {
    const answer = await emulator().ask(records, { headers })
    expect(answer.status).toBe(status)
    expect(answer.text).toBe(JSON.stringify({ result: null, success: false, errors: [error], messages: [] }))
  })

  it.each(accepted)('are accepted: %s', async (_, headers) => {
    expect((await emulator().ask(records, { headers })).status).toBe(200)
  })

  it('may have any form when they are the configured ones', async () => {
    const { ask } = emulator({ key: 'k', email: 'e', token: 't' })
    const pairOfThem = pair('k', 'E')
    expect((await ask(records, { headers: pairOfThem })).status).toBe(200)
    expect((await ask(records, { headers: authorization('Bearer t') })).status).toBe(200)
  })

  it('come before the route and the body', async () => {
    const { ask } = emulator()
    for (const [path, method] of [
      ['/client/v4/nowhere', 'GET'],
      [records, 'POST'],
      ['/client/v4/graphql', 'POST'],
    ] as const) {
      const answer = await ask(path, { method, headers: [], rawBody: '{' })
      expect(answer.code).toBe(9106)
    }
  })

  it('are in no event', async () => {
    const { ask, published } = emulator()
    await ask(records, { headers: authorization(OTHER) })
    await ask(records)
    expect(published.map(each => each.type)).toEqual(['dns.refused', 'dns.records_read'])
    expect(JSON.stringify(published)).not.toMatch(new RegExp(`${key}|${token}|xxxx`))
  })
})

describe('the verification of tokens', () => {
  const verify = '/client/v4/user/tokens/verify'

  it('reports that a token is active', async () => {
    const { ask } = emulator()
    const answer = await ask(verify, { headers: authorization(`Bearer ${token}`) })
    expect(answer.status).toBe(200)
    expect(answer.result()).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), status: 'active' })
  })

  it.each([
    ['an unknown token', authorization(OTHER)],
    ['a key', pair(key, email)],
  ])('refuses %s', async (_, headers) => {
    const answer = await emulator().ask(verify, { headers })
    expect(answer.status).toBe(401)
    expect(answer.errors).toEqual([{ code: 1000, message: 'Invalid API Token' }])
  })
})
