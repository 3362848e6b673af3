import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Lab } from '../../../../src/session/api/lab.js'
import { startLab } from '../../../../src/session/api/start-lab.js'
import { explainEvents, summary } from './support.js'

const people = Array.from({ length: 30 }, (_, i) => `person${i}`)
const redirectUri = 'http://127.0.0.1/callback'

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
  await Promise.all(people.map(username => lab.addUser({ username, password: 'correct horse battery' })))
})
afterAll(() => lab.stop())

/** The events since a request, with the line that a file begins with. */
function eventsSince(start: number): object[] {
  return [{ type: 'lab.ready', urls: lab.urls }, ...lab.events.past().slice(start)]
}

describe('thirty people who log in at the same time, at one client, from one address', () => {
  it('are thirty conversations, each with the requests of its person', async () => {
    const start = lab.events.past().length
    await Promise.all(people.map(user => lab.login({ user })))
    const events = eventsSince(start) as { type: string; username?: string }[]
    const order = events.flatMap(({ type, username }) => (type === 'code.redeemed' ? [username] : []))
    expect(new Set(order)).toEqual(new Set(people))
    // They are mixed: at some time, two codes wait.
    const codes = events.map(({ type }) => type).filter(type => /^code\.(?:issued|redeemed)$/.test(type))
    expect(codes.join(' ')).toContain('code.issued code.issued')
    const explanation = await explainEvents(events)
    expect(summary(explanation).sort()).toEqual(people.map(name => `code demo ${name} granted`).sort())
    for (const { conversation } of explanation.flows) {
      const { messages, username } = conversation
      const kinds = messages.map(({ kind }) => kind)
      expect(kinds).toEqual(['authorization_request', 'login', 'token_request'])
      const users = messages.flatMap(({ recorded }) => recorded.report?.username ?? [])
      expect(new Set(users)).toEqual(new Set([username]))
    }
  })

  it('and one of them whose client sends another redirect_uri: the break is in that conversation', async () => {
    const start = lab.events.past().length
    const wrong = async () => {
      const about = { client_id: 'demo', redirect_uri: redirectUri, state: 'a-state-of-its-own' }
      const query = new URLSearchParams({ response_type: 'code', ...about, nonce: 'n-0123456789' })
      const address = `${lab.issuer}/authorization?${query}`
      const page = await lab.fetch(address)
      const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
      const cookie = page.headers
        .getSetCookie()
        .map(each => each.split(';')[0])
        .join('; ')
      const landed = await lab.fetch(address, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ username: 'alice', password: 'wonderland', csrf }).toString(),
      })
      const code = new URL(landed.headers.get('location') ?? '').searchParams.get('code') ?? ''
      const form = { grant_type: 'authorization_code', code, redirect_uri: `${redirectUri}/` }
      const secret = { client_id: 'demo', client_secret: 'demo-secret-0123456789abcdef0123456789' }
      const answer = await lab.fetch(`${lab.issuer}/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...form, ...secret }).toString(),
      })
      expect(answer.status).toBe(400)
    }
    await Promise.all([...people.map(user => lab.login({ user })), wrong()])
    const { flows } = await explainEvents(eventsSince(start))
    expect(flows).toHaveLength(31)
    const broken = flows.filter(({ findings }) => findings.length > 0)
    expect(broken.map(({ conversation }) => conversation.username)).toEqual(['alice'])
    expect(broken[0]?.findings).toMatchObject([
      { name: 'redirect-uri-differs', severity: 'fault', rule: 'RFC 6749 §4.1.3' },
    ])
  })
})
