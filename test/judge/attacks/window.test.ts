import { describe, expect, it } from 'vitest'
import { createSightings, createWindow } from '../../../src/judge/attacks/window.js'
import {
  bytes,
  type HttpRequest,
  type HttpResponse,
  redirectResponse,
  textResponse,
} from '../../../src/protocol/http/message.js'

const LAB = 'https://localhost:8443'

const AGENT = [['user-agent', 'Mozilla/5.0']] as const

const request = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => {
  return { method: 'GET', url, headers: AGENT, body: new Uint8Array(), ...more }
}

/** A site that a browser visits, and the window that waits for the browser. */
function watched({ patience = 5_000, signal = new AbortController().signal } = {}) {
  const sightings = createSightings(() => 1_000, signal, patience)
  const answers = new Map<string, HttpResponse>()
  const site = sightings.watch({
    name: 'lab',
    handle: async ({ url }) => answers.get(url) ?? textResponse(200, 'a page'),
  })
  const said: string[] = []
  const opened: string[] = []
  const window = createWindow(
    {
      sightings,
      name: 'alice',
      say: line => void said.push(line),
      open: async url => void opened.push(url),
    },
    { send: () => Promise.reject(new Error('no program runs here')) },
  )
  const visit = (url: string, more?: Partial<HttpRequest>) =>
    site.handle(request(url, more), { publish: () => {} })
  return { window, visit, answers, said, opened }
}

describe('the window of a person', () => {
  it('opens a typed address, prints it, and waits for that request alone', async () => {
    const { window, visit, said, opened } = watched()
    const page = window.open(`${LAB}/login#top`)
    await visit(`${LAB}/favicon.ico`)
    await visit(`${LAB}/login`, { method: 'HEAD' })
    await visit(`${LAB}/login`)
    expect((await page).request.url).toBe(`${LAB}/login`)
    expect(opened).toEqual([`${LAB}/login#top`])
    expect(said).toEqual([`alice: open this address in your browser:  ${LAB}/login#top`])
  })

  it('opens nothing where a page goes on by itself, and finds what came before it asked', async () => {
    const { window, visit, answers, opened } = watched()
    answers.set(`${LAB}/a`, redirectResponse(`${LAB}/x/../b`))
    for (const path of ['a', 'b', 'c']) await visit(`${LAB}/${path}`)
    const first = await window.open(`${LAB}/a`)
    const second = await window.follow(first)
    expect(second?.request.url).toBe(`${LAB}/b`)
    expect(await window.follow(second!)).toBeUndefined()
    expect((await window.open(`${LAB}/c`, { from: second! })).request.url).toBe(`${LAB}/c`)
    expect(opened).toEqual([`${LAB}/a`])
  })

  it('takes no request of a program for one of the browser', async () => {
    const { window, visit } = watched({ patience: 50 })
    await visit(`${LAB}/login`, { headers: [] })
    await expect(window.open(`${LAB}/login`)).rejects.toThrow(
      'no browser sent GET https://localhost:8443/login',
    )
  })

  it('waits for the note that is asked for, among other notes', async () => {
    const { window, visit, said } = watched()
    await visit(`${LAB}/notes`)
    const page = await window.open(`${LAB}/notes`)
    const sent = window.post(`${LAB}/notes`, [], page, { typed: 'my number is 7' })
    for (const note of ['hello', 'my+number+is+7%21']) {
      await visit(`${LAB}/notes`, { method: 'POST', body: bytes(`csrf=x&text=${note}`) })
    }
    expect((await sent).request.body).toBe('csrf=x&text=my+number+is+7%21')
    expect(said.at(-1)).toBe('alice: write this into the form, and send it:  my number is 7')
  })

  it('ends with the signal, however many requests came', async () => {
    const ending = new AbortController()
    const { window, visit } = watched({ signal: ending.signal })
    const page = window.open(`${LAB}/never`)
    for (let i = 0; i < 300; i++) await visit(`${LAB}/${i}`)
    ending.abort(new Error('ended'))
    await expect(page).rejects.toThrow('ended')
  })
})
