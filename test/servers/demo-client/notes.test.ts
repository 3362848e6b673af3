import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, headerValues } from '../../../src/protocol/http/message.js'
import { localAddress } from '../../../src/servers/demo-client/defences.js'
import { createNotes } from '../../../src/servers/demo-client/notes.js'
import {
  MAX_BODY_BYTES,
  MAX_NOTE_LENGTH,
  MAX_NOTES,
  MAX_NOTES_BYTES,
  SESSION_LIFETIME,
} from '../../../src/servers/demo-client/settings.js'
import { forAll } from '../../support/for-all.js'
import { FORM, numberedRandom } from '../authorization-server/support.js'
import type { Browser } from './browser.js'
import { answerOf, headerOf, notesOf, SITE, world } from './world.js'

const codes = (found: readonly { readonly type: string; readonly rule?: unknown }[], type: string) =>
  found.filter(each => each.type === type).map(({ rule }) => rule)

const add = async (browser: Browser, text: string) =>
  browser.submit(await browser.get('/notes'), '/notes', { text })

describe('the demo client', () => {
  it('logs a person in, keeps notes, and logs out at the issuer too', async () => {
    const { browser, events, names } = world()
    const alice = browser()
    const front = await alice.get('/')
    expect([front.status, front.text]).toEqual([200, expect.stringContaining('Your notes')])
    const login = await alice.submit(front, '/login')
    expect(login.url).toMatch(/^https:\/\/localhost:8443\/authorization\?/)
    const notes = await alice.logIn(login, 'alice', 'wonderland')
    expect([notes.url, notes.status]).toEqual([`${SITE}/notes`, 200])
    expect(notes.text).toContain('Notes of Alice')
    expect((await add(alice, 'Buy milk')).body).toContain('Buy milk')
    const two = await add(alice, 'Feed the cat')
    expect(two.body.indexOf('Feed the cat')).toBeLessThan(two.body.indexOf('Buy milk'))
    const one = await alice.submit(two, '/notes/delete')
    expect([one.body.includes('Feed the cat'), one.body.includes('Buy milk')]).toEqual([false, true])
    const out = await alice.submit(one, '/logout')
    expect([out.url, out.text]).toEqual([`${SITE}/logged-out`, expect.stringContaining('logged out')])
    // The session of the issuer is over as well: the password is asked for again.
    expect((await alice.get('/notes')).url).toMatch(/\/authorization\?/)
    expect(names().filter(each => each.startsWith('demo_client.'))).toEqual([
      'demo_client.login_started',
      'demo_client.logged_in',
      'demo_client.notes_read',
      ...['demo_client.notes_read', 'demo_client.note_added', 'demo_client.notes_read'],
      ...['demo_client.notes_read', 'demo_client.note_added', 'demo_client.notes_read'],
      ...['demo_client.note_deleted', 'demo_client.notes_read'],
      'demo_client.logged_out',
      'demo_client.login_started',
    ])
    expect(names()).toContain('session.ended')
    const [loggedIn] = events.filter(({ type }) => type === 'demo_client.logged_in')
    expect(loggedIn).toMatchObject({ sub: 'alice', issuer: 'https://localhost:8443', client_id: 'demo-web' })
    const checks = (loggedIn?.checks ?? []) as { readonly name: string; readonly ok: boolean }[]
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['state', 'iss', 'signature', 'aud', 'exp', 'nonce', 'at_hash', 'sub']),
    )
  })

  it('keeps no secret in events, and no note', async () => {
    const { browser, events } = world()
    const alice = browser()
    const login = await alice.get('/login')
    const { searchParams } = new URL(login.url)
    await alice.logIn(login, 'alice', 'wonderland')
    await add(alice, 'a very private note')
    const printed = JSON.stringify(events)
    for (const secret of [searchParams.get('state'), searchParams.get('nonce'), 'a very private note']) {
      expect(printed).not.toContain(secret)
    }
    expect(printed).not.toMatch(/eyJ[\w-]{10}/)
  })

  it('shows markup in notes and names as text', async () => {
    const { browser } = world({
      server: {
        users: [{ username: 'eve', password: 'x', claims: { name: '<img src=x onerror=alert(1)>' } }],
      },
    })
    const eve = browser()
    const page = await notesOf(eve, 'eve', 'x')
    expect(page.body).toContain('Notes of &lt;img src=x onerror=alert(1)&gt;')
    const noted = await add(eve, '</textarea><script>alert(1)</script>')
    expect(noted.body).not.toContain('<script')
    expect(noted.body).toContain('&lt;/textarea&gt;&lt;script&gt;')
    expect(headerOf(noted, 'content-security-policy')).toContain("default-src 'none'")
    expect(headerOf(noted, 'content-security-policy')).not.toContain('script-src')
  })

  it('keeps the notes of one person from another, in one browser and in two', async () => {
    const { browser } = world()
    const alice = browser()
    await notesOf(alice)
    const noted = await add(alice, 'of alice')
    const bob = browser()
    expect((await notesOf(bob, 'bob', 'builder')).body).not.toContain('of alice')
    await alice.submit(noted, '/logout')
    expect((await notesOf(alice, 'bob', 'builder')).body).not.toContain('of alice')
    // A form of alice's page is worth nothing in bob's session or browser.
    const stale = await alice.submit(noted, '/notes/delete')
    expect([stale.status, stale.text]).toEqual([403, expect.stringContaining('RFC 6749 §10.12')])
    expect((await bob.submit({ ...noted }, '/notes', { text: 'planted' })).status).toBe(403)
  })

  it('sets cookies that no script, no other host and no other site uses, and a new one for each login', async () => {
    const { browser } = world()
    const alice = browser()
    const cookies: string[] = []
    const spying: Browser['ask'] = async request => {
      const response = await alice.ask(request)
      cookies.push(...headerValues(response, 'set-cookie'))
      return response
    }
    const get = (url: string) => spying({ method: 'GET', url, headers: [], body: bytes('') })
    const fixed = ['cookie', '__Host-demo-web-session=planted'] as const
    const { href: back } = await answerOf(alice)
    await spying({ method: 'GET', url: back, headers: [fixed], body: bytes('') })
    await get(`${SITE}/notes`)
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(/^__Host-demo-web-session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
    const planted = await world()
      .browser()
      .ask({ method: 'GET', url: `${SITE}/notes`, headers: [fixed], body: bytes('') })
    expect(planted.status).toBe(303)
  })

  it.each([
    ['an empty note', ' \n ', 400, 'RFC 9110 §15.5.1'],
    ['a long note', 'x'.repeat(MAX_NOTE_LENGTH + 1), 413, 'RFC 9110 §15.5.14'],
    ['a huge form', 'x'.repeat(MAX_BODY_BYTES), 413, 'RFC 9110 §15.5.14'],
  ])('refuses %s', async (_, text, status, rule) => {
    const { browser, events } = world()
    const alice = browser()
    await notesOf(alice)
    const page = await add(alice, text)
    expect(page.status).toBe(status)
    expect(codes(events, 'demo_client.request_refused')).toEqual([rule])
  })

  it('takes the longest note that its page allows, whatever its line ends are', async () => {
    const { browser } = world()
    const alice = browser()
    await notesOf(alice)
    expect((await add(alice, 'x\r\n'.repeat(MAX_NOTE_LENGTH / 2))).status).toBe(200)
  })

  it('keeps no more notes than its limit', async () => {
    const { browser } = world()
    const alice = browser()
    let page = await notesOf(alice)
    for (let i = 0; i < MAX_NOTES; i++) page = await alice.submit(page, '/notes', { text: `note ${i}` })
    expect(page.status).toBe(200)
    page = await alice.submit(page, '/notes', { text: 'one more' })
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('delete one first')])
    expect(page.body).toContain('one more</textarea>')
  })

  it('keeps no more than its memory, and deletes make room again', () => {
    const notes = createNotes({ now: () => 0, random: numberedRandom() })
    const text = 'x'.repeat(MAX_NOTE_LENGTH)
    let account = 0
    const fill = () => {
      for (;;) notes.add(String(Math.floor(account++ / MAX_NOTES)), text)
    }
    expect(fill).toThrow(/too much memory/)
    expect(account * 2 * MAX_NOTE_LENGTH).toBeLessThan(MAX_NOTES_BYTES)
    const [first] = notes.of('0')
    expect(notes.remove('1', first?.id ?? '')).toBe(false)
    expect(notes.remove('0', first?.id ?? '')).toBe(true)
    expect(() => notes.add('new', text)).not.toThrow()
  })

  it('ends a session in time', async () => {
    const { browser, clock } = world()
    const alice = browser()
    await notesOf(alice)
    clock.now += SESSION_LIFETIME - 1
    expect((await alice.get('/notes')).text).toContain('Notes of Alice')
    clock.now += 1
    expect((await alice.get('/notes')).url).toMatch(/\/authorization\?/)
  })

  it.each([
    ['GET', '/logout', 405],
    ['GET', '/nowhere', 404],
    ['PUT', '/notes', 405],
  ])('answers %s %s with %i', async (method, path, status) => {
    const { handle } = world()
    const response = await handle({ method, url: SITE + path, headers: [], body: bytes('') })
    expect(response.status).toBe(status)
  })

  it('refuses a form of another type, and one that cannot be decoded', async () => {
    const { handle } = world()
    const post = (type: string, body: Uint8Array) =>
      handle({ method: 'POST', url: `${SITE}/notes`, headers: [['content-type', type]], body })
    expect((await post('application/json', bytes('{}'))).status).toBe(415)
    expect((await post(FORM[1], bytes('text=%zz'))).status).toBe(400)
    expect((await post(FORM[1], new Uint8Array([0xff]))).status).toBe(400)
    expect((await post(FORM[1], bytes('text=a&text=b'))).status).toBe(400)
  })
})

describe('an address to return to', () => {
  it.each(['/notes', '/', '/notes?x=1&y=%2F', '/a/../b', '/@evil.example'])('may be %s', address => {
    expect(new URL(localAddress(address), SITE).origin).toBe(SITE)
  })

  it.each([
    ...['https://evil.example', '//evil.example', '/\\evil.example', '/\t/evil.example', '\\/evil.example'],
    ...[
      'javascript:alert(1)',
      '',
      'notes',
      '/.//evil.example',
      '/..//evil.example',
      '/\u2028',
      `/${'x'.repeat(600)}`,
    ],
  ])('is not %j', address => {
    expect(() => localAddress(address)).toThrow(/return_to/)
  })

  it('never leads a browser elsewhere', async () => {
    const parts = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '\t',
      '@',
      ':',
      'evil.example',
      '?',
      '#',
      '%2f',
      'https',
    )
    await forAll(fc.array(parts, { maxLength: 8 }), pieces => {
      try {
        expect(new URL(localAddress(`/${pieces.join('')}`), SITE).origin).toBe(SITE)
      } catch (error) {
        expect(String(error)).toContain('return_to')
      }
    })
  })

  it('is where a login leads back to', async () => {
    const { browser } = world()
    const alice = browser()
    const page = await alice.logIn(
      await alice.get('/login?return_to=%2Fnotes%3Fseen%3D1'),
      'alice',
      'wonderland',
    )
    expect(page.url).toBe(`${SITE}/notes?seen=1`)
  })
})
