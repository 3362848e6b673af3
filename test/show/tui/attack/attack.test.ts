import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Step } from '../../../../src/flows/step.js'
import { stolenCode } from '../../../../src/judge/attacks/catalogue/stolen-code.js'
import type { AttackOutcome, AttackRecord } from '../../../../src/judge/attacks/model.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { frameOf, runAttackScreen } from '../../../../src/show/tui/attack/run.js'
import {
  type AttackState,
  firstDifference,
  initialState,
  moved,
  recorded,
  type Side,
  started,
} from '../../../../src/show/tui/attack/state.js'
import { hostileText } from '../../render/hostile.js'
import { fakeTerminal } from '../screen/fake-terminal.js'
import { draws, expectFit, sizes } from '../screen/frames.js'
import { paint } from '../screen/paint.js'

const WEAK = ['redirect-prefix'] as const

/** A step of the plan with an answer. */
function step(n: number, status: number, note?: string): Step {
  const planned = stolenCode.plan[n - 1]!
  const [method, path] = planned.title.split(' ')
  const url = `https://localhost:8443${path?.startsWith('/') ? path : '/'}`
  return {
    type: 'step',
    n,
    of: stolenCode.plan.length,
    ...planned,
    exchange: {
      request: { method: method === 'a' ? 'GET' : method!, url, headers: [], body: '' },
      response: { status, headers: [], body: '' },
      wireBytes: { request: 0, response: 300 },
      bodyBytes: 300,
      ms: 2,
      at: '2026-01-01T00:00:00Z',
    },
    ...(note !== undefined && { note }),
  }
}

const outcome = (
  ending: Pick<AttackOutcome, 'outcome' | 'detail'>,
  weak: AttackOutcome['weak'],
): AttackOutcome => {
  const { check, rule } = stolenCode.defences[0]
  const known = { type: 'outcome', check, rule, weak, attack: 'stolen-code' } as const
  return { ...known, ...ending, would_not_help: stolenCode.wouldNotHelp }
}

const STOLEN: readonly AttackRecord[] = [
  step(1, 302),
  step(3, 302),
  step(4, 200),
  step(5, 200),
  step(6, 200),
  outcome({ outcome: 'stolen', detail: 'in the answer to GET https://localhost:8444/records' }, WEAK),
]

const DEFENDED: readonly AttackRecord[] = [
  step(1, 302),
  step(3, 400),
  outcome({ outcome: 'defended', detail: 'it is not one of the registered addresses' }, []),
]

const took = (state: AttackState, side: Side, records: readonly AttackRecord[]): AttackState =>
  records.reduce((before, record) => recorded(before, side, record), state)

const begun = initialState(stolenCode, WEAK, 'weak')
const stolen = took(begun, 'weak', STOLEN)
const both = took(started(stolen, 'strict'), 'strict', DEFENDED)

const draw = (state: AttackState, columns: number, rows: number, ascii = false): string =>
  paint(frameOf(state, { columns, rows }, signsFor({ ascii })))

const drawings: Readonly<Record<string, () => string>> = {
  'begin-100x30': () => draw(begun, 100, 30),
  'begin-80x24': () => draw(begun, 80, 24),
  'begin-60x20': () => draw(begun, 60, 20),
  'stepping-80x24': () => draw(took(begun, 'weak', STOLEN.slice(0, 3)), 80, 24),
  'both-100x30': () => draw(both, 100, 30),
  'both-80x24': () => draw(both, 80, 24),
  'both-60x20': () => draw(both, 60, 20),
  'look-back-80x24': () => draw(moved(both, -1), 80, 24),
  'help-80x24': () => draw({ ...begun, page: 'help' }, 80, 24),
  'ascii-60x20': () => draw(both, 60, 20, true),
  'too-small-48x14': () => draw(both, 48, 14),
}

describe('the screen of an attack', () => {
  draws(drawings)

  it('marks the first step in which two finished runs differ', () => {
    expect(firstDifference(both.runs)).toBe(1)
    expect(firstDifference(stolen.runs)).toBeUndefined()
    expect(draw(both, 80, 24).match(/^ ?!/gm)).toHaveLength(2)
  })

  it('fits every size with hostile text, and prints no control character', () => {
    fc.assert(
      fc.property(hostileText, sizes, (text, size) => {
        const attack = { ...stolenCode, title: text, starts: [text], steals: text }
        const hostile = { ...step(2, 200, text), why: text, title: text }
        const states = [
          initialState(attack, WEAK, 'weak'),
          { ...both, attack, runs: { ...both.runs, strict: { steps: [hostile] } } },
          {
            ...both,
            attack,
            runs: {
              ...both.runs,
              strict: { steps: [hostile], outcome: outcome({ outcome: 'failed', detail: text }, []) },
            },
          },
        ]
        for (const state of states) {
          expectFit(frameOf(state, size, signsFor({ ascii: false })), size)
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('the keys of an attack', () => {
  afterEach(() => {
    process.exitCode = undefined
  })

  /** Types keys at a screen, waiting each time until the text is drawn. */
  async function typing(...keys: ReadonlyArray<readonly [key: string, until: string]>) {
    const terminal = fakeTerminal()
    const started: Side[] = []
    const ended = runAttackScreen({
      attack: stolenCode,
      weak: WEAK,
      side: 'weak',
      ascii: false,
      async *start(side) {
        started.push(side)
        yield* side === 'weak' ? STOLEN : DEFENDED
      },
      stdin: terminal.stdin,
      stdout: terminal.stdout,
    })
    await vi.waitFor(() => expect(terminal.written()).toContain('enter step'), 20_000)
    for (const [key, until] of keys) {
      terminal.type(key)
      await vi.waitFor(() => expect(terminal.written()).toContain(until), 20_000)
    }
    return { outcome: await ended, started }
  }

  it('space runs to the end, d switches the defence and replays, q leaves', async () => {
    const { outcome: last, started } = await typing(
      [' ', 'stolen: records of alice'],
      ['d', 'defended: redirect_uri'],
      ['q', ''],
    )
    expect(started).toEqual(['weak', 'strict'])
    expect(last).toMatchObject({ outcome: 'defended', check: 'redirect_uri' })
  })

  it('enter takes one step; without an end there is no outcome', async () => {
    const { outcome: last, started } = await typing(['\r', 'Step 1 of 6'], ['q', ''])
    expect(started).toEqual(['weak'])
    expect(last).toBeUndefined()
  })
})
