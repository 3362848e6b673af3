import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { header, headerValues, text } from '../../../../src/protocol/http/message.js'
import { client, lab } from '../support.js'
import { WEB, world } from './world.js'

const STATE = '__Host-oauth-lab-browser-state'

describe('session_state (Session Management §2)', () => {
  it('is the hash of client, origin and browser state, and its salt', async () => {
    const { agent, login } = world()
    const { session_state: value = '' } = (await login('quiet')).answer
    const [hash, salt] = value.split('.')
    const text = `quiet ${WEB} ${agent.jar.get(STATE)} ${salt}`
    expect(hash).toBe(createHash('sha256').update(text).digest('base64url'))
    expect(value).not.toContain(' ')
    expect((await login('quiet')).answer.session_state).not.toBe(value)
  })

  it('is in authentication responses alone', async () => {
    const { login } = world()
    expect((await login('quiet', {}, 'records:read')).answer).not.toHaveProperty('session_state')
  })

  it('ends with the session: the cookie is gone after a logout, and lasts no longer than a login', async () => {
    const { agent, login, logout } = world()
    const { hint } = await login('quiet')
    expect(agent.jar.has(STATE)).toBe(true)
    const cookies = headerValues(await logout({ id_token_hint: hint }), 'set-cookie')
    expect(cookies.find(each => each.startsWith(STATE))).toBe(
      `${STATE}=; Path=/; Secure; SameSite=None; Max-Age=0`,
    )
    expect(agent.jar.has(STATE)).toBe(false)
  })
})

describe('the check_session_iframe (Session Management §3.3)', () => {
  it('may be framed by pages of enabled clients alone, and runs one script', async () => {
    const { get } = lab({
      clients: [
        client('a', { redirect_uris: ['https://a.example/cb', 'https://a.example/other'] }),
        client('off', { redirect_uris: ['https://off.example/cb'], enabled: false }),
        client('native', { redirect_uris: ['http://127.0.0.1/cb', 'http://[::1]/cb', 'com.example:/cb'] }),
      ],
    })
    const response = await get('/check-session')
    const policy = header(response, 'content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[\w+/=]+'; base-uri 'none'; /)
    expect(policy).toContain('; frame-ancestors https://a.example http://127.0.0.1:*')
    expect(policy).not.toMatch(/off\.example|::1/)
    expect(header(response, 'x-frame-options')).toBeUndefined()
    expect(text(response.body)).toContain(`${STATE}=`)
  })

  it('lets no host of a client add a directive, and no client push out another', async () => {
    const many = Array.from({ length: 200 }, (_, i) => `https://h${i}.greedy.example/cb`)
    const { get } = lab({
      clients: [
        client('greedy', { redirect_uris: many }),
        client('odd', {
          redirect_uris: ["https://evil.example;script-src'unsafe-inline'/cb", 'https://x,y.example/cb'],
        }),
        client('small', { redirect_uris: ['https://small.example/cb'] }),
      ],
    })
    const policy = header(await get('/check-session'), 'content-security-policy') ?? ''
    expect(policy.match(/script-src/g)).toHaveLength(1)
    expect(policy).not.toContain(',')
    expect(policy).toContain('https://small.example')
  })

  it('is framed by nobody without clients, and no other page may be framed', async () => {
    const { get } = lab({ clients: [] })
    expect(header(await get('/check-session'), 'content-security-policy')).toContain("frame-ancestors 'none'")
    const page = await lab().get('/end-session')
    expect(header(page, 'x-frame-options')).toBe('DENY')
  })
})
