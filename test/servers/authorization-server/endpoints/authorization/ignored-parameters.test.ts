import { describe, expect, it } from 'vitest'
import { basic, CALLBACK, client, codeRequest, json, lab, type Parameters, SECRET } from '../../support.js'

describe('parameters without effect', () => {
  it('are named in the event, once each, and change nothing', async () => {
    const { authorize, events } = lab()
    const unknown = { display: 'hologram', assertion: 'x', audience: 'api' }
    expect((await authorize(codeRequest({ ...unknown, scope: 'openid' }))).status).toBe(200)
    expect(events[0]).toMatchObject({
      type: 'authorization.requested',
      ignored: ['display', 'assertion', 'audience'],
    })
  })

  it('are limited in number, and absent where there are none', async () => {
    const { authorize, events } = lab()
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x${i}`, 'y']))
    await authorize(codeRequest({ ...many }))
    await authorize(codeRequest({ resource: 'https://api.example/', state: 's', unknown: '' }))
    const [first, second] = events.filter(event => event.type === 'authorization.requested')
    expect(first?.ignored).toHaveLength(20)
    expect(second).not.toHaveProperty('ignored')
  })

  const key = 'k'.repeat(43)
  const browser = { client_id: 'demo-spa', scope: 'openid', nonce: 'n', response_type: 'id_token' }
  it.each([
    [
      'nonce and claims without openid',
      { scope: 'records:read', nonce: 'n', claims: '{}' },
      ['nonce', 'claims'],
    ],
    [
      'PKCE and the key of a code without a code',
      { ...browser, code_challenge: key, code_challenge_method: 'S256', dpop_jkt: key },
      ['code_challenge', 'code_challenge_method', 'dpop_jkt'],
    ],
    ['a secret in the wrong place', { [`s3cr3t${'x'.repeat(20)}`]: '1' }, ['s3cr…xxx']],
  ])('are named too: %s', async (_, parameters, ignored) => {
    const { authorize, events } = lab()
    expect((await authorize(codeRequest(parameters))).status).toBe(200)
    expect(events[0]).toMatchObject({ type: 'authorization.requested', ignored })
  })

  const device = 'urn:ietf:params:oauth:grant-type:device_code'
  it.each<[string, string, Parameters]>([
    ['authorization.refused', '/authorization', codeRequest({ redirect_uri: undefined })],
    ['authorization.refused', '/authorization', codeRequest({ scope: 'nonsense' })],
    ['request.pushed', '/par', codeRequest()],
    ['push.refused', '/par', codeRequest({ scope: 'nonsense' })],
    ['device_code.issued', '/device_authorization', { scope: 'openid' }],
    ['device_authorization.refused', '/device_authorization', { scope: 'nonsense' }],
  ])('are in %s of %s too: %j', async (type, path, form) => {
    const clients = [client('demo', { client_secret: SECRET, grant_types: ['authorization_code', device] })]
    const { authorize, post, events } = lab({ clients })
    const sent = { ...form, redirect_url: CALLBACK }
    await (path === '/authorization' ? authorize(sent) : post(path, sent, [basic('demo', SECRET)]))
    expect(events.at(-1)).toMatchObject({ type, ignored: ['redirect_url'] })
  })
})

it('id_token.issued is reported for every way to get an id_token, and for no other token', async () => {
  const { newCode, redeem, login, events } = lab()
  const count = () => events.filter(event => event.type === 'id_token.issued')
  await redeem(await newCode())
  expect(count()).toEqual([])
  const tokens = json(await redeem(await newCode({ scope: 'openid' })))
  expect(tokens.id_token).toEqual(expect.any(String))
  expect(count()).toEqual([{ type: 'id_token.issued', client_id: 'demo', username: 'alice' }])
  const hybrid = codeRequest({ client_id: 'demo-spa', scope: 'openid', nonce: 'n' })
  await login({ ...hybrid, response_type: 'id_token token' })
  await login({ ...hybrid, response_type: 'id_token' })
  expect(count()).toHaveLength(3)
})
