import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  availableDictionary,
  decodeWithDictionary,
  dictionaryCodings,
  hashOf,
} from '../../../src/protocol/http/codings.js'
import {
  type HeaderList,
  type HttpRequest,
  header,
  text,
  textResponse,
} from '../../../src/protocol/http/message.js'
import { createCompressResponse } from '../../../src/servers/compression/compress-response.js'
import { findPayloadDictionary, withPayloads } from '../../../src/servers/compression/payload.js'
import { recordingSite } from '../../support/ask.js'

const codings = await dictionaryCodings()
const site = recordingSite(
  withPayloads(
    { name: 'authorization', handle: async () => textResponse(200, 'the site itself') },
    { dictionaries: true },
  ),
)
const compress = createCompressResponse(findPayloadDictionary)
const letters = (kb: number) => Buffer.alloc(kb * 1024, 'a')
const dictionary = letters(2)
const available: HeaderList = [['Available-Dictionary', availableDictionary(hashOf(dictionary))]]
const BROWSER = 'gzip, deflate, br, zstd, dcb, dcz'

async function get(path: string, offer: string, headers: HeaderList = available) {
  const request: HttpRequest = {
    method: 'GET',
    url: `https://localhost:8443${path}`,
    headers: [['Accept-Encoding', offer], ...headers],
    body: new Uint8Array(),
  }
  return compress(request, await site.handle(request))
}
const codingOf = async (...asked: Parameters<typeof get>) =>
  header(await get(...asked), 'content-encoding') ?? 'identity'

describe('payloads as dictionaries', () => {
  it('are offered while fresh for the payloads of the origin, up to 1 MiB, with both fields in Vary', async () => {
    for (const [kb, offered] of [
      [0, false],
      [1, true],
      [1024, true],
      [1025, false],
    ] as const) {
      const answer = await get(`/kb/${kb}`, 'br', [])
      expect(header(answer, 'use-as-dictionary')).toBe(offered ? 'match="/kb/*"' : undefined)
      expect(header(answer, 'cache-control')).toBe(offered ? 'max-age=3600' : undefined)
      expect(header(answer, 'vary')).toBe('Accept-Encoding, Available-Dictionary')
    }
  })

  it('are known by their hash, also without having been sent', () => {
    for (const kb of [1, 2, 200, 1024]) {
      expect(letters(kb).equals(findPayloadDictionary(hashOf(letters(kb)))!)).toBe(true)
    }
    expect(findPayloadDictionary(hashOf(letters(1025)))).toBeUndefined()
    expect(findPayloadDictionary(hashOf(new Uint8Array()))).toBeUndefined()
  })

  it('are not offered by a server that cannot code with them', async () => {
    const plain = recordingSite(withPayloads({ name: 'a', handle: async () => textResponse(404, '') }))
    const request = { method: 'GET', url: 'https://localhost/kb/2', headers: [], body: new Uint8Array() }
    const answer = await createCompressResponse()(request, await plain.handle(request))
    expect(header(answer, 'use-as-dictionary')).toBeUndefined()
    expect(header(answer, 'vary')).toBe('Accept-Encoding')
  })
})

/** A title that says why a test cannot run. */
const named = (title: string) =>
  codings.length === 2 ? title : `${title} (skipped: this Node.js takes no dictionary)`

describe.skipIf(codings.length < 2)(named('an answer with a dictionary'), () => {
  it.each([
    ['dcb', 'ff444342'],
    ['dcz', '5e2a4d1820000000'],
  ] as const)(
    'in %s begins with its magic and the hash, and is decoded with the dictionary alone',
    async (coding, magic) => {
      const answer = await get('/kb/200', coding)
      expect(header(answer, 'content-encoding')).toBe(coding)
      expect(header(answer, 'vary')).toBe('Accept-Encoding, Available-Dictionary')
      const hash = createHash('sha256').update(dictionary).digest('hex')
      expect(Buffer.from(answer.body).toString('hex')).toMatch(new RegExp(`^${magic}${hash}`))
      const decode = (dictionary: Uint8Array, body = answer.body, maxOutputLength = 1e6) =>
        decodeWithDictionary(coding, body, { dictionary, maxOutputLength })
      expect(text(decode(dictionary))).toBe('a'.repeat(200 * 1024))
      expect(() => decode(letters(3))).toThrow('names another dictionary')
      expect(() => decode(dictionary, answer.body.subarray(1))).toThrow('does not begin')
      expect(() => decode(dictionary, answer.body, 1e5)).toThrow(RangeError)
    },
  )

  it('comes to a client that names the coding and has the dictionary', async () => {
    expect(await codingOf('/kb/200', BROWSER)).toBe('dcb')
    expect(await codingOf('/kb/200', 'dcb;q=0.5, dcz')).toBe('dcz')
    expect(await codingOf('/kb/200', 'dcb;q=0.5, gzip')).toBe('gzip')
    expect(await codingOf('/kb/200', 'dcb;q=0, dcz;q=0, br')).toBe('br')
    expect(await codingOf('/kb/200', '*')).toBe('br')
    expect(await codingOf('/kb/0', BROWSER)).toBe('identity')
    expect(await codingOf('/kb/5000', BROWSER)).toBe('dcb')
    expect(await codingOf('/elsewhere', BROWSER)).not.toBe('dcb')
    expect(await codingOf('/kb/x', BROWSER)).not.toBe('dcb')
  })

  const hash = hashOf(dictionary).toString('base64')
  it.each<[string, HeaderList]>([
    ['no dictionary', []],
    ['an unknown hash', [['Available-Dictionary', availableDictionary(hashOf(Buffer.from('other')))]]],
    ['no byte sequence', [['Available-Dictionary', hash]]],
    ['a string', [['Available-Dictionary', `"${hash}"`]]],
    ['another length', [['Available-Dictionary', `:${hash.slice(0, -4)}:`]]],
    ['the field twice', [...available, ...available]],
    ['a list', [['Available-Dictionary', `:${hash}:, :${hash}:`]]],
    ['an empty field', [['Available-Dictionary', '']]],
    ['a hash in hexadecimal', [['Available-Dictionary', hashOf(dictionary).toString('hex')]]],
  ])('does not come for %s', async (_, headers) => {
    expect(await codingOf('/kb/200', BROWSER, headers)).toBe('br')
  })

  it.each([`  :${hash}:  `, `:${hash}:;parameter`, `:${hash.replace('=', '')}:`])(
    'comes for the byte sequence %j',
    async value => {
      expect(await codingOf('/kb/200', BROWSER, [['Available-Dictionary', value]])).toBe('dcb')
    },
  )

  const CROSS = { 'Sec-Fetch-Site': 'cross-site' }
  it.each<[string, Record<string, string>, string]>([
    ['of the same origin', { 'Sec-Fetch-Site': 'same-origin' }, 'dcb'],
    ['that is a navigation', { ...CROSS, 'Sec-Fetch-Mode': 'navigate' }, 'dcb'],
    ['of an image of another site', { ...CROSS, 'Sec-Fetch-Mode': 'no-cors' }, 'br'],
    [
      'of a script of another site',
      { ...CROSS, 'Sec-Fetch-Mode': 'cors', Origin: 'https://a.example' },
      'br',
    ],
  ])('to a request %s: the page may read it or gets another coding', async (_, fetch, coding) => {
    const headers = [...available, ...Object.entries(fetch)]
    expect(await codingOf('/kb/200', BROWSER, headers)).toBe(coding)
  })
})
