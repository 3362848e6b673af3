import { describe, expect, it } from 'vitest'
import { text } from '../../../../../src/protocol/http/message.js'
import { codeRequest, lab, landed, query } from '../../support.js'

const MAX_REQUEST = 12 * 1024

describe('an authorization request', () => {
  it('limits a submitted login form by its own limit only', async () => {
    const page = await lab().login(codeRequest(), { password: 'x'.repeat(MAX_REQUEST + 1) })
    expect(page.status).toBe(200)
    expect(text(page.body)).toContain('Username or password is wrong')
  })

  it('by POST may have parameters in its query, but none of them twice', async () => {
    const { post, events } = lab()
    const page = await post(`/authorization?${query({ state: 'x', scope: 'openid' })}`, codeRequest())
    expect(page.status).toBe(200)
    expect(events[0]).toMatchObject({ type: 'authorization.requested', scope: 'openid' })
    const twice = await post('/authorization?response_type=code&state=x', codeRequest())
    expect(landed(twice)).toMatchObject({ error: 'invalid_request', state: 'x' })
  })

  it('by POST is refused when its query cannot be decoded', async () => {
    const { post } = lab()
    const answer = landed(await post('/authorization?nonce=%zz', codeRequest({ state: 'x' })))
    expect(answer).toMatchObject({ error: 'invalid_request', state: 'x' })
    expect(answer.error_description).toContain('cannot be decoded')
    expect((await post(`/authorization?${'&a=b'.repeat(201)}`, codeRequest())).status).toBe(400)
  })

  it('of an unverified address is refused for its unreadable part first', async () => {
    const { get, events } = lab()
    const request = query(codeRequest({ redirect_uri: 'https://evil.example/', request: 'e30.e30.' }))
    await get(`/authorization?${request}&state=%zz`)
    await get(`/authorization?${request}`)
    await get('/authorization?client_id=%zz')
    expect(events).toMatchObject([
      { error: 'invalid_request', rule: 'RFC 6749 Appendix B', client_id: 'demo' },
      { error: 'invalid_request_object', client_id: 'demo' },
      { error: 'invalid_request', rule: 'RFC 6749 Appendix B' },
    ])
    for (const event of events) expect(event).not.toHaveProperty('differences')
  })
})
