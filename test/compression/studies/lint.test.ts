import { describe, expect, it } from 'vitest'
import { createCompressResponse } from '../../../src/compression/compress-response.js'
import {
  type LintAnswer,
  type LintAnswers,
  lintCodings,
  lintResource,
} from '../../../src/compression/studies/lint.js'
import { TransportError } from '../../../src/errors.js'
import { type HeaderList, type HttpRequest, header, textResponse } from '../../../src/http/message.js'
import { askOf, type SentRequest } from './weighed.js'

const content = Buffer.from('a'.repeat(500))
const type: HeaderList = [['Content-Type', 'text/plain']]
const vary: HeaderList = [['Vary', 'Accept-Encoding']]

function came(coding: string | null, coded: number, headers: HeaderList = vary): LintAnswer {
  const encoding: HeaderList = coding === null ? [] : [['Content-Encoding', coding]]
  return {
    status: 200,
    headers: [...type, ...headers, ...encoding],
    contentEncoding: coding,
    content,
    bytes: { coded },
  }
}

const empty: LintAnswer = { ...came(null, 0), content: Buffer.alloc(0) }
const emptyGzip: LintAnswer = { ...came('gzip', 20), content: Buffer.alloc(0) }

const good: LintAnswers = {
  bare: came(null, 500),
  again: came(null, 500),
  gzip: came('gzip', 30),
  br: came('br', 20),
  refused: came(null, 500),
  head: came('gzip', 0),
}

/** Names of the failed checks. Advice is in parentheses. */
const checksOf = (answers: Partial<LintAnswers>) => lintCodings({ ...good, ...answers })
const wrong = (answers: Partial<LintAnswers>) =>
  checksOf(answers)
    .filter(({ ok }) => !ok)
    .map(({ name, advice }) => (advice ? `(${name})` : name))

describe('lintCodings', () => {
  it('finds no fault in a correct server', () => {
    expect(wrong({})).toEqual([])
    expect(lintCodings(good).map(({ name, rule }) => `${name}: ${rule}`)).toEqual([
      'status: RFC 9110 §8.4',
      'content_type: RFC 9110 §8.4',
      'body: RFC 9110 §8.4',
      'unasked: RFC 9110 §12.5.3',
      'refused: RFC 9110 §12.5.3',
      'vary: RFC 9110 §12.5.5',
      'vary_raw: RFC 9110 §12.5.5',
      'head: RFC 9110 §9.3.2',
      'savings_gzip: RFC 9110 §8.4.1',
      'savings_br: RFC 9110 §8.4.1',
    ])
  })

  it('checks only status, type, offers, HEAD and savings of a server that never compresses', () => {
    const raw = came(null, 500)
    expect(checksOf({ gzip: raw, br: raw, head: came(null, 0) }).map(({ name }) => name)).toEqual([
      'status',
      'content_type',
      'unasked',
      'refused',
      'head',
      'savings',
    ])
  })

  it.each(['GZIP', ' gzip ', 'x-own'])('counts %j as a coding', coding => {
    expect(wrong({ bare: came(coding, 30), refused: came(coding, 30) })).toEqual(['unasked', 'refused'])
  })

  it.each(['identity', ' Identity', ''])('counts %j as no coding', coding => {
    const bare = came(coding, 500)
    expect(wrong({ bare, again: bare, refused: bare })).toEqual([])
  })

  it.each<[string, Partial<LintAnswers>, string[]]>([
    [
      'coding that nobody asked for',
      { bare: came('gzip', 30), refused: came('gzip', 30) },
      ['unasked', 'refused'],
    ],
    ['no Vary on coded answers', { gzip: came('gzip', 30, []), head: came('gzip', 0, []) }, ['vary']],
    ['no Vary on the raw one', { bare: came(null, 500, []) }, ['(vary_raw)']],
    [
      'another type',
      { br: { ...came('br', 20), headers: [...vary, ['Content-Type', 'text/html']] } },
      ['content_type'],
    ],
    ['another type of the raw answer', { bare: { ...came(null, 500), headers: vary } }, ['content_type']],
    ['another status', { br: { ...came(null, 20), status: 406 } }, ['status']],
    ['another status of the raw answer', { bare: { ...came(null, 500), status: 404 } }, ['status']],
    ['no Vary on br', { br: came('br', 20, [['Vary', 'Origin']]) }, ['vary']],
    ['another body in br', { br: { ...came('br', 20), content: Buffer.from('b') } }, ['body']],
    ['another body', { gzip: { ...came('gzip', 30), content: Buffer.from('b') } }, ['body']],
    ['a coded body that is larger', { gzip: came('gzip', 510) }, ['(savings_gzip)']],
    [
      'text that is never compressed',
      { gzip: came(null, 500), br: came(null, 500), head: came(null, 0) },
      ['(savings)'],
    ],
    [
      'a coded body of an empty one',
      { bare: empty, again: empty, gzip: emptyGzip, br: emptyGzip },
      ['(savings_gzip)'],
    ],
    ['HEAD without Content-Encoding', { head: came(null, 0) }, ['(head)']],
    ['HEAD without Vary', { head: came('gzip', 0, []) }, ['(head)']],
    ['HEAD with another Vary', { head: came('gzip', 0, [...vary, ['Vary', 'Origin']]) }, ['(head)']],
    ['HEAD with an ETag', { head: came('gzip', 0, [...vary, ['ETag', '"v1"']]) }, ['(head)']],
    [
      'HEAD without Content-Type',
      { head: { ...came('gzip', 0), headers: came('gzip', 0).headers.slice(1) } },
      ['(head)'],
    ],
  ])('reports %s', (_, answers, expected) => {
    expect(wrong(answers)).toEqual(expected)
  })

  it.each([
    [500, '500 of 500 bytes: 0 % saved'],
    [333, '333 of 500 bytes: 33.4 % saved'],
    [1, '1 of 500 bytes: 99.8 % saved'],
    [501, '501 bytes for 500: larger than raw'],
  ])('compares a gzip body of %i bytes with the raw one', (size, detail) => {
    const savings = checksOf({ gzip: came('gzip', size) }).find(({ name }) => name === 'savings_gzip')
    expect(savings).toMatchObject({ ok: size <= 500, detail })
  })

  it('accepts that an empty body, or one that is not text, is never compressed', () => {
    const plain = (answer: LintAnswer) => ({
      bare: answer,
      again: answer,
      gzip: answer,
      br: answer,
      head: answer,
    })
    expect(wrong(plain(empty))).toEqual([])
    expect(wrong(plain({ ...came(null, 500), headers: [['Content-Type', 'image/png']] }))).toEqual([])
    expect(wrong(plain(came(null, 500)))).toEqual(['(savings)'])
  })

  it('names the codings, statuses, types and fields that differ', () => {
    const other = { content: Buffer.from('b'), status: 404, headers: [] }
    const details = checksOf({
      gzip: { ...came('gzip', 30), ...other },
      br: { ...came('br', 20), ...other },
      head: came('gzip', 0),
    }).map(({ name, detail }) => `${name}: ${detail}`)
    const text = details.join('\n')
    expect(text).toMatch(/^status: 200 and 404$/m)
    expect(text).toMatch(/^content_type: text\/plain and none$/m)
    expect(text).toMatch(/^body: .*gzip and br$/m)
    expect(text).toMatch(/^vary: gzip and br without Vary/m)
    expect(text).toMatch(/^head: .*content-encoding, vary, content-type$/m)
  })

  it('reports each coding once, compared with the decoded body', () => {
    const forced = came('gzip', 30)
    const checks = lintCodings({ ...good, bare: forced, again: forced, br: forced })
    const savings = checks.filter(({ name }) => name.startsWith('savings'))
    expect(savings.map(({ detail }) => detail)).toEqual(['30 of 500 bytes: 94 % saved'])
  })

  it('recognises a page that differs each time', () => {
    expect(
      wrong({
        again: { ...came(null, 1), content: Buffer.from('now') },
        gzip: { ...came('gzip', 30), content: Buffer.from('then') },
      }),
    ).toEqual([])
  })

  it('reports one strong ETag for two variants, and a conditional request that misses', () => {
    const tagged = (coding: string | null, tag: string) => came(coding, 30, [...vary, ['ETag', tag]])
    const answers = (tag: string, status: number) => ({
      bare: tagged(null, '"v1"'),
      gzip: tagged('gzip', tag),
      head: tagged('gzip', tag),
      fresh: { ...tagged('gzip', tag), status },
    })
    expect(wrong(answers('"v1"', 304))).toEqual(['etag'])
    expect(wrong(answers('W/"v1"', 200))).toEqual(['(if_none_match)'])
    expect(wrong(answers('W/"v1"', 304))).toEqual([])
    expect(wrong(answers('"v1-gzip"', 304))).toEqual([])
    expect(wrong({ ...answers('W/"v1"', 304), bare: tagged(null, 'W/"v1"') })).toEqual([])
    expect(
      wrong({ ...answers('"v1"', 304), gzip: tagged(null, '"v1"'), head: tagged(null, '"v1"') }),
    ).toEqual([])
    const names = checksOf({ ...answers('W/"v1"', 304), bare: came(null, 500) })
      .filter(({ name, ok }) => ok && (name === 'etag' || name === 'if_none_match'))
      .map(({ detail }) => detail)
    expect(names).toEqual([expect.stringContaining('none'), expect.stringContaining('304')])
  })
})

describe('lintResource', () => {
  const page = textResponse(200, 'a'.repeat(500), [['ETag', '"v1"']])
  const compress = createCompressResponse()
  const url = 'http://one/'

  it('asks with each offer once, and with the ETag of the gzip answer', async () => {
    const sent: SentRequest[] = []
    const answer = async (request: HttpRequest) => {
      const coded = await compress(request, page)
      return header(request, 'if-none-match') === header(coded, 'etag') ? { ...coded, status: 304 } : coded
    }
    const checks = await lintResource(url, askOf(answer, sent))
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
    expect(checks.map(({ name }) => name)).toContain('if_none_match')
    expect(sent).toEqual([
      { url, offer: null },
      { url, offer: 'gzip' },
      { url, offer: null },
      { url, offer: 'br' },
      { url, offer: 'identity, *;q=0' },
      { url, offer: 'gzip', method: 'HEAD' },
      { url, offer: 'gzip', headers: [['If-None-Match', 'W/"v1"']] },
    ])
  })

  it('makes no conditional request without an ETag', async () => {
    const sent: SentRequest[] = []
    const checks = await lintResource(
      url,
      askOf(request => compress(request, textResponse(200, 'a'.repeat(500))), sent),
    )
    expect(sent).toHaveLength(6)
    expect(checks.map(({ name }) => name)).not.toContain('if_none_match')
  })

  it('reports a body that contradicts its coding as a failed check', async () => {
    const failing = (error: Error) =>
      lintResource(url, async () => {
        throw error
      })
    const lying = new TransportError('the body is not valid gzip', 'EBADMSG')
    expect(await failing(lying)).toEqual([
      { name: 'body', ok: false, rule: 'RFC 9110 §8.4', detail: lying.message },
    ])
    const refused = new TransportError('nobody listens', 'ECONNREFUSED')
    await expect(failing(refused)).rejects.toBe(refused)
    const other = Object.assign(new Error('another error'), { code: 'EBADMSG' })
    await expect(failing(other)).rejects.toBe(other)
  })
})
