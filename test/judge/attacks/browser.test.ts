import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recover } from '../../../src/judge/attacks/breach-recovery.js'
import { createBrowser, refererOf } from '../../../src/judge/attacks/browser.js'
import { refusesFrames } from '../../../src/judge/attacks/catalogue/clickjacked-consent.js'
import type { Exchange, Send } from '../../../src/protocol/http/exchange.js'
import { type HeaderList, type HttpRequest, headerValues } from '../../../src/protocol/http/message.js'

const LAB = 'https://localhost:8443'
const OTHER = 'https://127.0.0.1:9000'

/** An exchange as a transport would record it. */
const exchange = (url: string, headers: HeaderList = [], status = 200): Exchange => ({
  request: { method: 'GET', url, headers: [], body: '' },
  response: { status, headers, body: '' },
  wireBytes: { request: 0, response: 0 },
  bodyBytes: 0,
  ms: 1,
  at: '2026-01-01T00:00:00Z',
})

describe('Referer (Referrer Policy §3, §8.3)', () => {
  const page = `${LAB}/authorization?state=s#fragment`
  const whole = `${LAB}/authorization?state=s`
  it.each([
    [undefined, `${LAB}/x`, whole],
    [undefined, `${OTHER}/x`, `${LAB}/`],
    ['same-origin', `${LAB}/x`, whole],
    ['same-origin', `${OTHER}/x`, undefined],
    ['no-referrer', `${LAB}/x`, undefined],
    ['origin', `${LAB}/x`, `${LAB}/`],
    ['unsafe-url', `${OTHER}/x`, whole],
    ['no-referrer-when-downgrade', `${OTHER}/x`, whole],
    ['unsafe-url', 'http://127.0.0.1/x', whole],
    [undefined, 'http://127.0.0.1/x', undefined],
  ])('%s, to %s: %s', (policy, target, expected) => {
    const headers: HeaderList = policy === undefined ? [] : [['Referrer-Policy', policy]]
    expect(refererOf(exchange(page, headers), target)[0]?.[1]).toBe(expected)
  })
})

describe('frames (CSP Level 3 §6.4.2)', () => {
  it.each<[HeaderList, string | undefined]>([
    [[], undefined],
    [[['x-frame-options', 'DENY']], 'X-Frame-Options: DENY'],
    [[['x-frame-options', 'SAMEORIGIN']], 'X-Frame-Options: SAMEORIGIN'],
    [[['content-security-policy', "default-src 'none'; frame-ancestors 'none'"]], "frame-ancestors 'none'"],
    [
      [
        ['content-security-policy', 'frame-ancestors *'],
        ['x-frame-options', 'DENY'],
      ],
      undefined,
    ],
    [[['content-security-policy', "default-src 'none'"]], undefined],
  ])('%j', (headers, expected) => {
    expect(refusesFrames(exchange(LAB, headers))).toBe(expected)
  })
})

describe('the browser of a person', () => {
  const COOKIES: HeaderList = [
    ['set-cookie', '__Host-lax=1; Path=/; Secure; SameSite=Lax'],
    ['set-cookie', '__Host-none=1; Path=/; Secure; SameSite=None'],
    ['set-cookie', '__Host-strict=1; Path=/; Secure; SameSite=Strict'],
  ]

  /** A browser that has the cookies, and the requests that it sends from then on. */
  async function visited() {
    const sent: HttpRequest[] = []
    const network: Send = async request => {
      sent.push(request)
      return exchange(request.url, sent.length === 1 ? COOKIES : [])
    }
    const browser = createBrowser(network, Date.now, new AbortController().signal)
    const first = await browser.open(`${LAB}/`)
    const last = () => headerValues(sent.at(-1)!, 'cookie')[0]
    return { browser, first, last, sent }
  }

  it('sends the cookies that a request from a page may carry', async () => {
    const { browser, first, last } = await visited()
    const foreign = exchange(`${OTHER}/game`)
    await browser.open(`${LAB}/typed`)
    expect(last()).toBe('__Host-lax=1; __Host-none=1; __Host-strict=1')
    await browser.open(`${LAB}/link`, { from: first })
    expect(last()).toContain('__Host-strict=1')
    await browser.open(`${LAB}/link`, { from: foreign })
    expect(last()).toBe('__Host-lax=1; __Host-none=1')
    await browser.open(`${LAB}/frame`, { from: foreign, framed: true })
    expect(last()).toBe('__Host-none=1')
    await browser.post(`${LAB}/form`, [['a', 'b']], foreign)
    expect(last()).toBe('__Host-none=1')
    await browser.open(`${OTHER}/`)
    expect(last()).toBeUndefined()
  })

  it('sends no cookie from a program, and remembers the last answer of either', async () => {
    const { browser, last } = await visited()
    await browser.send({ method: 'GET', url: `${LAB}/api`, headers: [], body: new Uint8Array() })
    expect(last()).toBeUndefined()
    expect(browser.last()?.request.url).toBe(`${LAB}/api`)
  })
})

describe('BREACH', () => {
  /** The length of a page in which every echoed character that repeats the page costs nothing. */
  const lengthOf = (page: string, echoed: string): number => {
    let longest = 0
    for (let from = 0; from < echoed.length; from++) {
      let to = from + longest + 1
      while (to <= echoed.length && page.includes(echoed.slice(from, to))) to += 1
      longest = Math.max(longest, to - 1 - from)
    }
    return page.length + echoed.length - longest
  }

  async function recovered(secret: string, measure: (echoed: string) => number) {
    const search = recover({
      prefixes: ['csrf value='],
      length: secret.length,
      measure: async echoed => measure(echoed),
    })
    for (;;) {
      const { value, done } = await search.next()
      if (done) return value
    }
  }

  it('recovers a secret from lengths alone', async () => {
    const character = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_')
    const secrets = fc.array(character, { minLength: 20, maxLength: 20 }).map(each => each.join(''))
    await fc.assert(
      fc.asyncProperty(secrets, async secret => {
        const page = `<form><input type=hidden name=csrf value=${secret}></form>`
        expect(await recovered(secret, echoed => lengthOf(page, echoed))).toBe(secret)
      }),
      { numRuns: 10 },
    )
  })

  it('is not led astray by a port with digits that the alphabet has in this order', async () => {
    const secret = 'q23iU0KwLfX7ZpAd'
    const page = `<p>answers at https://127.0.0.1:35671</p><input type=hidden name=csrf value=${secret}>`
    const gzipped = (echoed: string) => gzipSync(`${page}<p>${echoed}</p>`, { level: 1 }).length
    expect(await recovered(secret, gzipped)).toBe(secret)
  })

  it('does not take the echo of a run for a secret', async () => {
    const page = '<form><input type=hidden name=csrf></form>'
    const overlapping = (echoed: string) => gzipSync(`${page}${echoed}`, { level: 1 }).length
    const search = recover({ prefixes: ['aaaaaa'], length: 43, measure: async each => overlapping(each) })
    let last = await search.next()
    while (!last.done) last = await search.next()
    expect(last.value).toBeUndefined()
  })

  it('gives up where every page is as long as any other', async () => {
    expect(await recovered('a-secret', () => 1000)).toBeUndefined()
  })
})
