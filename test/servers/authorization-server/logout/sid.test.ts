import { describe, expect, it } from 'vitest'
import {
  joinSession,
  MAX_CLIENTS,
  newBrowserSession,
} from '../../../../src/servers/authorization-server/logins/sessions.js'
import { json, query } from '../support.js'
import { back, front, quiet, WEB, world } from './world.js'

describe('the claim sid', () => {
  it('is the same for all clients of a session, and no secret of the browser', async () => {
    const { agent, login } = world([], [back, front, quiet])
    const sids: unknown[] = []
    for (const id of ['back', 'front', 'quiet']) sids.push((await login(id)).claims.sid)
    expect(sids[0]).toMatch(/^[\w-]{22}$/)
    expect(new Set(sids).size).toBe(1)
    expect([...agent.jar.values()].join()).not.toContain(sids[0])
  })

  it('is another one in another browser, and after a logout', async () => {
    const first = world()
    const one = await first.login('back')
    await first.logout({ id_token_hint: one.hint })
    const two = await first.login('back')
    expect(two.claims.sid).not.toBe(one.claims.sid)
  })

  it('stays when the same person logs in again, and changes with the person', async () => {
    const { agent, login, server } = world()
    const before = await login('back')
    const again = async (username: string, password: string) => {
      const request = { response_type: 'code', client_id: 'back', scope: 'openid', prompt: 'login' }
      const target = `/authorization?${query({ ...request, redirect_uri: `${WEB}/back` })}`
      const page = Buffer.from((await agent.get(target)).body).toString()
      await agent.post(target, { username, password, csrf: /name="csrf" value="([^"]*)"/.exec(page)?.[1] })
      return (await login('back')).claims.sid
    }
    expect(await again('alice', 'wonderland')).toBe(before.claims.sid)
    expect(await again('bob', 'builder')).not.toBe(before.claims.sid)
    expect(json(await server.get('/.well-known/openid-configuration')).claims_supported).toContain('sid')
  })
})

it('a session forgets the client that was used longest ago', () => {
  const session = newBrowserSession(length => new Uint8Array(length))
  for (let i = 0; i < MAX_CLIENTS; i++) joinSession(session, `client ${i}`)
  joinSession(session, 'client 0')
  joinSession(session, 'one more')
  expect(session.clients.size).toBe(MAX_CLIENTS)
  expect(session.clients.has('client 0')).toBe(true)
  expect(session.clients.has('client 1')).toBe(false)
})
