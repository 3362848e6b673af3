import { afterEach, describe, expect, it } from 'vitest'
import { labConfigFrom } from '../../../src/lab/lab-file/config.js'
import { maskedLabFile } from '../../../src/lab/lab-file/masked-lab-file.js'
import { bytes, text } from '../../../src/protocol/http/message.js'
import type { Lab, StartLabOptions } from '../../../src/session/api/lab.js'
import { startLab } from '../../../src/session/api/start-lab.js'
import { createBrowser } from '../../servers/demo-client/browser.js'
import { notesOf } from '../../servers/demo-client/world.js'
import { temporaryFolder } from '../../support/program.js'

const opened: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.stop()
})

async function open(options: StartLabOptions<'client'>): Promise<Lab<'client'>> {
  const lab = await startLab({ sites: ['client'], ...options })
  opened.push(lab)
  return lab
}

/** A browser that uses the sockets of a lab. */
function browserOf({ fetch, urls }: Lab<'client'>, ...more: readonly string[]) {
  return createBrowser({
    now: Date.now,
    at: urls.client,
    reaches: origin => [urls.client, urls.authorization, ...more].includes(origin),
    async handle({ method, url, headers, body }) {
      const content = method === 'POST' ? { body: text(body) } : {}
      const response = await fetch(url, {
        method,
        headers: headers.map(([n, v]): [string, string] => [n, v]),
        ...content,
      })
      return { status: response.status, headers: [...response.headers], body: bytes(await response.text()) }
    },
  })
}

describe('the demo client of a lab', () => {
  it('logs people in over TLS, on any port, and links its requests to what caused them', async () => {
    const lab = await open({})
    const page = await notesOf(browserOf(lab))
    expect([page.url, page.text]).toEqual([
      `${lab.urls.client}/notes`,
      expect.stringContaining('Notes of Alice Liddell'),
    ])
    const [loggedIn] = lab.events.past('demo_client.logged_in')
    const [redeemed] = lab.events.past('code.redeemed')
    expect(redeemed?.cause).toBe(loggedIn?.request)
    expect(page.body).not.toContain('WEAK')
  })

  it('needs no entry in the lab file', async () => {
    const lab = await open({ config: { clients: [], users: [{ username: 'zoe', password: 'zoe' }] } })
    expect((await notesOf(browserOf(lab), 'zoe', 'zoe')).text).toContain('Notes of zoe')
  })

  it('is closed unless it is asked for, and opened by its weak modes, which every page names', async () => {
    const strict = await startLab({ sites: [] })
    opened.push(strict)
    expect(Object.keys(strict.urls)).toEqual(['authorization'])
    const lab = (await startLab({ sites: [], weak: ['no-state'] })) as Lab<'client'>
    opened.push(lab)
    const browser = browserOf(lab)
    for (const path of ['/', '/callback?error=x', '/login?return_to=x', '/logged-out']) {
      expect((await browser.get(path)).text).toContain('WEAK on purpose: sends no state')
    }
    const page = await notesOf(browser)
    expect(page.text).toContain('Notes of Alice Liddell')
    expect(page.text).toContain('WEAK on purpose: sends no state')
    expect(lab.events.past('demo_client.logged_in')).toMatchObject([{ weak: ['no-state'] }])
  })

  it('logs people in with another server of the lab file, at an address of its own', async () => {
    // One state folder, so that both labs have the CA that the client trusts.
    const { path: home, remove } = temporaryFolder()
    const users = [{ username: 'dora', password: 'explorer', claims: { name: 'Dora' } }]
    const second = await startLab({ sites: [], home, config: { users } })
    const entry = { client_id: 'notes', client_secret: 'a-secret-of-the-second-server-0123456789' }
    const issuers = [{ name: 'second', issuer: second.issuer, ...entry }]
    const lab = await open({ home, config: { demo_client: { issuers } } })
    opened.push(second, { stop: async () => remove() })
    const callback = `${lab.urls.client}/callback/second`
    await second.addClient({ ...entry, redirect_uris: [callback] })
    const browser = browserOf(lab, second.issuer)
    const front = await browser.get('/')
    expect(front.body).toContain(`Log in with ${new URL(lab.issuer).host}`)
    expect(front.body).toContain(`Log in with ${new URL(second.issuer).host}`)
    const page = await browser.logIn(await browser.get('/login?issuer=second'), 'dora', 'explorer')
    expect(page.text).toContain('Notes of Dora')
    expect(lab.events.past('demo_client.logged_in')).toMatchObject([{ issuer: second.issuer, sub: 'dora' }])
    expect(lab.events.past('demo_client.login_started')).toMatchObject([{ redirect_uri: callback }])
  })

  it('says so when its authorization server publishes nothing', async () => {
    const lab = await open({ config: { stage: 'key-pair' } })
    const page = await browserOf(lab).get('/login')
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('publishes no metadata')])
  })
})

describe('issuers of the demo client in a lab file', () => {
  const entry = {
    name: 'second',
    issuer: 'https://second.example',
    client_id: 'notes',
    client_secret: 'geheim',
  }
  const load = (...issuers: object[]) => labConfigFrom({ demo_client: { issuers } }, 'the test')

  it('become issuers, and keep their secrets out of what is shown', async () => {
    const { clientIssuers, effective } = await load(entry, {
      ...entry,
      name: 'b',
      issuer: 'https://b',
      client_secret: undefined,
    })
    expect(clientIssuers).toEqual([
      {
        issuer: entry.issuer,
        key: 'second',
        clientId: 'notes',
        clientSecret: 'geheim',
        auth: 'client_secret_basic',
      },
      { issuer: 'https://b', key: 'b', clientId: 'notes', auth: 'none' },
    ])
    expect(JSON.stringify(maskedLabFile(effective, '*').demo_client)).not.toContain('geheim')
  })

  it.each([
    ['a name twice', [entry, { ...entry, issuer: 'https://b' }], /occurs twice/],
    ['an issuer twice', [entry, { ...entry, name: 'b' }], /occurs twice/],
    ['the name of the lab', [{ ...entry, name: 'lab' }], /is not lab/],
    ['a name with a slash', [{ ...entry, name: 'a/b' }], /lower-case letters/],
    ['plain HTTP', [{ ...entry, issuer: 'http://second.example' }], /https address/],
    ['a query', [{ ...entry, issuer: 'https://second.example?x' }], /https address/],
  ])('are refused with %s', async (_, issuers, message) => {
    await expect(load(...issuers)).rejects.toMatchObject({ message: expect.stringMatching(message) })
  })
})
