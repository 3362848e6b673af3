import { describe, expect, it } from 'vitest'
import type { NewEvent } from '../../../src/protocol/events.js'
import { bytes, type Header, header, text } from '../../../src/protocol/http/message.js'
import { fixedKeyring } from '../../../src/protocol/tokens/keys.js'
import { createAuthorizationServer } from '../../../src/servers/authorization-server/server.js'
import { recordingSite } from '../../support/ask.js'
import {
  codeRequest,
  countedRandom,
  FORM,
  ISSUER,
  json,
  lab,
  landed,
  query,
  SECRET,
  settings,
  signingKey,
} from './support.js'

/** A server whose clock, or source of randomness, can be broken. */
function fragile() {
  const events: NewEvent[] = []
  const broken = { clock: false, random: false }
  const random = countedRandom()
  const site = createAuthorizationServer(settings, {
    now() {
      if (broken.clock) throw new RangeError('the clock broke')
      return 0
    },
    random(length) {
      if (broken.random) throw new RangeError('no randomness is left')
      return random(length)
    },
    keyring: fixedKeyring(signingKey),
  })
  const { handle } = recordingSite(site, events)
  const send = (method: string, target: string, headers: readonly Header[], body = '') =>
    handle({ method, url: `${ISSUER}${target}`, headers, body: bytes(body) })
  return { events, send, broken }
}

const target = `/authorization?${query(codeRequest({ state: 'xyz' }))}`

describe('an internal error', () => {
  it('is redirected to the client after its address is verified', async () => {
    const { events, send, broken } = fragile()
    const page = await send('GET', target, [])
    const cookie: Header = ['cookie', header(page, 'set-cookie')?.split(';')[0] ?? '']
    const csrf = /name="csrf" value="([^"]+)"/.exec(text(page.body))?.[1]
    const form = query({ username: 'alice', password: 'wonderland', csrf })
    broken.clock = true
    const login = await send('POST', target, [FORM, cookie], form)
    expect(login.status).toBe(302)
    expect(landed(login)).toEqual({
      error: 'server_error',
      error_description: 'the server failed to answer this request',
      error_uri: 'https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1',
      state: 'xyz',
      iss: ISSUER,
    })
    expect(events.slice(-2)).toMatchObject([
      { type: 'server.failed', path: '/authorization', description: 'RangeError: the clock broke' },
      { type: 'authorization.refused', channel: 'redirect', error: 'server_error' },
    ])
  })

  it('is a page before the address is verified', async () => {
    const { send, broken } = fragile()
    broken.random = true
    const page = await send('GET', target, [])
    expect(page.status).toBe(500)
    expect(header(page, 'content-type')).toMatch(/^text\/html/)
    expect(text(page.body)).toContain('server_error')
    expect(text(page.body)).not.toMatch(/randomness|at .*\.ts/)
  })

  it('is JSON at client endpoints', async () => {
    const { events, send, broken } = fragile()
    const token = await lab().accessToken({ scope: 'openid' })
    broken.clock = true
    const userinfo = await send('GET', '/userinfo', [['authorization', `Bearer ${token}`]])
    expect(userinfo.status).toBe(500)
    expect(json(userinfo).error).toBe('server_error')
    expect(header(userinfo, 'access-control-allow-origin')).toBe('*')
    const description = 'RangeError: the clock broke'
    expect(events).toEqual([{ type: 'server.failed', path: '/userinfo', description }])
    expect(JSON.stringify(events)).not.toContain(SECRET)
  })
})
