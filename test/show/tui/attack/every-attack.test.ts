import { expect, it } from 'vitest'
import type { Step } from '../../../../src/flows/step.js'
import { attacks } from '../../../../src/judge/attacks/attacks.js'
import type { Attack, AttackOutcome } from '../../../../src/judge/attacks/model.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { plainText } from '../../../../src/show/render/text/spans.js'
import { width } from '../../../../src/show/render/text/text.js'
import { frameOf } from '../../../../src/show/tui/attack/run.js'
import {
  type AttackState,
  initialState,
  moved,
  recorded,
  started,
} from '../../../../src/show/tui/attack/state.js'

const SIZES = [
  [100, 30],
  [80, 24],
  [60, 20],
] as const

function stepsOf({ plan }: Attack, status: number): Step[] {
  return plan.map((planned, i) => ({
    type: 'step',
    n: i + 1,
    of: plan.length,
    ...planned,
    exchange: {
      request: { method: 'GET', url: 'https://localhost:8443/authorization', headers: [], body: '' },
      response: { status, headers: [], body: '' },
      wireBytes: { request: 0, response: 300 },
      bodyBytes: 300,
      ms: 2,
      at: '2026-01-01T00:00:00Z',
    },
  }))
}

function outcomeOf(attack: Attack, outcome: 'stolen' | 'defended'): AttackOutcome {
  const [{ check, rule }] = attack.defences
  const weak = outcome === 'stolen' ? attack.weak : []
  const told = { type: 'outcome', outcome, check, rule, detail: 'told by the server', weak } as const
  return { ...told, attack: attack.name, would_not_help: attack.wouldNotHelp }
}

/** Both runs of an attack at running labs: every step answered, and the last one of the strict run refused. */
function bothRuns(attack: Attack): AttackState {
  const places = { weak: 'localhost:8443', strict: 'localhost:8443' }
  const weak = [...stepsOf(attack, 200), outcomeOf(attack, 'stolen')]
  const strict = [
    ...stepsOf(attack, 200).slice(0, -1),
    stepsOf(attack, 400).at(-1)!,
    outcomeOf(attack, 'defended'),
  ]
  let state = initialState(attack, attack.weak, 'weak', places)
  for (const record of weak) state = recorded(state, 'weak', record)
  state = started(state, 'strict')
  for (const record of strict) state = recorded(state, 'strict', record)
  return state
}

const cases = attacks.flatMap(attack =>
  SIZES.map(([columns, rows]) => [attack.name, columns, rows, attack] as const),
)

it.each(cases)(
  'the screen of every attack: %s fits %i columns and %i rows, and says what both runs ended with',
  (_, columns, rows, attack) => {
    const both = bothRuns(attack)
    const begun = initialState(attack, attack.weak, 'weak')
    const middle = moved(both, -2)
    for (const state of [begun, both, middle]) {
      const lines = frameOf(state, { columns, rows }, signsFor({ ascii: false })).map(plainText)
      expect(lines.length).toBeLessThan(rows)
      for (const line of lines) expect(width(line), line).toBeLessThanOrEqual(columns)
    }
    const text = frameOf(both, { columns, rows }, signsFor({ ascii: false }))
      .map(plainText)
      .join('\n')
    // The modes may be cut for the end of the run, and never the other way round.
    expect(text).toContain(`stolen: ${attack.steals}`)
    expect(text).toContain(`defended: ${attack.defences[0].check}`)
    expect(text.match(/^ ?!/gm)).toHaveLength(2)
    const names = text.split('\n').find(each => /^ +attacker /.test(each))
    expect(names).toMatch(/ (authorization( server)?|server)( |$)/)
  },
)
