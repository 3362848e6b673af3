import { describe, expect, it } from 'vitest'
import { text } from '../../../../src/protocol/http/message.js'
import { browser } from '../browser.js'
import { codeRequest, field, lab, query } from '../support.js'

describe('/end-session', () => {
  const openid = codeRequest({ scope: 'openid' })
  const BYE = 'https://client.example/bye?tenant=a'
  async function loggedIn() {
    const server = lab()
    const agent = browser(server)
    await agent.login(openid)
    server.events.splice(0)
    return { ...server, agent }
  }

  it('reads the query and the form of a POST together', async () => {
    const { agent } = await loggedIn()
    const address = query({ post_logout_redirect_uri: BYE })
    const page = await agent.post(`/end-session?${address}`, { client_id: 'demo' })
    expect(text(page.body)).toContain('Log out?')
    const csrf = field(page, 'csrf')
    const done = await agent.post(`/end-session?${address}`, { client_id: 'demo', csrf, logout: 'yes' })
    expect(done.status).toBe(302)
    const twice = await agent.post('/end-session?client_id=demo', { client_id: 'demo' })
    expect(twice.status).toBe(400)
  })

  it('finishes a form whose session ended meanwhile, without an event', async () => {
    const { agent, events } = await loggedIn()
    const csrf = field(await agent.get('/end-session'), 'csrf')
    await agent.post('/end-session', { csrf, logout: 'yes' })
    const before = events.length
    const again = await agent.post('/end-session', { csrf, cancel: 'yes' })
    expect(text(again.body)).toContain('You are logged out')
    expect(events).toHaveLength(before)
  })

  it('keeps its redirects out of caches', async () => {
    const { get, post } = lab()
    const asked = { client_id: 'demo', post_logout_redirect_uri: BYE }
    for (const answer of [await get(`/end-session?${query(asked)}`), await post('/end-session', asked)]) {
      expect(answer.status).toBe(302)
      expect(answer.headers).toContainEqual(['cache-control', 'no-store'])
    }
  })
})
