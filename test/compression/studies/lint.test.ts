import { describe, expect, it } from 'vitest'
import { type LintAnswer, type LintAnswers, lintCodings } from '../../../src/compression/studies/lint.js'
import type { HeaderList } from '../../../src/http/message.js'

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

const good: LintAnswers = {
  bare: came(null, 500),
  again: came(null, 500),
  gzip: came('gzip', 30),
  br: came('br', 20),
  refused: came(null, 500),
  head: came('gzip', 0),
}

/** Names of what is wrong: faults, and remarks with a mark. */
const wrong = (answers: Partial<LintAnswers>) =>
  lintCodings({ ...good, ...answers })
    .filter(({ ok }) => !ok)
    .map(({ name, advice }) => (advice ? `(${name})` : name))

describe('lintCodings', () => {
  it('finds no fault in a correct server', () => {
    expect(wrong({})).toEqual([])
    expect(lintCodings(good).map(({ name }) => name)).toContain('savings_gzip')
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
    ['another status', { br: { ...came(null, 20), status: 406 } }, ['status']],
    ['another body', { gzip: { ...came('gzip', 30), content: Buffer.from('b') } }, ['body']],
    ['a coded body that is larger', { gzip: came('gzip', 510) }, ['(savings_gzip)']],
    [
      'text that is never compressed',
      { gzip: came(null, 500), br: came(null, 500), head: came(null, 0) },
      ['(savings)'],
    ],
    ['HEAD without the fields of GET', { head: came(null, 0) }, ['(head)']],
  ])('reports %s', (_, answers, expected) => {
    expect(wrong(answers)).toEqual(expected)
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
  })
})
