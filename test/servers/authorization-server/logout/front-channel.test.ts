import { describe, expect, it } from 'vitest'
import { header, text } from '../../../../src/protocol/http/message.js'
import { frameSource } from '../../../../src/servers/authorization-server/logout/end-session.js'
import { ISSUER } from '../support.js'
import { WEB, world } from './world.js'

describe('the logout page with frames (Front-Channel Logout §3)', () => {
  it('has a frame for each client that wants one, with iss and sid, and allows no other frame', async () => {
    const { login, logout, named } = world()
    await login('quiet')
    const { hint, claims } = await login('front')
    const response = await logout({ id_token_hint: hint })
    const address = `${WEB}/front/logout?t=a&iss=${encodeURIComponent(ISSUER)}&sid=${claims.sid}`
    const frames = [...text(response.body).matchAll(/<iframe [^>]*src="([^"]*)"/g)].map(([, src]) => src)
    expect(frames).toEqual([address.replaceAll('&', '&amp;')])
    const policy = header(response, 'content-security-policy')
    expect(policy).toContain(`; frame-src ${WEB}/front/logout;`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('script-src')
    expect(text(response.body)).toContain('<strong>front</strong> is informed by a frame of this page')
    expect(named('logout.framed')).toMatchObject([{ client_id: 'front', url: address, sid: claims.sid }])
  })

  it('goes on to the registered address after the frames, with a link for browsers without scripts', async () => {
    const { login, logout } = world()
    const { hint } = await login('front')
    const to = `${WEB}/front/bye`
    const response = await logout({ id_token_hint: hint, post_logout_redirect_uri: to, state: 'a&b' })
    expect(response.status).toBe(200)
    expect(text(response.body)).toContain(`<a id="continue" href="${to}?state=a%26b">`)
    expect(header(response, 'content-security-policy')).toMatch(/script-src 'sha256-[\w+/=]+'/)
  })

  it('informs a client once for a session, and nobody for a browser without one', async () => {
    const { login, logout } = world()
    const { hint } = await login('front')
    await logout({ id_token_hint: hint })
    expect(text((await logout({ id_token_hint: hint })).body)).not.toContain('<iframe')
  })

  it.each([
    ['https://a.example/x?y=1', 'https://a.example/x'],
    ['https://a.example:8448/a;b,c', 'https://a.example:8448/a%3Bb%2Cc'],
    ['https://a.example', 'https://a.example/'],
  ])('names %s in the policy as %s', (address, source) => {
    expect(frameSource(address)).toBe(source)
  })
})
