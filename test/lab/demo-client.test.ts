import { afterEach, describe, expect, it } from 'vitest'
import { bytes, text } from '../../src/http/message.js'
import type { Lab, StartLabOptions } from '../../src/library/lab.js'
import { startLab } from '../../src/library/start-lab.js'
import { createBrowser } from '../demo-client/browser.js'
import { notesOf } from '../demo-client/world.js'

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
function browserOf({ fetch, urls }: Lab<'client'>) {
  return createBrowser({
    now: Date.now,
    at: urls.client,
    reaches: origin => origin === urls.client || origin === urls.authorization,
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

  it('says so when its authorization server publishes nothing', async () => {
    const lab = await open({ config: { stage: 'key-pair' } })
    const page = await browserOf(lab).get('/login')
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('publishes no metadata')])
  })
})
