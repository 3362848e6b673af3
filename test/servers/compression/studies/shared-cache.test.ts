import { describe, expect, it } from 'vitest'
import { type HeaderList, header, textResponse } from '../../../../src/protocol/http/message.js'
import { createCompressResponse } from '../../../../src/servers/compression/compress-response.js'
import { createSharedCache, studyCache } from '../../../../src/servers/compression/studies/shared-cache.js'
import { askOf, type SentRequest } from './weighed.js'

const offering = (offer: string | undefined): HeaderList =>
  offer === undefined ? [] : [['accept-encoding', offer]]

describe('createSharedCache', () => {
  /** Returns the answers to clients with these offers, one after another. */
  const through = async (vary: string, honoursVary: boolean, ...offers: (string | undefined)[]) => {
    const origin = async (headers: HeaderList) => ({
      headers: vary === '' ? [] : [['Vary', vary] as const],
      coding: header({ headers }, 'accept-encoding') ?? 'raw',
    })
    const cache = createSharedCache(origin, honoursVary)
    const came: string[] = []
    for (const offer of offers) {
      const { answer, from } = await cache(offering(offer))
      came.push(`${from} ${answer.coding}`)
    }
    return came
  }

  it.each(['Accept-Encoding', 'accept-encoding', 'Origin , ACCEPT-ENCODING'])(
    'separates variants, their case too, with Vary: %s',
    async vary => {
      expect(await through(vary, true, 'gzip', undefined, 'GZIP', 'gzip', undefined)).toEqual([
        ...['miss gzip', 'miss raw', 'miss GZIP', 'hit gzip', 'hit raw'],
      ])
    },
  )

  it('gives the first answer to every client when it ignores Vary', async () => {
    expect(await through('Accept-Encoding', false, 'gzip', undefined, 'br')).toEqual([
      'miss gzip',
      'hit gzip',
      'hit gzip',
    ])
    expect(await through('Origin', false, 'gzip', 'br')).toEqual(['miss gzip', 'hit gzip'])
  })

  it.each(['', 'Origin'])('gives an answer with Vary %j to clients with any offer', async vary => {
    expect(await through(vary, true, 'gzip', 'br')).toEqual(['miss gzip', 'hit gzip'])
  })

  it('keeps no answer with Vary: *', async () => {
    expect(await through('*', true, 'gzip', 'gzip')).toEqual(['miss gzip', 'miss gzip'])
  })

  it('does not count blanks and empty members, as nginx', async () => {
    const offers = ['gzip, br', 'gzip,br', ' ,gzip ,, br', 'gzip br', 'br, gzip', '', undefined]
    expect((await through('Accept-Encoding', true, ...offers)).map(each => each.split(' ')[0])).toEqual([
      ...['miss', 'hit', 'hit', 'hit', 'miss', 'miss', 'hit'],
    ])
  })

  it.each([
    ['Set-Cookie', 'a=b'],
    ['Cache-Control', 'public, no-store'],
    ['Cache-Control', 'Private'],
    ['Cache-Control', 'max-age=0'],
    ['Vary', 'X'.repeat(129)],
  ])('keeps no answer with %s: %.20s', async (name, value) => {
    const cache = createSharedCache(async () => ({ headers: [[name, value] as const] }), true)
    await cache([])
    expect((await cache([])).from).toBe('miss')
  })

  it('keeps an answer that lives longer', async () => {
    const fields = [['Cache-Control', 'max-age=05, x-no-store'] as const]
    const cache = createSharedCache(async () => ({ headers: fields }), true)
    await cache([])
    expect((await cache([])).from).toBe('hit')
  })

  it('gives a raw answer without Vary to everybody, as nginx keeps it under the URL', async () => {
    const origin = async (headers: HeaderList) => {
      const coding = header({ headers }, 'accept-encoding')
      return { headers: coding ? [['Vary', 'Accept-Encoding'] as const] : [], coding: coding ?? 'raw' }
    }
    const cache = createSharedCache(origin, true)
    const came: string[] = []
    for (const offer of ['gzip', 'br', undefined, 'gzip', 'br']) {
      const { answer, from } = await cache(offering(offer))
      came.push(`${from} ${answer.coding}`)
    }
    expect(came).toEqual(['miss gzip', 'miss br', 'miss raw', 'hit raw', 'hit raw'])
  })

  it('compares fields that a request has several times', async () => {
    const cache = createSharedCache(async () => ({ headers: [['Vary', 'Accept-Encoding'] as const] }), true)
    await cache([...offering('gzip'), ...offering('br')])
    expect((await cache(offering('gzip'))).from).toBe('miss')
    expect((await cache(offering('gzip, br'))).from).toBe('hit')
  })
})

describe('studyCache', () => {
  const url = 'http://one/'
  const page = textResponse(200, 'a'.repeat(2000))
  const compress = createCompressResponse()

  it('gives clients what they asked for when the cache honours Vary, and gzip when it does not', async () => {
    const sent: SentRequest[] = []
    const { heeded, ignored, ...rest } = await studyCache(
      url,
      askOf(request => compress(request, page), sent),
    )
    expect(rest).toEqual({ url })
    expect(heeded.map(({ offer, from, contentEncoding }) => [offer, from, contentEncoding])).toEqual([
      ['gzip', 'miss', 'gzip'],
      [null, 'miss', null],
      ['br', 'miss', 'br'],
      ['gzip', 'hit', 'gzip'],
      ['GZIP', 'miss', 'gzip'],
      ['gzip, br', 'miss', 'br'],
      ['gzip,br', 'hit', 'br'],
      ['br, gzip', 'miss', 'br'],
    ])
    expect(heeded[1]?.bytes).toBe(2000)
    expect(heeded[0]?.bytes).toBeLessThan(200)
    expect(heeded.filter(visit => 'broken' in visit)).toEqual([])
    expect(ignored.map(({ from, contentEncoding }) => `${from} ${contentEncoding}`)).toEqual([
      'miss gzip',
      ...Array<string>(7).fill('hit gzip'),
    ])
    expect(ignored.map(({ broken }) => broken !== undefined)).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ])
    expect(sent).toHaveLength(7)
    expect(sent.every(({ offer }) => offer === null)).toBe(true)
  })
})
