import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import type { Outcome, Step } from '../../../../src/flows/step.js'
import { foreignRule } from '../../../../src/protocol/rules/rule.js'
import { decodeJwt } from '../../../../src/protocol/tokens/decode.js'
import { explainToken } from '../../../../src/protocol/tokens/explain.js'
import { plainText } from '../../../../src/show/render/text/spans.js'
import {
  ask,
  grown,
  nextBody,
  say,
  scrolled,
  selectedBy,
  toPane,
  wait,
} from '../../../../src/show/tui/flow/changes.js'
import { frameOf } from '../../../../src/show/tui/flow/frame.js'
import { scrollLimit } from '../../../../src/show/tui/flow/panes.js'
import { forAll } from '../../../support/for-all.js'
import { by, set } from '../changes.js'
import { exchange, GRANTED, jwt, LOGIN_FORM, PLAN, TOKEN_STEP } from '../steps.js'
import { acted, type Change, contextFor, draw, stateAfter } from './draw.js'

const hostile = fc.string({
  unit: fc.constantFrom(
    ...['\x1b[2J', '\x1b]0;x\x07', '\r', '\b', '\0', '\t', '\n', '\u202e', '\u2066', '\ud800', '\u200d'],
    ...[
      '漢',
      '👩‍👩‍👧',
      '🇩🇪',
      'é',
      'e\u0301',
      '\u0301',
      '1\u20e3',
      'ｶﾞ',
      '한',
      'ก็',
      '%',
      '%zz',
      '"',
      '&',
      '=',
      '<',
      'a',
      ' ',
    ],
  ),
  maxLength: 60,
})

/** A step in which everything that comes from outside is hostile. */
const hostileStep = fc
  .tuple(hostile, hostile, hostile, fc.constantFrom('application/json', 'text/html'))
  .map(([a, b, c, type]): Step => {
    const value = jwt({ iss: a, sub: b, aud: [c], exp: 4e9, [c]: a }, { alg: b, kid: a })
    return {
      ...TOKEN_STEP,
      note: c,
      exchange: exchange(
        'POST',
        `https://127.0.0.1/token?${a}=${b}`,
        {
          status: 200,
          headers: [
            ['content-type', type],
            [`x${a}`, b],
          ],
          body: `{"x":${JSON.stringify(c)}}${b}`,
        },
        { headers: [['content-type', 'application/x-www-form-urlencoded']], body: `${a}=${b}&code=${c}` },
      ),
      checks: [{ name: a, ok: false, rule: foreignRule(b), detail: c }],
      token: {
        kind: 'access_token',
        value,
        explained: explainToken(decodeJwt(value)),
        checks: [{ name: 'signature', ok: true, rule: foreignRule(a), detail: b }],
      },
    }
  })

const hostileOutcome = fc.tuple(hostile, hostile, hostile).map(
  ([error, error_description, rule]): Outcome => ({
    type: 'outcome',
    outcome: 'refused',
    error: { error, error_description, rule: foreignRule(rule) },
  }),
)

const size = fc.record({ columns: fc.integer({ min: 1, max: 160 }), rows: fc.integer({ min: 1, max: 50 }) })

const views: readonly Change[] = [
  by(toPane, 'token'),
  by(toPane, 'exchange'),
  by(toPane, 'sequence'),
  nextBody,
  set({ showSecrets: true }),
  set({ page: 'help' }),
  by(selectedBy, -2),
  by(scrolled, 30, 40),
  by(grown, 6),
  by(grown, -9),
]

describe('every frame', () => {
  it('fits the terminal and makes hostile text safe', () => {
    fc.assert(
      fc.property(
        hostileStep,
        hostileOutcome,
        hostile,
        fc.array(fc.constantFrom(...views), { maxLength: 5 }),
        size,
        fc.boolean(),
        (step, outcome, text, changes, terminal, ascii) => {
          const prompt = { clientId: text, scope: text, message: text }
          for (const state of [
            acted(stateAfter(4, step), ...changes),
            acted(stateAfter(4, step, outcome), ...changes),
            ask(stateAfter(2), prompt, { username: text }),
            acted(stateAfter(2), by(wait, false), by(say, text)),
          ]) {
            const context = { ...contextFor({ ascii }), clientId: text, issuer: text }
            const lines = frameOf(state, terminal, context).map(plainText)
            expect(lines).toHaveLength(Math.max(1, terminal.rows - 1))
            for (const line of lines) {
              expect(stringWidth(line)).toBeLessThanOrEqual(terminal.columns)
              expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
              if (ascii) expect(line).toMatch(/^[\x20-\x7e]*$/)
            }
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('is painted by Ink as it was laid out', () => {
    for (const terminal of [
      { columns: 100, rows: 30 },
      { columns: 80, rows: 24 },
      { columns: 60, rows: 20 },
      { columns: 20, rows: 5 },
    ]) {
      const state = stateAfter(6, GRANTED)
      const laidOut = frameOf(state, terminal, contextFor()).map(line => plainText(line).trimEnd())
      expect(draw(state, terminal).split('\n')).toEqual(laidOut)
    }
  })

  it('never loses help and quit from its hints', () =>
    forAll(fc.integer({ min: 60, max: 130 }), fc.integer({ min: 20, max: 40 }), (columns, rows) => {
      for (const state of [stateAfter(0), stateAfter(3), stateAfter(6, GRANTED)]) {
        const hints = plainText(frameOf(state, { columns, rows }, contextFor()).at(-1)!)
        expect(hints).toMatch(/\? help +q quit$/)
      }
    }))
})

it('names the keys that change, send and write, but never beside a recording', () => {
  const named = (shownOnly: boolean) =>
    ['t tamper', '+ time', 'x export'].filter(hint =>
      draw({ ...stateAfter(3), shownOnly }, { columns: 120, rows: 30 }).includes(hint),
    )
  expect(named(false)).toEqual(['t tamper', '+ time', 'x export'])
  expect(named(true)).toEqual([])
})

describe('a large answer', () => {
  const body = `<pre>${'long '.repeat(200_000)}</pre>`
  const form = LOGIN_FORM.exchange!
  const step: Step = {
    ...LOGIN_FORM,
    exchange: { ...form, response: { ...form.response!, body: `${body}\n${'x\n'.repeat(100_000)}` } },
  }
  const state = nextBody(stateAfter(1, step))

  it('is shown up to the size of a pane, with the number of missing lines', () => {
    const terminal = { columns: 80, rows: 24 }
    const limit = scrollLimit(state, terminal, contextFor())
    const atEnd = scrolled(state, 1_000_000, limit)
    const lines = frameOf(atEnd, terminal, contextFor()).map(plainText)
    expect(lines).toHaveLength(23)
    expect(lines.join('\n')).toContain('more characters are not shown here')
  })
})

describe('a resize', () => {
  it('keeps step, pane and scroll', () => {
    const state = acted(stateAfter(6, GRANTED), by(selectedBy, -1), by(scrolled, 2, 10))
    const wide = draw(state, { columns: 100, rows: 30 })
    expect(draw(state, { columns: 40, rows: 10 })).toContain('oauth-lab needs 60x20')
    expect(draw(state, { columns: 60, rows: 20 })).toContain('5 of 6')
    expect(draw(state, { columns: 100, rows: 30 })).toBe(wide)
    expect(wide).toContain('[2 Exchange 5]')
    expect(wide).not.toContain('The client redeems the code')
  })

  it('shows the end of a pane that became large enough, not emptiness', () => {
    const state = scrolled(stateAfter(5), 13, 13)
    expect(draw(state, { columns: 100, rows: 60 })).toContain('POST /token      ')
  })
})

describe('the sequence', () => {
  it('has a lane for the resource server only when the plan has one', () => {
    const wide = { columns: 100, rows: 30 }
    expect(draw(stateAfter(0), wide)).not.toContain('resource server')
    const plan = [
      ...PLAN,
      { ...PLAN[4]!, name: 'userinfo_request', to: 'resource_server', title: 'GET /resource' } as const,
    ]
    const frame = draw({ ...stateAfter(0), plan }, wide)
    expect(frame).toContain('resource server')
    expect(frame).toMatch(/┄ GET \/resource ┄+►│/)
  })

  it('follows the selected step where it does not fit', () => {
    const state = { ...stateAfter(0), plan: [...PLAN, ...PLAN] }
    const normal = { columns: 80, rows: 24 }
    expect(draw(state, normal)).toContain('● 1 ')
    expect(draw(selectedBy(state, 6), normal)).toContain('● 7 ')
    expect(draw(selectedBy(state, 11), normal)).toContain('● 12')
  })
})
