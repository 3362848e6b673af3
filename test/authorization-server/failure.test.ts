import { expect, it } from 'vitest'
import { createAuthorizationServer } from '../../src/authorization-server/server.js'
import type { NewEvent } from '../../src/events/event.js'
import { bytes, type Header, header, text } from '../../src/http/message.js'
import { fixedKeyring } from '../../src/tokens/keyring.js'
import {
  codeRequest,
  countedRandom,
  FORM,
  ISSUER,
  json,
  lab,
  query,
  SECRET,
  settings,
  signingKey,
} from './support.js'

/** A server whose clock, and so everything that looks at it, breaks. */
function broken() {
  const events: NewEvent[] = []
  const { handle } = createAuthorizationServer(settings, {
    now: (() => {
      let calls = 0
      return () => {
        if (calls++ > 1) throw new RangeError('the clock broke')
        return 0
      }
    })(),
    random: countedRandom(),
    publish: event => events.push(event),
    keyring: fixedKeyring(signingKey),
  })
  const send = (method: string, target: string, headers: readonly Header[], body = '') =>
    handle({ method, url: `${ISSUER}${target}`, headers, body: bytes(body) })
  return { events, send }
}

it('answers a failure of its own with server_error in the form of the endpoint', async () => {
  const { events, send } = broken()
  const request = query(codeRequest())
  const page = await send('GET', `/authorization?${request}`, [])
  const cookie: Header = ['cookie', header(page, 'set-cookie')?.split(';')[0] ?? '']
  const csrf = /name="csrf" value="([^"]+)"/.exec(text(page.body))?.[1]
  const form = query({ username: 'alice', password: 'wonderland', csrf })
  const login = await send('POST', `/authorization?${request}`, [FORM, cookie], form)
  expect(login.status).toBe(500)
  expect(header(login, 'content-type')).toMatch(/^text\/html/)
  expect(text(login.body)).toContain('server_error')
  expect(text(login.body)).not.toMatch(/clock|at .*\.ts/)

  const token = await lab().accessToken({ scope: 'openid' })
  const userinfo = await send('GET', '/userinfo', [['authorization', `Bearer ${token}`]])
  expect(userinfo.status).toBe(500)
  expect(json(userinfo).error).toBe('server_error')
  expect(header(userinfo, 'access-control-allow-origin')).toBe('*')
  expect(events.filter(event => event.type === 'server.failed')).toEqual([
    { type: 'server.failed', path: '/authorization', description: 'RangeError: the clock broke' },
    { type: 'server.failed', path: '/userinfo', description: 'RangeError: the clock broke' },
  ])
  expect(JSON.stringify(events)).not.toContain(SECRET)
})
