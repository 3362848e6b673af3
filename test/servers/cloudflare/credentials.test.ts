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
const other = '0'.repeat(37)

const refused: readonly [why: string, headers: Headers, status: number, error: object][] = [
  [
    'nothing is sent',
    [],
    400,
    { code: 9106, message: 'Missing X-Auth-Key, X-Auth-Email or Authorization headers' },
  ],
  [
    'the key has no form',
    [
      ['X-Auth-Key', 'short'],
      ['X-Auth-Email', email],
    ],
    400,
    chain(6103),
  ],
  [
    'the e-mail has no form',
    [
      ['X-Auth-Key', key],
      ['X-Auth-Email', 'alice'],
    ],
    400,
    chain(6102),
  ],
  [
    'neither has one',
    [
      ['X-Auth-Key', 'KEY'],
      ['X-Auth-Email', 'a@b'],
    ],
    400,
    chain(6102, 6103),
  ],
  ['the e-mail is missing', [['X-Auth-Key', key]], 400, chain(6102)],
  ['the key is missing', [['X-Auth-Email', email]], 400, chain(6103)],
  [
    'the key is another',
    [
      ['X-Auth-Key', other],
      ['X-Auth-Email', email],
    ],
    403,
    { code: 9103, message: 'Unknown X-Auth-Key or X-Auth-Email' },
  ],
  [
    'the key has the form of 2026 and is another',
    [
      ['X-Auth-Key', `cfk_${'a'.repeat(40)}00`],
      ['X-Auth-Email', email],
    ],
    403,
    { code: 9103, message: 'Unknown X-Auth-Key or X-Auth-Email' },
  ],
  [
    'the e-mail is another',
    [
      ['X-Auth-Key', key],
      ['X-Auth-Email', 'bob@example.com'],
    ],
    403,
    { code: 9103, message: 'Unknown X-Auth-Key or X-Auth-Email' },
  ],
  ['the token is no token', [['Authorization', 'Bearer abc']], 400, chain(6111)],
  ['the scheme is another', [['Authorization', `Basic ${token}`]], 400, chain(6111)],
  ['there is only a scheme', [['Authorization', 'Bearer']], 400, chain(6111)],
  [
    'the token is another',
    [['Authorization', `Bearer ${'x'.repeat(40)}`]],
    403,
    { code: 9109, message: 'Invalid access token' },
  ],
  [
    'a wrong token comes beside the right key',
    [
      ['X-Auth-Key', key],
      ['X-Auth-Email', email],
      ['Authorization', `Bearer ${'x'.repeat(40)}`],
    ],
    403,
    { code: 9109, message: 'Invalid access token' },
  ],
]

const accepted: readonly [what: string, headers: Headers][] = [
  [
    'key and e-mail',
    [
      ['X-Auth-Key', key],
      ['X-Auth-Email', email],
    ],
  ],
  [
    'the e-mail in capitals, names in lower case',
    [
      ['x-auth-key', key],
      ['x-auth-email', 'ALICE@Example.COM'],
    ],
  ],
  ['a bearer token', [['Authorization', `Bearer ${token}`]]],
  ['a bearer token in lower case', [['authorization', `bearer ${token}`]]],
  [
    'all of them',
    [
      ['X-Auth-Key', key],
      ['X-Auth-Email', email],
      ['Authorization', `Bearer ${token}`],
    ],
  ],
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
    const pair = [
      ['X-Auth-Key', 'k'],
      ['X-Auth-Email', 'E'],
    ] as const
    expect((await ask(records, { headers: pair })).status).toBe(200)
    expect((await ask(records, { headers: [['Authorization', 'Bearer t']] })).status).toBe(200)
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
    await ask(records, { headers: [['Authorization', `Bearer ${'x'.repeat(40)}`]] })
    await ask(records)
    expect(published.map(each => each.type)).toEqual(['dns.refused', 'dns.records_read'])
    expect(JSON.stringify(published)).not.toMatch(new RegExp(`${key}|${token}|xxxx`))
  })
})

describe('the verification of tokens', () => {
  const verify = '/client/v4/user/tokens/verify'

  it('reports that a token is active', async () => {
    const { ask } = emulator()
    const answer = await ask(verify, { headers: [['Authorization', `Bearer ${token}`]] })
    expect(answer.status).toBe(200)
    expect(answer.result()).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), status: 'active' })
  })

  it.each([
    ['an unknown token', [['Authorization', `Bearer ${'x'.repeat(40)}`]] as Headers],
    [
      'a key',
      [
        ['X-Auth-Key', key],
        ['X-Auth-Email', email],
      ] as Headers,
    ],
  ])('refuses %s', async (_, headers) => {
    const answer = await emulator().ask(verify, { headers })
    expect(answer.status).toBe(401)
    expect(answer.errors).toEqual([{ code: 1000, message: 'Invalid API Token' }])
  })
})
