import { describe, expect, it } from 'vitest'
import type { ProxiedExchange } from '../../../../src/servers/compression/events.js'
import type { ProxyMode } from '../../../../src/servers/compression/proxy/modes.js'
import type { CaseHop } from '../../../../src/servers/compression/studies/cases.js'
import { caseWhy } from '../../../../src/servers/compression/studies/cases.js'

const hop = (more: Partial<CaseHop> = {}): CaseHop => {
  const gzip: CaseHop = {
    from: 'server',
    to: 'client',
    offer: 'gzip',
    coding: 'gzip',
    wireBytes: 935,
    vary: 'Accept-Encoding',
  }
  return { ...gzip, ...more }
}
const raw = (wireBytes: number, more: Partial<CaseHop> = {}) =>
  hop({ offer: null, coding: 'identity', wireBytes, ...more })

const setting = (mode: ProxyMode | null, offer: string | null) => ({
  name: 'A',
  title: 'a case',
  mode,
  offer,
})

/** The reasons of a case without a proxy. */
function direct(first: CaseHop, bodyBytes: number, offer: string | null = first.offer): string[] {
  return caseWhy(setting(null, offer), { hops: [first], bodyBytes, headBytes: 200 }, undefined)
}

/** The reasons of a case with a proxy. */
function proxied(
  mode: ProxyMode,
  offer: string | null,
  hops: readonly CaseHop[],
  { did = 'passed', why = 'the reason' }: Partial<ProxiedExchange> = {},
): string[] {
  const { coding = 'identity', wireBytes = 0, vary = null } = hops.at(-1) ?? {}
  const client = { acceptEncoding: offer, coding, wireBytes, vary }
  const exchange: ProxiedExchange = { method: 'GET', path: '/', status: 200, client, did, why }
  return caseWhy(setting(mode, offer), { hops, bodyBytes: 204_800, headBytes: 200 }, exchange)
}

/** Expects that some sentence has each of the parts, and no sentence has one that starts with `!`. */
function expectParts(sentences: readonly string[], parts: readonly string[]): void {
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z0-9].*[^.]\.$/)
  const text = sentences.join(' ')
  for (const part of parts) {
    if (part.startsWith('!')) expect(text).not.toContain(part.slice(1))
    else expect(text).toContain(part)
  }
}

describe('caseWhy without a proxy', () => {
  it.each<[string, CaseHop, number, string[]]>([
    [
      'coded',
      hop(),
      204_800,
      ['219 times smaller', '181 times with the headers', 'sent gzip', 'gzip is offered'],
    ],
    ['ten times smaller', hop({ wireBytes: 100 }), 1000, ['10 times smaller', '4.0 times with the headers']],
    ['less than ten times smaller', hop({ wireBytes: 400 }), 2048, ['5.1 times smaller', '3.7 times with']],
    ['as large as the body', hop({ wireBytes: 31 }), 31, ['1.0 times smaller', '!with the headers']],
    [
      'larger than the body',
      hop({ wireBytes: 3031 }),
      31,
      ['3,000 B more than the body', '!with the headers'],
    ],
    [
      'raw where nothing was offered',
      raw(2048),
      2048,
      ['The whole body', 'sent no coding', 'no Accept-Encoding was sent', '!RFC 9110 §12.5.5', '!Nobody'],
    ],
    ['raw though offered, without Vary', raw(9, { offer: 'gzip', vary: null }), 9, ['serve --compression']],
    [
      'raw though offered, with Vary',
      raw(9, { offer: 'gzip' }),
      9,
      ['it does not compress this kind of answer', '!serve --compression'],
    ],
    ['refused', hop({ offer: 'gzip;q=0' }), 2048, ['refused gzip', '!Nobody asked', '!Without Vary']],
    ['not asked for', hop({ offer: null }), 2048, ['Nobody asked for gzip', '!refused gzip']],
    ['without Vary', hop({ vary: null }), 2048, ['Without Vary a cache', '!Nobody asked', '!refused']],
    ['with another Vary', hop({ vary: 'Origin' }), 2048, ['Without Vary a cache']],
    ['with Vary: *', hop({ vary: '*' }), 2048, ['!Without Vary']],
  ])('explains an answer that is %s', (_, first, bodyBytes, parts) => {
    const sentences = direct(first, bodyBytes)
    expectParts(sentences, [...parts, '!proxy'])
  })

  it('has nothing to explain without an answer', () => {
    expect(caseWhy(setting(null, null), { hops: [], bodyBytes: 0, headBytes: 0 }, undefined)).toEqual([])
  })
})

describe('caseWhy with a proxy', () => {
  const up = (more: Partial<CaseHop> = {}) => hop({ to: 'proxy', ...more })
  const down = (more: Partial<CaseHop> = {}) => hop({ from: 'proxy', ...more })

  it.each(
    Object.entries<[string[], string[]]>({
      'that forwards the same bytes': [
        proxied('default', 'gzip', [up(), down()]),
        [
          '219 times smaller than the body on both hops; 181 times with the headers',
          'Content-Encoding: gzip and Vary: Accept-Encoding through',
          'the reason',
          '!asked the server for',
          '!kept Accept-Encoding',
        ],
      ],
      'that asks for gzip for a client that offers nothing': [
        proxied('force', null, [up(), down({ offer: null })]),
        ['The proxy asked the server for gzip; the client offered nothing', 'Nobody asked for gzip'],
      ],
      'that asks for gzip for a client that offers br': [
        proxied('force', 'br', [up(), down({ offer: 'br' })]),
        ['The proxy asked the server for gzip; the client offered br'],
      ],
      'that decodes': [
        proxied('force-gunzip', null, [up(), raw(204_800, { from: 'proxy' })], { did: 'decompressed' }),
        [
          '219 times smaller than the body to the proxy, the whole body to the client',
          'decoded it: the reason',
        ],
      ],
      'that compresses': [
        proxied('gzip-strip', 'gzip', [raw(204_800, { to: 'proxy' }), down()], { did: 'compressed' }),
        [
          'The whole body to the proxy, 219 times smaller than the body to the client; 181 times with the headers',
          'kept Accept-Encoding from the server; the client offered gzip',
          'compressed it itself: the reason',
          '!asked the server for',
        ],
      ],
      'that forwards a raw answer without Vary': [
        proxied('default', 'br', [raw(9, { vary: null }), raw(9, { vary: null })]),
        ['copied the answer through', '!Content-Encoding', '!Vary: '],
      ],
      'that forwards a raw answer with Vary': [
        proxied('default', 'br', [raw(9), raw(9)]),
        ['copied Vary: Accept-Encoding through', '!Content-Encoding', '! and Vary'],
      ],
    }),
  )('explains a proxy %s', (_, [sentences, parts]) => {
    expectParts(sentences, parts)
  })

  it('orders the reasons from the sizes to the faults', () => {
    const starts = proxied('force', null, [up(), down({ vary: null })]).map(each => each.slice(0, 16))
    expect(starts).toEqual([
      ...['219 times smalle', 'The proxy asked ', 'The server sent ', 'The proxy copied', 'Nobody asked for'],
      ...['Without Vary a c'],
    ])
  })

  it('repeats only the failure of the proxy', () => {
    for (const hops of [[], [hop()]]) {
      const sentences = proxied('force', 'gzip', hops, { did: 'failed', why: 'nobody listens' })
      expect(sentences).toEqual([expect.stringContaining('nobody listens')])
    }
  })
})
