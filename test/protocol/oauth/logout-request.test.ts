import { describe, expect, it } from 'vitest'
import { logoutRequest, logoutResponse } from '../../../src/protocol/oauth/logout-request.js'
import { isRefusal } from '../../../src/protocol/oauth/oauth-error.js'

const endpoint = 'https://as.example/logout'
const whole = {
  endpoint,
  idTokenHint: 'a.b.c',
  clientId: 'web',
  postLogoutRedirectUri: 'https://web.example/bye?tenant=a',
  state: 's 1',
}

describe('logoutRequest', () => {
  it.each([
    [
      { ...whole, method: 'GET' as const },
      `${endpoint}?id_token_hint=a.b.c&client_id=web&post_logout_redirect_uri=https%3A%2F%2Fweb.example%2Fbye%3Ftenant%3Da&state=s%201`,
    ],
    [{ ...whole, method: 'POST' as const }, endpoint],
    [{ endpoint, method: 'GET' as const }, endpoint],
    [
      { endpoint: `${endpoint}?tenant=a`, clientId: 'web', method: 'GET' as const },
      `${endpoint}?tenant=a&client_id=web`,
    ],
  ])('writes %j', (options, url) => expect(logoutRequest(options).url).toBe(url))

  it('puts the same parameters into a form', () => {
    const { pairs } = logoutRequest({ ...whole, method: 'POST' })
    expect(pairs.map(([name]) => name)).toEqual([
      'id_token_hint',
      'client_id',
      'post_logout_redirect_uri',
      'state',
    ])
  })
})

describe('logoutResponse', () => {
  const request = logoutRequest({ ...whole, method: 'GET' })
  const back = 'https://web.example/bye?tenant=a'

  it('takes the state that was sent', () => {
    expect(logoutResponse(`${back}&state=s+1`, request)).toMatchObject([{ name: 'state', ok: true }])
    expect(logoutResponse(back, logoutRequest({ endpoint, method: 'GET' }))).toMatchObject([{ ok: true }])
  })

  it.each([
    ['another state', `${back}&state=S+1`, 'state_mismatch'],
    ['no state', back, 'state_mismatch'],
    ['an empty state', `${back}&state=`, 'state_mismatch'],
    ['two states', `${back}&state=s+1&state=s+1`, 'invalid_response'],
    ['a query that is no form', `${back}&state=%zz`, 'invalid_response'],
  ] as const)('refuses %s', (_, landed, code) => {
    let error: unknown
    try {
      logoutResponse(landed, request)
    } catch (thrown) {
      error = thrown
    }
    expect(isRefusal(error, [code])).toBe(true)
  })
})
