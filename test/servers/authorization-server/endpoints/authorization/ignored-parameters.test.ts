import { describe, expect, it } from 'vitest'
import { codeRequest, json, lab } from '../../support.js'

describe('parameters that the server does not know', () => {
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
    await authorize(codeRequest({ resource: 'https://api.example/', nonce: 'n' }))
    const [first, second] = events.filter(event => event.type === 'authorization.requested')
    expect(first?.ignored).toHaveLength(20)
    expect(second).not.toHaveProperty('ignored')
  })
})

describe('id_token.issued', () => {
  it('is reported for every way to get an id_token, and for no other token', async () => {
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
})
