import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hasZstd } from '../../../../src/protocol/http/codings.js'
import { type HttpRequest, header, textResponse } from '../../../../src/protocol/http/message.js'
import {
  csrfOf,
  echoing,
  loginPath,
  studyBreach,
  weighGuesses,
  withCsrf,
  wrongGuesses,
} from '../../../../src/servers/compression/studies/breach.js'
import { askOf, type SentRequest } from './weighed.js'

const value = 'kT3vZq8LmNp2RsX4yBcD6fGhJ1wQe5uI7oA9zV0nMb-'
const page = `<form method="post">\n<input type="hidden" name="csrf" value="${value}">\n</form>`

describe('the csrf value of a page', () => {
  it('is read and replaced, with every character as it is', () => {
    expect(csrfOf(page)).toBe(value)
    expect(withCsrf(page, 'other$&')).toBe(page.replace(value, () => 'other$&'))
    expect(csrfOf('<form></form>')).toBeUndefined()
    expect(withCsrf('<form></form>', 'other')).toBe('<form></form>')
  })

  it('may stand without quotes, as on a page of the weak mode no-mask', () => {
    const bare = `<form method="post"><input type=hidden name=csrf value=${value}></form>`
    expect(csrfOf(bare)).toBe(value)
    expect(withCsrf(bare, 'other')).toBe(bare.replace(value, 'other'))
  })
})

it('echoing adds the guess to the form as a parameter of the request', () => {
  const echo = echoing(page, 'guess')
  expect(echo).toMatch(/name="state" value="csrf&quot; value=&quot;guess"><\/form>$/)
  expect(echo.startsWith(page.replace('</form>', ''))).toBe(true)
})

it('wrongGuesses differ from the value in every character, and from each other', () => {
  const wrong = wrongGuesses(value, 6)
  expect(wrong).toHaveLength(6)
  expect(new Set([value, ...wrong]).size).toBe(7)
  for (const each of wrong) {
    expect(each).toMatch(/^[\w-]{43}$/)
    expect([...each].filter((character, at) => character === value[at]).length).toBeLessThanOrEqual(1)
  }
})

describe('weighGuesses', () => {
  it.each(hasZstd ? (['gzip', 'br', 'zstd'] as const) : (['gzip', 'br'] as const))(
    'sees a fixed value in the length of %s, and no masked one',
    async coding => {
      const guesses = { right: value, wrong: wrongGuesses(value, 6), coding }
      const fixed = await weighGuesses(async () => page, { ...guesses, pages: 1 })
      expect(fixed.givesAway).toBe(true)
      expect(fixed.guesses.map(({ guess }) => guess)).toEqual([value, ...guesses.wrong])
      expect(fixed.guesses.map(({ right }) => right)).toEqual([true, ...Array<boolean>(6).fill(false)])
      const [right, ...wrong] = fixed.guesses.map(({ bytes }) => bytes)
      expect(fixed.gap).toBe(Math.min(...wrong) - right!)
      expect(fixed.gap).toBeGreaterThan(8)
      let n = 0
      const another = async () => withCsrf(page, wrongGuesses(value, 40)[10 + (n++ % 30)]!)
      const masked = await weighGuesses(another, { ...guesses, pages: 5 })
      expect(masked.givesAway).toBe(false)
      expect(n).toBe(35)
    },
  )

  it('sees a value only in a gap of more than 8 bytes', async () => {
    // Text that repeats nothing, so that each character that a guess shares shortens the page.
    const secret = createHash('sha512').update('secret').digest('hex')
    const guessOf = (shared: number) => secret.slice(0, shared) + 'ghijklmnopqrstuvwxyz'.slice(0, 20)
    const seen = new Set<boolean>()
    for (let shared = 4; shared < 60; shared++) {
      const { gap, givesAway } = await weighGuesses(async () => withCsrf(page, secret), {
        right: guessOf(shared),
        wrong: [guessOf(0) + value.slice(0, shared)],
        coding: 'gzip',
        pages: 1,
      })
      expect([gap, givesAway]).toEqual([gap, gap > 8])
      seen.add(givesAway)
    }
    expect(seen.size).toBe(2)
  })

  it('takes the median of the pages', async () => {
    const pages = [page.repeat(3), page, `${page}${value}${[...value].reverse().join('')}`]
    let n = 0
    const sizes: number[] = []
    for (const each of pages) {
      const { guesses } = await weighGuesses(async () => each, {
        right: value,
        wrong: [],
        coding: 'gzip',
        pages: 1,
      })
      sizes.push(guesses[0]!.bytes)
    }
    const { guesses } = await weighGuesses(async () => pages[n++ % 3]!, {
      right: value,
      wrong: [],
      coding: 'gzip',
      pages: 3,
    })
    expect(guesses[0]?.bytes).toBe(sizes.toSorted((a, b) => a - b)[1])
  })
})

const client = {
  client_id: 'a b',
  enabled: true,
  response_types: ['token', 'code'],
  redirect_uris: ['http://127.0.0.1/cb', 'http://other/'],
}

it('loginPath is an authorization request of the first client that can use the code flow', () => {
  const others = [
    { ...client, enabled: false },
    { ...client, response_types: ['token'] },
    { ...client, redirect_uris: [] },
  ]
  const url = new URL(loginPath([...others, client, { ...client, client_id: 'last' }]), 'https://localhost')
  expect(url.pathname).toBe('/authorization')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'a b',
    redirect_uri: 'http://127.0.0.1/cb',
    state: expect.any(String),
    // The challenge of RFC 7636 Appendix B.
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  expect(() => loginPath(others)).toThrow(expect.objectContaining({ kind: 'usage' }))
})

describe('studyBreach', () => {
  const url = 'https://localhost:8443/authorization?a'

  it('compares a page with a fixed value and pages of one browser with masked values', async () => {
    const sent: SentRequest[] = []
    let n = 0
    const answer = async (request: HttpRequest) => {
      expect(n === 0 || header(request, 'cookie') === 'browser=1').toBe(true)
      return textResponse(200, withCsrf(page, wrongGuesses(value, 60)[n++]!), [
        ['Set-Cookie', 'browser=1; Path=/; HttpOnly'],
      ])
    }
    const study = await studyBreach(url, 'gzip', askOf(answer, sent))
    expect(study).toMatchObject({
      url,
      coding: 'gzip',
      fixed: { givesAway: true, guesses: { length: 7 } },
      masked: { givesAway: false, guesses: { length: 7 } },
    })
    expect(study.fixed.guesses[0]).toMatchObject({ right: true, guess: wrongGuesses(value, 1)[0] })
    // One first page, and five for each guess at the masked value.
    expect(sent).toHaveLength(36)
    expect(sent.every(each => each.url === url && each.offer === null)).toBe(true)
  })

  it.each([
    ['a csrf value', textResponse(200, '<form></form>', [['Set-Cookie', 'a=b']])],
    ['an empty csrf value', textResponse(200, withCsrf(page, ''), [['Set-Cookie', 'a=b']])],
    ['a cookie', textResponse(200, page)],
  ])('refuses a page without %s', async (_, answer) => {
    const study = studyBreach(
      url,
      'gzip',
      askOf(async () => answer),
    )
    await expect(study).rejects.toMatchObject({
      kind: 'transport',
      code: 'EBADMSG',
      message: expect.stringContaining('https://localhost:8443 '),
    })
  })
})
