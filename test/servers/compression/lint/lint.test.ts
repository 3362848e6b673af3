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

describe('compress lint of a right server', () => {
  it('has no fault and no remark', async () => {
    const checks = await lint(right)
    expect(failed(checks)).toEqual([])
    expect(checks.map(({ name }) => name)).toEqual([
      ...[
        'length',
        'not_acceptable',
        'status',
        'unlabelled',
        'content_type',
        'body',
        'unasked',
        'not_offered',
      ],
      ...[
        'weight_zero',
        'refused',
        'vary',
        'vary_raw',
        'vary_304',
        'etag',
        'if_none_match',
        'head_length',
        'head',
      ],
      ...['http10', 'savings_gzip', 'savings_br'],
    ])
    expect(checks.some(({ mend }) => mend !== undefined)).toBe(false)
  })

  it.each<[string, (message: IncomingMessage) => Made, string[]]>([
    ['never compresses', () => inCoding('identity'), ['(savings)']],
    [
      'sends one strong ETag where every answer is gzip, as a file that is kept coded',
      () => also(inCoding('gzip', { etag: '"v1"' }), {}),
      ['unasked', '(if_none_match)'],
    ],
    [
      'has a weak ETag for all codings',
      message => also(right(message), { etag: 'W/"v1"' }),
      ['(if_none_match)'],
    ],
    [
      'sends zstd to those who offer it',
      message => (has(message, 'zstd') ? inCoding('zstd') : right(message)),
      ['(savings_zstd)'],
    ],
    [
      'sends deflate in the zlib format',
      message => (offerOf(message) === 'deflate' ? inCoding('deflate') : right(message)),
      [],
    ],
    [
      'cuts a range from the gzip body that a strong ETag names, as Apache',
      message =>
        message.headers.range === undefined
          ? right(message)
          : range(encoded('gzip'), { 'content-encoding': 'gzip', etag: '"v1-gzip"' }),
      [],
    ],
    [
      'cuts a range from the raw body',
      message => (message.headers.range === undefined ? right(message) : range(content, { etag: '"v1"' })),
      [],
    ],
    [
      'sends HEAD raw with its length, and GET in chunks, as HAProxy',
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
    [
      'sends a gzip file',
      () => ({ headers: { 'content-type': 'application/gzip' }, body: gzipSync(content) }),
      [],
    ],
  ])('%s', async (_, answer, expected) => {
    expect(failed(await lint(answer))).toEqual(expected)
  })

  it('differs from nginx, which sends no Vary with 304, in a remark only', async () => {
    const answer = (message: IncomingMessage) => {
      const made = also(right(message), { server: 'nginx/1.22.1' })
      return made.status === 304 ? without(made, 'vary') : made
    }
    expect(failed(await lint(answer))).toEqual(['(vary_304)'])
  })
})

describe('compress lint of a wrong server', () => {
  const wrong: readonly (readonly [string, string, (message: IncomingMessage) => Made])[] = [
    [
      'sends br to those who offer gzip only',
      'not_offered',
      m => (has(m, 'gzip') && !has(m, 'q=0') ? inCoding('br') : right(m)),
    ],
    ['sends gzip to everybody', 'unasked', () => inCoding('gzip')],
    [
      'sends gzip to everybody, without Vary and ETag',
      'unasked',
      () => without(inCoding('gzip'), 'vary', 'etag'),
    ],
    [
      'sends gzip for any offer',
      'not_offered',
      m => (offerOf(m) === undefined ? right(m) : inCoding('gzip')),
    ],
    ['sends gzip bytes without Content-Encoding', 'unlabelled', m => without(right(m), 'content-encoding')],
    ['ignores gzip;q=0', 'weight_zero', m => (offerOf(m) === 'gzip;q=0' ? inCoding('gzip') : right(m))],
    ['takes *;q=0 for an offer', 'refused', m => (has(m, '*') ? inCoding('gzip') : right(m))],
    [
      'sends 406 to those without gzip',
      'not_acceptable',
      m => (has(m, 'gzip') ? right(m) : { status: 406, headers: {}, body: Buffer.alloc(0) }),
    ],
    [
      'fails when zstd is offered alone',
      'status',
      m => (offerOf(m) === 'zstd' ? { ...right(m), status: 500 } : right(m)),
    ],
    [
      'sends HEAD with the length of the raw body',
      'head_length',
      m => (m.method === 'HEAD' ? also(right(m), { 'content-length': content.length }) : right(m)),
    ],
    [
      'sends HEAD raw, with another length than GET',
      'head_length',
      m => (m.method === 'HEAD' ? inCoding('identity') : right(m)),
    ],
    [
      'sends 304 without Vary',
      'vary_304',
      m => {
        const made = right(m)
        return made.status === 304 ? without(made, 'vary') : made
      },
    ],
    ['sends gzip without Vary', 'vary', m => without(right(m), 'vary')],
    ['sends Vary: Origin', 'vary', m => also(right(m), { vary: 'Origin' })],
    [
      'has one strong ETag for raw and gzip',
      'etag',
      m => {
        const made = right(m)
        return 'etag' in made.headers ? also(made, { etag: '"v1"' }) : made
      },
    ],
    [
      'sends bare deflate data',
      'deflate',
      m => (offerOf(m) === 'deflate' ? { ...inCoding('deflate'), body: encoded('raw deflate') } : right(m)),
    ],
    [
      'sends deflate that is none',
      'deflate',
      m => (offerOf(m) === 'deflate' ? { ...inCoding('deflate'), body: Buffer.from('nonsense') } : right(m)),
    ],
    [
      'sends zstd that is none',
      'zstd',
      m => (has(m, 'zstd') ? { ...inCoding('zstd'), body: encoded('gzip') } : right(m)),
    ],
    [
      'sends zstd with a window of 128 MiB',
      'zstd',
      m => (has(m, 'zstd') ? { ...inCoding('zstd'), body: zstdFrame(content, 27) } : right(m)),
    ],
    [
      'cuts zstd in the middle',
      'zstd',
      m => (has(m, 'zstd') ? { ...inCoding('zstd'), body: zstdFrame().subarray(0, 200) } : right(m)),
    ],
    [
      'sends gzip with a wrong checksum',
      'body',
      m => {
        const made = right(m)
        return made.headers['content-encoding'] === 'gzip'
          ? { ...made, body: Buffer.concat([made.body.subarray(0, -8), Buffer.alloc(8)]) }
          : made
      },
    ],
    [
      'sends br that is cut',
      'body',
      m => {
        const made = right(m)
        return made.headers['content-encoding'] === 'br' ? { ...made, body: made.body.subarray(0, -4) } : made
      },
    ],
    [
      'codes twice',
      'double_coded',
      m => {
        const made = right(m)
        return made.headers['content-encoding'] === 'gzip' ? { ...made, body: gzipSync(made.body) } : made
      },
    ],
    [
      'sends another page in br',
      'body',
      m => {
        const made = right(m)
        return made.headers['content-encoding'] === 'br'
          ? { ...made, body: encoded('br', Buffer.from('another')) }
          : made
      },
    ],
    [
      'sends another type in br',
      'content_type',
      m => {
        const made = right(m)
        return made.headers['content-encoding'] === 'br'
          ? also(made, { 'content-type': 'application/json' })
          : made
      },
    ],
    [
      'sends the length of the raw body with gzip',
      'length',
      m => {
        const made = right(m)
        return made.headers['content-encoding'] === 'gzip' && m.method === 'GET' && made.status !== 304
          ? also(made, { 'content-length': content.length })
          : made
      },
    ],
    [
      'sends chunks to HTTP/1.0',
      'http10',
      m =>
        m.httpVersion === '1.0'
          ? { ...right(m), headers: { ...right(m).headers, 'transfer-encoding': 'chunked' } }
          : right(m),
    ],
    [
      'cuts a range from gzip bytes without saying so',
      'range',
      m => (m.headers.range === undefined ? right(m) : range(encoded('gzip'), { etag: '"v1"' })),
    ],
    [
      'cuts a range from gzip bytes without an ETag of their own',
      'range',
      m =>
        m.headers.range === undefined ? right(m) : range(encoded('gzip'), { 'content-encoding': 'gzip' }),
    ],
    [
      'codes a raw range',
      'range',
      m =>
        m.headers.range === undefined
          ? right(m)
          : {
              ...range(content, { 'content-encoding': 'gzip', etag: '"v1-gzip"' }),
              body: gzipSync(content.subarray(3, 35)),
            },
    ],
  ]

  it.each(wrong)('that %s: %s', async (_, name, answer) => {
    const checks = await lint(answer)
    expect(failed(checks).filter(each => !each.startsWith('('))).toEqual([name])
    const mend = checks.find(each => each.name === name)?.mend
    expect(Object.keys(mend ?? {})).toContain('nginx')
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
