import { describe, expect, it } from 'vitest'
import type { Masking } from '../../../../src/protocol/safe-output/mask.js'
import type { BodyView } from '../../../../src/show/render/steps/body.js'
import { bodyLines } from '../../../../src/show/render/steps/body.js'
import { ruleLine, statusText, stepLines } from '../../../../src/show/render/steps/exchange-lines.js'
import { fieldLines } from '../../../../src/show/render/steps/fields.js'
import {
  bytesText,
  durationText,
  millisecondsText,
  momentText,
} from '../../../../src/show/render/text/numbers.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { line, plainText, spread } from '../../../../src/show/render/text/spans.js'
import { width } from '../../../../src/show/render/text/text.js'
import { LOGIN, STEPS, TOKEN_STEP } from '../../tui/steps.js'

const signs = signsFor({ ascii: false })
const texts = (lines: readonly Parameters<typeof plainText>[0][]) =>
  lines.map(each => plainText(each).trimEnd())

function shown(
  step: Parameters<typeof stepLines>[0],
  body: BodyView = 'pretty',
  masking: Masking = 'all',
  allHeaders = false,
) {
  return texts(stepLines(step, { columns: 78, body, masking, allHeaders, signs }))
}

describe('an exchange', () => {
  it('shows request, explained fields, answer, checks, TLS and why', () => {
    const lines = shown(TOKEN_STEP)
    expect(lines.slice(0, 2).join(' ')).toBe(TOKEN_STEP.why)
    expect(lines[2]).toMatch(/^POST \/token +request 175 B$/)
    expect(lines).toContain('authorization: Basic ZGVtbzo•••••••••')
    expect(lines).toContain('  code           k3V9…Qm1              authorization code, single use')
    expect(lines).toContain('✓ status    200                                                  RFC 6749 §5.1')
    expect(lines).toContain('  "token_type": "Bearer",')
    expect(lines).toContain('TLSv1.3 TLS_AES_256_GCM_SHA384 · sent 2026-11-21T14:03:11.000Z')
    expect(lines.some(each => /^── 200 OK ─+ 372 B · 14 ms ──$/.test(each))).toBe(true)
  })

  it('lists the members of the messages before the headers of the transport', () => {
    const lines = shown(TOKEN_STEP, 'pretty', 'all', true)
    const at = (text: string) => lines.findIndex(each => each.startsWith(text))
    const order = [
      '  code_verifier',
      'authorization: ',
      'host: ',
      '  "token_type"',
      'cache-control: no-store',
    ]
    expect(order.map(at)).toEqual(order.map(at).toSorted((a, b) => a - b))
    expect(order.map(at)).not.toContain(-1)
  })

  it('leaves the headers of the transport out until they are asked for, and counts them', () => {
    const text = shown(TOKEN_STEP).join('\n')
    expect(text).not.toMatch(/^(host|cache-control|content-type): /m)
    expect(text).toMatch(/^\d headers of the transport: H shows them$/m)
    expect(shown(TOKEN_STEP, 'raw').join('\n')).toMatch(/^host: /m)
  })

  it('explains the members of a redirect', () => {
    const lines = shown(LOGIN)
    expect(lines).toContain('location: http://127.0.0.1:7000/callback')
    expect(lines.some(each => /^ {2}code +\S+ +authorization code, single use$/.test(each))).toBe(true)
  })

  it.each(['pretty', 'raw', 'hex'] as const)(
    'hides secrets in the %s view until they are asked for',
    view => {
      const secret = view === 'hex' ? '77 6f 6e 64 65 72 6c 61 6e 64' : 'wonderland'
      const compact = (lines: string[]) =>
        view === 'hex' ? lines.map(each => each.slice(10, 58).trim()).join(' ') : lines.join('\n')
      expect(compact(shown(LOGIN, view))).not.toContain(secret)
      expect(compact(shown(LOGIN, view, 'none'))).toContain(secret)
    },
  )

  it('shows where the user agent was sent, and the checks of that', () => {
    const lines = shown(STEPS[3]!)
    expect(lines[0]).toMatch(/^The browser brings/)
    expect(lines).toContain('http://127.0.0.1:7000/callback')
    expect(lines).toContain('✓ state  the value that was sent                               RFC 6749 §10.12')
    expect(
      lines.some(each => /^ {2}state +af0ifjsldkj3Qk81 +ties the answer to this request$/.test(each)),
    ).toBe(true)
  })

  it.each([
    [200, 372, 1024, 'gzip 372 B on the wire, 1,024 B decoded: 2.8 times smaller'],
    [200, 935, 204_800, 'gzip 935 B on the wire, 204,800 B decoded: 219 times smaller'],
    [200, 71, 47, 'gzip 71 B on the wire, 47 B decoded: 24 B more than without'],
    [304, 0, 0, 'gzip 0 B on the wire, 0 B decoded'],
  ])('reports what a coding saved: %i, %i of %i bytes', (status, wire, decoded, expected) => {
    const exchange = TOKEN_STEP.exchange!
    const headers = [...exchange.response!.headers, ['Content-Encoding', 'gzip'] as const]
    const coded = {
      ...exchange,
      response: { ...exchange.response!, status, headers },
      wireBytes: { ...exchange.wireBytes, response: wire },
      bodyBytes: decoded,
    }
    expect(shown({ ...TOKEN_STEP, exchange: coded })).toContain(expected)
    expect(shown(TOKEN_STEP).join('\n')).not.toContain('on the wire')
  })

  it('without an answer says so', () => {
    const { response: _, ...unanswered } = LOGIN.exchange!
    expect(shown({ ...LOGIN, exchange: unanswered }).join('\n')).toMatch(/── no answer ─+ 9 ms ──/)
  })
})

describe('fields', () => {
  it('keep text that is no form as it is', () => {
    expect(texts(fieldLines('a=%zz', 40, signs))).toEqual(['  a=%zz'])
    expect(fieldLines('', 40, signs)).toEqual([])
  })

  it('cut a long value for its meaning, not the meaning', () => {
    const [state, uri] = texts(
      fieldLines(
        `state=${'s'.repeat(43)}&redirect_uri=http://127.0.0.1:46429/callback&code_challenge_method=S256`,
        78,
        signs,
      ),
    )
    expect(state).toMatch(/s…s+ {2}ties the answer to this request$/)
    expect(uri).toMatch(/^ {2}redirect_uri +http:\S+…\S+callback {2}address for the answer$/)
    expect(width(state!)).toBeLessThanOrEqual(78)
  })

  it('show duplicates and empty values, and cut what is long in the middle', () => {
    const lines = texts(fieldLines(`state=&state=${'x'.repeat(90)}y`, 40, signs))
    expect(lines[0]).toBe('  state')
    expect(lines[1]).toMatch(/^ {2}state {2}x+…x+y$/)
    expect(width(lines[1]!)).toBe(40)
  })
})

describe('bodies', () => {
  it.each<[body: string, view: BodyView, expected: string[]]>([
    ['{"a":[1,{}]}', 'pretty', ['{', '  "a": [', '    1,', '    {}', '  ]', '}']],
    ['{"a":[1,{}]}', 'raw', ['{"a":[1,{}]}']],
    ['{broken', 'pretty', ['{broken']],
    ['<p>\r\n\t\x1b</p>', 'pretty', ['<p>', '␉␛</p>']],
    ['abcdefghijkl', 'raw', ['abcdefghij', 'kl']],
    ['aé\n', 'hex', ['00000000  61 c3 a9 0a  a...']],
    ['', 'hex', []],
  ])('%j as %s', (body, view, expected) => {
    expect(texts(bodyLines(body, view, view === 'raw' && body.startsWith('abc') ? 10 : 20, signs))).toEqual(
      expected,
    )
  })

  it('survive JSON that is too deep to lay out', () => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000)
    expect(bodyLines(deep, 'pretty', 80, signs).length).toBeGreaterThan(0)
  })
})

describe('numbers', () => {
  it.each([
    [bytesText(0), '0 B'],
    [bytesText(1024), '1,024 B'],
    [bytesText(12345678), '12,345,678 B'],
    [millisecondsText(0.42), '0.4 ms'],
    [millisecondsText(14.2), '14 ms'],
    [millisecondsText(61_000), '61 s'],
    [durationText(400), '0.4 s'],
    [durationText(59_999), '59 s'],
    [durationText(3_596_000), '59 min 56 s'],
    [durationText(3_600_000), '1 h 0 min'],
    [durationText(90_000_000), '1 d 1 h'],
    [momentText('2026-11-21T14:03:11.000Z', Date.UTC(2026, 10, 21)), '14:03:11Z'],
    [momentText('2026-11-22T14:03:11.000Z', Date.UTC(2026, 10, 21)), '2026-11-22 14:03:11Z'],
    [statusText(302), '302 Found'],
    [statusText(799), '799'],
  ])('%s', (text, expected) => expect(text).toBe(expected))
})

it('lines with two ends cut the left one, and drop the aside of a rule that does not fit', () => {
  expect(plainText(spread(line('a long left side'), line('right'), 12, signs))).toBe('a lon… right')
  expect(plainText(ruleLine(line('title'), line('aside'), 30, signs))).toBe('── title ──────────── aside ──')
  expect(plainText(ruleLine(line('title'), line('aside'), 16, signs))).toBe('── title ───────')
})
