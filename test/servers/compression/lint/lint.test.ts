import type { IncomingMessage } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createAsk } from '../../../../src/servers/compression/client/ask.js'
import { lintResource } from '../../../../src/servers/compression/lint/lint.js'
import type { LintCheck } from '../../../../src/servers/compression/lint/requests.js'
import { content, encoded, inCoding, type Made, offerOf, right, serving, zstdFrame } from './servers.js'

/** The checks of a server. */
async function lint(answer: (message: IncomingMessage) => Made): Promise<readonly LintCheck[]> {
  let checks: readonly LintCheck[] = []
  await serving(answer, async url => {
    checks = (await lintResource(url, createAsk({ timeoutMs: 10_000 }))).checks
  })
  return checks
}

/** Names of the failed checks. Advice is in parentheses. */
const failed = (checks: readonly LintCheck[]): string[] =>
  checks.filter(({ ok }) => !ok).map(({ name, advice }) => (advice ? `(${name})` : name))

const has = (message: IncomingMessage, word: string): boolean => offerOf(message)?.includes(word) ?? false
const without = ({ headers, ...made }: Made, ...names: string[]): Made => ({
  ...made,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))),
})
const also = (made: Made, headers: Made['headers']): Made => ({
  ...made,
  headers: { ...made.headers, ...headers },
})
const range = (body: Uint8Array, fields: Made['headers']): Made => ({
  status: 206,
  headers: {
    'content-type': 'text/html',
    vary: 'Accept-Encoding',
    'content-range': `bytes 3-34/${body.length}`,
    ...fields,
  },
  body: body.subarray(3, 35),
})

/** Sends a body to those who offer a coding. */
const offered = (coding: 'deflate' | 'zstd', body: Uint8Array) => (message: IncomingMessage) =>
  has(message, coding) && !has(message, 'q=0') ? { ...inCoding(coding), body } : right(message)
/** Changes the answers that are in a coding. */
const coded =
  (coding: string, change: (made: Made, message: IncomingMessage) => Partial<Made>) =>
  (message: IncomingMessage) => {
    const made = right(message)
    return made.headers['content-encoding'] === coding ? { ...made, ...change(made, message) } : made
  }
const ranged = (answer: Made) => (message: IncomingMessage) =>
  message.headers.range === undefined ? right(message) : answer

describe('compress lint of a right server', () => {
  it('has no fault and no remark', async () => {
    const checks = await lint(right)
    expect(failed(checks)).toEqual([])
    expect(checks.map(({ name }) => name)).toEqual([
      ...['length', 'not_acceptable', 'status', 'unlabelled', 'content_type', 'body', 'unasked'],
      ...['not_offered'],
      ...['weight_zero', 'refused', 'vary', 'vary_raw', 'vary_304', 'etag', 'if_none_match', 'head_length'],
      ...['head'],
      ...['http10', 'savings_gzip', 'savings_br'],
    ])
    expect(checks.some(({ mend }) => mend !== undefined)).toBe(false)
  })

  it.each(
    Object.entries<[(message: IncomingMessage) => Made, string[]]>({
      'never compresses': [() => inCoding('identity'), ['(savings)']],
      'sends one strong ETag where every answer is gzip, as a file that is kept coded': [
        () => also(inCoding('gzip', { etag: '"v1"' }), {}),
        ['unasked', '(if_none_match)'],
      ],
      'has a weak ETag for all codings': [
        message => also(right(message), { etag: 'W/"v1"' }),
        ['(if_none_match)'],
      ],
      'sends zstd to those who offer it': [
        message => (has(message, 'zstd') ? inCoding('zstd') : right(message)),
        ['(savings_zstd)'],
      ],
      'sends deflate in the zlib format': [
        message => (offerOf(message) === 'deflate' ? inCoding('deflate') : right(message)),
        [],
      ],
      'cuts a range from the gzip body that a strong ETag names, as Apache': [
        message =>
          message.headers.range === undefined
            ? right(message)
            : range(encoded('gzip'), { 'content-encoding': 'gzip', etag: '"v1-gzip"' }),
        [],
      ],
      'cuts a range from the raw body': [
        message => (message.headers.range === undefined ? right(message) : range(content, { etag: '"v1"' })),
        [],
      ],
      'sends HEAD raw with its length, and GET in chunks, as HAProxy': [
        message =>
          message.method === 'HEAD'
            ? inCoding('identity')
            : message.httpVersion === '1.0'
              ? inCoding('identity')
              : also(
                  right(message),
                  message.headers['if-none-match'] ? {} : { 'transfer-encoding': 'chunked' },
                ),
        ['(head)'],
      ],
      'sends a gzip file': [
        () => ({ headers: { 'content-type': 'application/gzip' }, body: gzipSync(content) }),
        [],
      ],
    }),
  )('%s', async (_, [answer, expected]) => expect(failed(await lint(answer))).toEqual(expected))

  it('differs from nginx, which sends no Vary with 304, in a remark only', async () => {
    const answer = (message: IncomingMessage) => {
      const made = also(right(message), { server: 'nginx/1.22.1' })
      return made.status === 304 ? without(made, 'vary') : made
    }
    expect(failed(await lint(answer))).toEqual(['(vary_304)'])
  })
})

describe('compress lint of a wrong server', () => {
  type Answer = (message: IncomingMessage) => Made
  /** Servers by the check that fails. */
  const wrong: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
    not_offered: {
      'sends br to those who offer gzip only': m =>
        has(m, 'gzip') && !has(m, 'q=0') ? inCoding('br') : right(m),
      'sends gzip for any offer': m => (offerOf(m) === undefined ? right(m) : inCoding('gzip')),
    },
    unasked: {
      'sends gzip to everybody': () => inCoding('gzip'),
      'sends gzip to everybody, without Vary and ETag': () => without(inCoding('gzip'), 'vary', 'etag'),
    },
    unlabelled: { 'sends gzip bytes without Content-Encoding': m => without(right(m), 'content-encoding') },
    weight_zero: { 'ignores gzip;q=0': m => (offerOf(m) === 'gzip;q=0' ? inCoding('gzip') : right(m)) },
    refused: { 'takes *;q=0 for an offer': m => (has(m, '*') ? inCoding('gzip') : right(m)) },
    not_acceptable: {
      'sends 406 to those without gzip': m =>
        has(m, 'gzip') ? right(m) : { status: 406, headers: {}, body: Buffer.alloc(0) },
    },
    status: {
      'fails when zstd is offered alone': m => ({
        ...right(m),
        ...(offerOf(m) === 'zstd' && { status: 500 }),
      }),
    },
    head_length: {
      'sends HEAD with the length of the raw body': m =>
        m.method === 'HEAD' ? also(right(m), { 'content-length': content.length }) : right(m),
      'sends HEAD raw, with another length than GET': m =>
        m.method === 'HEAD' ? inCoding('identity') : right(m),
    },
    vary_304: {
      'sends 304 without Vary': m => (right(m).status === 304 ? without(right(m), 'vary') : right(m)),
    },
    vary: {
      'sends gzip without Vary': m => without(right(m), 'vary'),
      'sends Vary: Origin': m => also(right(m), { vary: 'Origin' }),
    },
    etag: {
      'has one strong ETag for raw and gzip': m =>
        'etag' in right(m).headers ? also(right(m), { etag: '"v1"' }) : right(m),
    },
    deflate: {
      'sends bare deflate data': offered('deflate', encoded('raw deflate')),
      'sends deflate that is none': offered('deflate', Buffer.from('nonsense')),
    },
    zstd: {
      'sends zstd that is none': offered('zstd', encoded('gzip')),
      'sends zstd with a window of 128 MiB': offered('zstd', zstdFrame(content, 27)),
      'cuts zstd in the middle': offered('zstd', zstdFrame().subarray(0, 200)),
    },
    body: {
      'sends gzip with a wrong checksum': coded('gzip', ({ body }) => ({
        body: Buffer.concat([body.subarray(0, -8), Buffer.alloc(8)]),
      })),
      'sends br that is cut': coded('br', ({ body }) => ({ body: body.subarray(0, -4) })),
      'sends another page in br': coded('br', () => ({ body: encoded('br', Buffer.from('another')) })),
    },
    double_coded: { 'codes twice': coded('gzip', ({ body }) => ({ body: gzipSync(body) })) },
    content_type: {
      'sends another type in br': coded('br', made => also(made, { 'content-type': 'application/json' })),
    },
    length: {
      'sends the length of the raw body with gzip': coded('gzip', (made, { method }) =>
        method === 'GET' && made.status !== 304 ? also(made, { 'content-length': content.length }) : {},
      ),
    },
    http10: {
      'sends chunks to HTTP/1.0': m =>
        also(right(m), m.httpVersion === '1.0' ? { 'transfer-encoding': 'chunked' } : {}),
    },
    range: {
      'cuts a range from gzip bytes without saying so': ranged(range(encoded('gzip'), { etag: '"v1"' })),
      'cuts a range from gzip bytes without an ETag of their own': ranged(
        range(encoded('gzip'), { 'content-encoding': 'gzip' }),
      ),
      'codes a raw range': ranged({
        ...range(content, { 'content-encoding': 'gzip', etag: '"v1-gzip"' }),
        body: gzipSync(content.subarray(3, 35)),
      }),
    },
  }

  describe.each(Object.entries(wrong))('fails at %s where it', (name, servers) => {
    it.each(Object.entries(servers))('%s', async (_, answer) => {
      const checks = await lint(answer)
      expect(failed(checks).filter(each => !each.startsWith('('))).toEqual([name])
      const mend = checks.find(each => each.name === name)?.mend
      expect(Object.keys(mend ?? {})).toContain('nginx')
    })
  })
})

describe('compress lint of no server', () => {
  it('is refused', async () => {
    await expect(lintResource('http://127.0.0.1:1/', createAsk({}))).rejects.toMatchObject({
      kind: 'transport',
    })
  })

  it('refuses an error page', async () => {
    await serving(
      () => ({ status: 503, headers: {}, body: Buffer.from('busy') }),
      async url => {
        await expect(lintResource(url, createAsk({}))).rejects.toMatchObject({ kind: 'refused' })
      },
    )
  })
})
