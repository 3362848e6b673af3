import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ListenerName, listenerNames } from '../../../src/lab/listening/listeners.js'
import { withWeakNotice } from '../../../src/lab/weak/weak-site.js'
import { EVENTS } from '../../../src/protocol/event-catalogue.js'
import type { LabEvent } from '../../../src/protocol/events.js'
import { createBus } from '../../../src/protocol/events.js'
import { bytes, text, textResponse } from '../../../src/protocol/http/message.js'
import type { Route } from '../../../src/protocol/http/site.js'
import { weakNotice } from '../../../src/protocol/rules/weak-modes.js'
import type { Lab } from '../../../src/session/api/lab.js'
import { startLab } from '../../../src/session/api/start-lab.js'
import { createBrowser } from '../../servers/demo-client/browser.js'

/** The tables of all routers that the sites of the lab make. */
const tables = vi.hoisted(() => [] as (readonly Route[])[])
vi.mock('../../../src/protocol/http/site.js', async original => {
  const real = await original<typeof import('../../../src/protocol/http/site.js')>()
  return {
    ...real,
    createRouter(routes: readonly Route[]) {
      tables.push(routes)
      return real.createRouter(routes)
    },
  }
})

const WEAK = ['redirect-any', 'no-expiry', 'no-nonce'] as const
const NOTICE = weakNotice(WEAK) ?? ''

let lab: Lab<ListenerName>
beforeAll(async () => {
  lab = await startLab({ sites: [...listenerNames], weak: [...WEAK] })
  // The sites are made at their first requests.
  for (const name of listenerNames) await lab.fetch(`${lab.urls[name]}/`)
})
afterAll(() => lab.stop())

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

async function ask(method: string, url: string): Promise<Answer> {
  const content = method === 'GET' ? {} : { body: '', headers: { 'content-type': FORM } }
  const response = await lab.fetch(url, { method, ...content })
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
  return { status: response.status, type, body: await response.text() }
}
const FORM = 'application/x-www-form-urlencoded'

/** True for an answer that a person reads: a page, or a refusal in plain text. */
const isForPeople = ({ type, status, body }: Answer): boolean =>
  body !== '' && (type === 'text/html' || (type === 'text/plain' && status >= 400))

/** Answers for people without the sentence, of each path and method at each site for people. */
async function without(sites: readonly string[], paths: readonly string[]) {
  const found: string[] = []
  let pages = 0
  for (const site of sites) {
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const answer = await ask(method, site + path)
        if (!isForPeople(answer)) continue
        pages += 1
        if (!answer.body.includes(NOTICE)) found.push(`${method} ${site}${path} ${answer.status}`)
      }
    }
  }
  return { found, pages }
}

describe('a weak lab', () => {
  it('has its sentence on each answer for people, of every route of every table', async () => {
    const all = new Set(tables.flat().map(({ path }) => path.replace(/:\w+/g, 'x')))
    // A stream of events is no page, and has no end.
    const paths = [...all].filter(path => path !== '/events')
    expect(paths).toEqual(expect.arrayContaining(['/authorization', '/device', '/logout', '/notes', '/kb/x']))
    const { authorization, resource, client, mtls } = lab.urls
    const { found, pages } = await without([authorization, resource, client, mtls], [...paths, '/nowhere'])
    expect(found).toEqual([])
    expect(pages).toBeGreaterThan(100)
  })

  it('has it on every greeting', async () => {
    for (const name of listenerNames) {
      const { type, body } = await ask('GET', `${new URL(lab.urls[name]).origin}/`)
      if (/^text\//.test(type) && body !== '')
        expect([name, body]).toEqual([name, expect.stringContaining(NOTICE)])
    }
  })

  it('has it on every page of a login, its failures and the logout', async () => {
    const { authorization, client } = lab.urls
    const browser = createBrowser({
      now: Date.now,
      at: client,
      reaches: origin => [authorization, client].includes(origin),
      async handle({ method, url, headers, body }) {
        const sent = method === 'POST' ? { body: text(body) } : {}
        const named = headers.map(([n, v]): [string, string] => [n, v])
        const response = await lab.fetch(url, { method, headers: named, ...sent })
        return { status: response.status, headers: [...response.headers], body: bytes(await response.text()) }
      },
    })
    const query = (more: string) =>
      `${authorization}/authorization?response_type=code&client_id=demo&state=s&scope=openid&code_challenge_method=S256&code_challenge=${'a'.repeat(43)}${more}`
    const evil = '&redirect_uri=https%3A%2F%2Fevil.example%2F'
    const login = await browser.get(query(evil))
    const wrong = await browser.logIn(login, 'alice', 'wrong')
    await browser.logIn(wrong, 'alice', 'wonderland')
    const shown = {
      login,
      wrong,
      consent: await browser.get(query(`${evil}&prompt=consent`)),
      totp: await browser.get(query(`${evil}&acr_values=urn%3Aoauth-lab%3Aacr%3Amfa`)),
      posted: await browser.get(query(`${evil}&response_mode=form_post&prompt=none`)),
      unknown: await browser.get(`${authorization}/authorization?client_id=nobody`),
      device: await browser.get(`${authorization}/device?user_code=BBBB-BBBB`),
      logout: await browser.get(`${authorization}/end-session`),
      frame: await browser.get(`${authorization}/check-session`),
      start: await browser.get(`${client}/`),
      notes: await browser.get(`${client}/notes`),
      callback: await browser.get(`${client}/callback?error=access_denied`),
    }
    const bare = Object.entries(shown).filter(([, { body }]) => !body.includes(NOTICE))
    expect(bare.map(([name, { status, url, body }]) => [name, status, url, body.slice(0, 300)])).toEqual([])
    expect(shown.consent.body).toContain('value="allow"')
    expect(shown.posted.body).toContain('evil.example')
    expect(shown.totp.text).toMatch(/Enter a code/)
  })

  it.each([
    ['a malformed Host', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
    ['too many headers', `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${'a: b\r\n'.repeat(101)}\r\n`],
  ])('has it on the refusal of %s, which no site sees', async (_, sent) => {
    const { hostname: host, port } = new URL(lab.urls.resource)
    const socket = connect({ host, port: Number(port), ca: lab.ca.pem, servername: host })
    socket.write(sent)
    let answer = ''
    for await (const part of socket) answer += String(part)
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer).toContain(`\r\n\r\n${NOTICE}\n`)
  })
})

describe('the sentence on a page', () => {
  const answerOf = async (
    body: string,
    type: string,
    { status = 200, forPrograms = false, path = '/x' } = {},
  ) => {
    const response = { ...textResponse(status, body), headers: [['content-type', type] as const] }
    const site = withWeakNotice(
      { name: 'any', handle: async () => response },
      { notice: 'WEAK', forPrograms },
    )
    const request = {
      id: 1,
      method: 'GET',
      url: `https://localhost${path}`,
      headers: [],
      body: new Uint8Array(),
    }
    return text((await site.handle(request, { publish() {} })).body)
  }

  it.each([
    ['<!doctype html>\n<body><main><h1>Hi</h1></main></body>', /WEAK[\s\S]*<h1>/],
    ['<!DOCTYPE html><body class="a"><h1 id="b">Hi</h1>', /<body class="a">[\s\S]*WEAK[\s\S]*<h1 id="b">/],
    ['<!doctype html><body onload="go()"><form></form>', /onload="go\(\)">[\s\S]*WEAK[\s\S]*<form>/],
    ['<!doctype html>\n<title>$& bye</title>\n', /\$& bye[\s\S]*WEAK/],
  ])('needs no heading: %s', async (page, expected) => {
    const shown = await answerOf(page, 'text/html; charset=utf-8')
    expect(shown).toMatch(expected)
    expect(shown.match(/WEAK/g)).toHaveLength(1)
  })

  it('leaves the words alone that programs compare', async () => {
    expect(await answerOf('ok', 'text/html')).toBe('ok')
    expect(await answerOf('no_service', 'text/plain', { status: 404, forPrograms: true })).toBe('no_service')
    expect(await answerOf('{}', 'application/json', { status: 400 })).toBe('{}')
    expect(await answerOf('aaaa', 'text/plain')).toBe('aaaa')
  })
})

describe('each event that is declared', () => {
  it.each(Object.keys(EVENTS))('%s names the weak modes of its lab', type => {
    const seen: LabEvent[] = []
    const bus = createBus(() => 0, WEAK)
    bus.subscribe(event => seen.push(event))
    bus.publish({ type })
    bus.openRequest().publish({ type, weak: [] })
    expect(seen.map(({ weak }) => weak)).toEqual([WEAK, WEAK])
  })
})
