import type { AttackData, AttackOutcome } from '../../../judge/attacks/model.js'
import type { WeakName } from '../../../protocol/rules/weak-modes.js'
import { drawLanes, type Lanes, laneNames, placeLanes } from '../../render/steps/lanes.js'
import type { Entry } from '../../render/steps/sequence.js'
import { type Signs, signsFor } from '../../render/text/signs.js'
import { cutLine, foreign, type Line, line, plainText, span } from '../../render/text/spans.js'
import { cutEnd, width, wrap } from '../../render/text/text.js'
import { screenFrame, tableHintLine, weakNoticeLines } from '../screen/frame.js'
import { windowStart } from '../screen/list.js'
import { type PaneContent, paneTitle, ruled } from '../screen/panes.js'
import { type ScreenTerminal, showScreen } from '../screen/show-screen.js'
import { arrangementOf, frameHeight, type Size } from '../screen/size.js'
import { createStore } from '../screen/store.js'
import { ATTACK_KEYS } from './keys.js'
import { createRunner, type StartRun } from './runner.js'
import {
  type AttackState,
  firstDifference,
  initialState,
  type Run,
  SIDES,
  type Side,
  selectedIndex,
} from './state.js'

/** Least lines of the details below both runs. */
const DETAILS = { wide: 5, normal: 4, small: 3, tooSmall: 1 } as const

/** Lines that are no step and no detail: header, names of lanes, three rules, hints. */
const FRAMING = 6

/** The steps that happened, and behind them the planned ones. */
function entriesOf(run: Run, { attack }: AttackState, selected: number | undefined): Entry[] {
  const last = run.steps.length - 1
  const happened = run.steps.map((step, i): Entry => {
    const refused = i === last && run.outcome?.outcome === 'defended'
    const status = refused ? 'refused' : i === selected ? 'now' : 'done'
    return { n: step.n, planned: step, step, status }
  })
  if (run.outcome) return happened
  const from = run.steps.at(-1)?.n ?? 0
  const planned = attack.plan.slice(from).map((each, i): Entry => {
    return { n: from + i + 1, planned: each, status: 'next' }
  })
  return [...happened, ...planned]
}

/** The drawn steps of a run, a line each: the message alone, because its answer is in the details. */
function runLines(state: AttackState, side: Side, lanes: Lanes, signs: Signs): Line[] {
  const selected = side === state.side ? selectedIndex(state) : undefined
  const entries = entriesOf(state.runs[side], state, selected)
  const drawn = drawLanes(entries, lanes, { masking: 'all', signs })
  const differs = firstDifference(state.runs)
  return entries.map((_, i) => {
    const message = drawn.find(each => each.entry === i)?.line ?? []
    const marks = [
      i === differs ? span(signs.look, 'look') : span(' '),
      i === selected ? span(signs.arrowRight, 'now') : span(' '),
    ]
    return cutLine([...marks, ...message], lanes.columns + 2, signs)
  })
}

/** Columns from which on a rule has room for the rule that refused. */
const ROOMY = 77

/** Columns of a rule beside its two texts. */
const RULE = 10

/** The end of a run at the right of its rule. */
function endingOf(state: AttackState, of: Side, columns: number, signs: Signs): Line {
  const { attack, busy, side, runs } = state
  const { outcome } = runs[of]
  if (outcome === undefined) return busy && side === of ? [span('under way', 'dim')] : []
  if (outcome.outcome === 'stolen') return [span(foreign(`stolen: ${attack.steals}`, signs), 'refused')]
  if (outcome.outcome === 'failed') return [span(foreign(`failed: ${outcome.detail}`, signs), 'refused')]
  const end = `defended: ${outcome.check}`
  const whole = `${end}  ${outcome.rule}`
  // The rule of a draft has a long name.
  const fits = columns >= ROOMY && width(whole) + width(of) + RULE <= columns
  return [span(foreign(fits ? whole : end, signs), 'done')]
}

/** The lab of a run: as much as fits beside the end of the run, which is never left out. */
function labText({ places, weak }: AttackState, side: Side, columns: number): string {
  const place = places[side] === undefined ? side : `${side} at ${places[side]}`
  const modes = side === 'weak' ? weak.join(', ') : 'all defences on'
  const texts = [`${place}: ${modes}`, `${side}: ${modes}`, place]
  return texts.find(text => width(text) + RULE <= columns) ?? side
}

function runPane(state: AttackState, side: Side, lanes: Lanes, rows: number, signs: Signs): PaneContent {
  const lines = runLines(state, side, lanes, signs)
  const focused = side === state.side
  const run = state.runs[side]
  const differs = firstDifference(state.runs)
  const here = focused ? selectedIndex(state) : (differs ?? run.steps.length - 1)
  const start = windowStart(lines.length, rows, Math.max(0, here - 1), Math.max(0, here))
  const ending = endingOf(state, side, lanes.columns, signs)
  const lab = labText(state, side, lanes.columns - width(plainText(ending)))
  return {
    title: paneTitle(foreign(lab, signs), focused),
    aside: ending,
    lines: lines.slice(start, start + rows),
  }
}

/** The texts about the selected step, and at the end of a run about its outcome. */
function detailTexts(state: AttackState): string[] {
  const { attack, runs, side, at } = state
  const { steps, outcome } = runs[side]
  const step = steps[selectedIndex(state)]
  if (step === undefined) return [...attack.starts, `It wants ${attack.steals}.`]
  if (outcome && at === undefined) {
    const ending =
      outcome.outcome === 'stolen' ? `Stolen: ${attack.steals}, ${outcome.detail}.` : outcome.detail
    return [ending, ...outcome.would_not_help.map(each => `Would not help: ${each}`)]
  }
  const status = step.exchange?.response?.status
  const answer = status === undefined ? [] : [`Answer: ${status}.`]
  return [step.why, [...answer, step.note ?? ''].join(' ').trim()].filter(each => each !== '')
}

function detailPane(state: AttackState, columns: number, rows: number, signs: Signs): PaneContent {
  const step = state.runs[state.side].steps[selectedIndex(state)]
  const all = detailTexts(state).flatMap(text => wrap(foreign(text, signs), columns - 2))
  const lines = all.slice(0, rows)
  if (all.length > rows) lines.push(cutEnd(`${lines.pop()} ${signs.ellipsis}`, columns - 2, signs.ellipsis))
  const rule = step === undefined ? state.attack.rule : `RFC ${step.rfc}`.replace(/^RFC (?!\d)/, '')
  return {
    title: [span(step === undefined ? 'The attacker' : `Step ${step.n} of ${step.of}`)],
    aside: [span(foreign(rule, signs), 'dim')],
    lines: lines.map(each => line(each)),
  }
}

/** Both runs, one below the other, and the selected step. */
function panes(state: AttackState, size: Size, signs: Signs): Line[] {
  const { columns } = size
  const notice = weakNoticeLines(state.weak, columns)
  const room = frameHeight(size) - FRAMING - notice.length
  const least = DETAILS[arrangementOf(size)]
  const rows = Math.max(1, Math.floor((room - least) / SIDES.length))
  const details = Math.max(least, room - rows * SIDES.length)
  const lanes = placeLanes(state.attack.plan, columns - 3)
  const { name, title } = state.attack
  const header = [span(` attack ${name}`, 'title'), span(`   ${foreign(title, signs)}`, 'dim')]
  return [
    cutLine(header, columns, signs),
    ...notice,
    [span('   '), ...laneNames(lanes)],
    ...SIDES.flatMap(side => ruled(runPane(state, side, lanes, rows, signs), columns, rows, signs)),
    ...ruled(detailPane(state, columns, details, signs), columns, details, signs),
    tableHintLine(ATTACK_KEYS, state, size, signs),
  ]
}

/** The frame: what the terminal shows of the attack. */
export function frameOf(state: AttackState, size: Size, signs: Signs): Line[] {
  return screenFrame(state, size, signs, {
    keys: ATTACK_KEYS,
    notes: ['the first line in which the two runs differ is marked when both have ended'],
    panes: () => panes(state, size, signs),
  })
}

/** How an attack is shown. */
export interface AttackScreenOptions extends ScreenTerminal {
  readonly attack: AttackData
  /** The weak modes of the weak lab. */
  readonly weak: readonly WeakName[]
  /** The lab that the first run attacks. */
  readonly side: Side
  readonly start: StartRun
  /** Hosts of running labs, for the sides that have one. */
  readonly at?: Readonly<Partial<Record<Side, string>>>
  readonly ascii: boolean
}

/**
 * Shows an attack in the alternate screen of the terminal until the person leaves it.
 * @returns the outcome of the last run; undefined when it has not ended
 */
export async function runAttackScreen(options: AttackScreenOptions): Promise<AttackOutcome | undefined> {
  const { attack, weak, side, at, start } = options
  const signs = signsFor(options)
  const store = createStore(initialState(attack, weak, side, at))
  await showScreen(options, { keys: ATTACK_KEYS }, finish => {
    const runner = createRunner(store, start, error => finish({ error }))
    return {
      store,
      ports: { runner },
      frame: (shown, size) => frameOf(shown, size, signs),
      close: runner.close,
    }
  })
  const { runs, side: last } = store.get()
  return runs[last].outcome
}
