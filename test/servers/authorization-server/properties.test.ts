import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MAX_EVENT_TEXT } from '../../../src/protocol/events.js'
import { header, text } from '../../../src/protocol/http/message.js'
import { forAll } from '../../support/for-all.js'
import { CALLBACK, codeRequest, FORM, lab, settings } from './support.js'

const interesting = [
  ...['', 'demo', 'demo-spa', 'nobody', '__proto__', 'code', 'token', 'S256', 'plain', 'openid', 'banana'],
  ...['authorization_code', CALLBACK, `${CALLBACK}?x=1`, 'https://evil.example/', '//evil.example', 'none'],
  ...['http://127.0.0.1:1@evil.example/callback', 'http://127.0.0.1.evil.example/callback', '\0', '%'],
  ...['\ud800'],
  ...['http://127.0.0.1:8080/callback', 'https://client.example/cb?tenant=a'],
  ...['https://client.example\\@evil'],
]
const names = [
  ...['response_type', 'client_id', 'redirect_uri', 'scope', 'state', 'nonce', 'code_challenge', 'prompt'],
  ...['code_challenge_method', 'response_mode', 'username', 'password', 'csrf', 'cancel', 'grant_type'],
  ...['code'],
  ...['code_verifier', 'client_secret', 'client_password', '__proto__', 'constructor'],
]
const value = fc.oneof(fc.constantFrom(...interesting), fc.string({ unit: 'binary', maxLength: 60 }))
const escaped = (part: string) => encodeURIComponent(part.toWellFormed())
const pair = fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), value)
const pairs = fc
  .array(pair, { maxLength: 12 })
  .map(each => each.map(parts => parts.map(escaped).join('=')).join('&'))
const noise = fc.string({ unit: 'binary', maxLength: 200 }).map(each => each.replace(/[\s#]/g, ''))
const form = fc.oneof({ weight: 3, arbitrary: pairs }, { weight: 1, arbitrary: noise })
const known = settings.clients.flatMap(client => client.redirect_uris).map(uri => new URL(uri).hostname)

it('/authorization never fails, and never redirects to a foreign host', async () => {
  const { send, events } = lab({ responseTypeErrors: 'redirect' })
  const started = fc
    .tuple(form, fc.boolean())
    .map(([query, client]) => (client ? `client_id=demo&${query}` : query))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'HEAD', 'PUT'),
      started,
      form,
      async (method, query, body) => {
        const response = await send(method, `/authorization?${query}`, [FORM], body)
        expect(response.status).toBeLessThan(500)
        const to = header(response, 'location')
        if (to !== undefined) {
          expect(to).toMatch(/^[\x21-\x7e]+$/)
          expect(known).toContain(new URL(to).hostname)
        } else expect(header(response, 'content-type')).toMatch(/^text\/(html|plain)/)
        expect(header(response, 'access-control-allow-origin')).toBeUndefined()
      },
    ),
    { numRuns: 1500 },
  )
  expect(
    events.every(event => Object.values(event).every(each => String(each).length <= MAX_EVENT_TEXT)),
  ).toBe(true)
})

it('/userinfo never fails for any header', async () => {
  const { get } = lab()
  await forAll(fc.string({ maxLength: 100 }), async token => {
    const response = await get('/userinfo', [['authorization', `Bearer ${token}`]])
    expect([400, 401]).toContain(response.status)
  })
})

it('typed text is never markup in a page', async () => {
  const { login } = lab()
  await forAll(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ maxLength: 40 }),
    async (username, state) => {
      const marked = `<b class="mine">${username}`
      const parameters = codeRequest({ state: `<i>${state}` })
      const response = await login(parameters, { username: marked, password: 'wrong' })
      expect(response.status).toBe(200)
      expect(text(response.body)).not.toMatch(/<b class="mine">|<i>/)
    },
  )
})
