import { UserError } from '../../../protocol/errors.js'
import { durationText } from '../../render/text/numbers.js'
import { fileName } from '../screen/exports.js'
import type { Press } from '../screen/key-rows.js'
import { type Menu, type MenuItem, opened, pressInMenu } from '../screen/menu.js'
import { withClock } from './changes.js'
import type { FlowOffers, KeepFormat, Offer } from './offers.js'
import type { FrameContext } from './panes.js'
import type { Runner } from './runner.js'
import { entriesOf, type FlowState, type MenuName } from './state.js'

/** The parts of the stepper that keys act on. */
export interface FlowPorts {
  readonly runner: Runner
  readonly context: () => FrameContext
  /** True when the terminal is known to keep a clipboard. */
  readonly hasClipboard: boolean
}

export type FlowPress = Press<FlowState, FlowPorts>

/** A choice of a menu. */
type Choice = (on: FlowPress) => void

const whyOf = (offer: Offer<unknown>): string | undefined => ('why' in offer ? offer.why : undefined)

const formats: ReadonlyArray<readonly [key: string, format: KeepFormat, ending: string, text: string]> = [
  ['c', 'curl', 'sh', 'curl, this exchange'],
  ['h', 'har', 'har', 'HAR, the whole flow'],
  ['m', 'mermaid', 'mmd', 'mermaid sequence diagram'],
  ['d', 'markdown', 'md', 'Markdown document'],
  ['j', 'jsonl', 'jsonl', 'JSON lines, as --json'],
  ['r', 'raw', 'txt', 'raw request and response'],
]

function keepMenu({ steps, selected }: FlowState, { keep: kept }: FlowOffers, now: number): Menu<Choice> {
  const bare = steps[selected]?.exchange === undefined
  return {
    title: 'Export',
    items: formats.map(([key, format, ending, text]) => {
      const name = fileName('flow', ending, now)
      const needs = format === 'curl' || format === 'raw'
      const off = whyOf(kept) ?? (needs && bare ? 'this step has no exchange' : undefined)
      return { choice: on => void keep(format, name, on), key, text, about: `./${name}`, off }
    }),
  }
}

const MINUTE = 60_000
const moments: ReadonlyArray<readonly [key: string, ms: number]> = [
  ['1', 10 * MINUTE],
  ['2', 60 * MINUTE],
  ['3', 24 * 60 * MINUTE],
]

function timeMenu({ clockAhead }: FlowState, { clock }: FlowOffers): Menu<Choice> {
  const ahead = clockAhead > 0 ? `It is ${aheadText(clockAhead)} ahead.` : 'It shows the real time.'
  return {
    title: "Move the lab's clock",
    items: moments.map(([key, ms]) => ({
      choice: on => moveClock(ms, on),
      key,
      text: `${aheadText(ms)} forward`,
      off: whyOf(clock),
    })),
    note: 'why' in clock ? '' : `${ahead} Codes and tokens expire by it, and it never goes back.`,
  }
}

/** How far the clock is ahead, whole units alone: `1 h 10 min`. */
export function aheadText(ms: number): string {
  return durationText(ms).replace(/ 0 (s|min|h)$/, '')
}

function moveItems(state: FlowState, { tamper }: FlowOffers): MenuItem<Choice>[] {
  if ('why' in tamper) return []
  const from = entriesOf(state).findIndex(({ step }) => step === undefined)
  const order = entriesOf(state).map(({ planned }) => planned.name)
  // What can still go wrong in this run comes first, then what needs a new one.
  const ahead = (at: (typeof order)[number]): boolean => from >= 0 && order.lastIndexOf(at) >= from
  const steps = [...new Set(tamper.offer.moves.map(({ at }) => at))]
  const sorted = steps
    .sort((a, b) => Number(ahead(b)) - Number(ahead(a)))
    .flatMap(step => tamper.offer.moves.filter(({ at }) => at === step))
  return sorted.map(({ name, expects, does, risk, rule, at, off }) => ({
    choice: on => beginMove(name, on),
    key: '',
    heading: `In the ${at.replaceAll('_', ' ')}`,
    text: does,
    about: `--tamper ${name}: expect ${expects}. Else ${risk}. ${rule}`,
    off: off === undefined ? undefined : `not here: ${off}`,
  }))
}

/** The heading of what is not a wrong move. */
const THIS_RUN = 'In this run'

/** The first move of the tamper menu that can be made; the first item where there is none. */
export function firstMove(state: FlowState, offers: FlowOffers): number {
  const { items } = tamperMenu(state, offers)
  const at = items.findIndex(({ heading, off }) => heading !== THIS_RUN && off === undefined)
  return Math.max(0, at)
}

function tamperMenu(state: FlowState, offers: FlowOffers): Menu<Choice> {
  const { move, outcome, breaks } = state
  const over = outcome === undefined ? undefined : 'the flow has ended: r runs it again'
  const gate = whyOf(offers.gate)
  const honest: MenuItem<Choice>[] =
    move === undefined
      ? []
      : [{ choice: on => on.runner.honest(), key: 'h', heading: THIS_RUN, text: `again without ${move}` }]
  return {
    title: 'Tamper',
    items: [
      {
        choice: editNext,
        key: 'e',
        heading: THIS_RUN,
        text: 'edit the next request before it is sent',
        off: gate ?? over,
      },
      {
        choice: breakAlways,
        key: 'b',
        heading: THIS_RUN,
        text: breaks === 'always' ? 'break before no request any more' : 'break before every request',
        off: gate,
      },
      ...honest,
      ...moveItems(state, offers),
    ],
    note:
      whyOf(offers.tamper) ??
      'A wrong move begins a new run, and goes on by itself up to the request it changes.',
  }
}

const menus = { export: keepMenu, time: timeMenu, tamper: tamperMenu } as const

/** A menu as it stands in this state. */
export function menuOf(name: MenuName, state: FlowState, offers: FlowOffers, now: number): Menu<Choice> {
  return menus[name](state, offers, now)
}

/** Shows what became of a key, until the next one. */
export function report({ store }: Pick<FlowPress, 'store'>, text: string, good: boolean): void {
  store.update(state => ({ ...state, notice: { text, good } }))
}

/** Opens a menu; the tamper menu at the first move that can be made. */
export const opens = (name: MenuName) => ({
  change(state: FlowState, { context }: FlowPress): FlowState {
    const { offers, now } = context()
    const { title } = menuOf(name, state, offers, now)
    const at = name === 'tamper' ? firstMove(state, offers) : undefined
    return { ...state, menu: { name, ...opened(title, state, at) } }
  },
})

/** Carries out a key press while a menu is open. */
export function pressInFlowMenu(on: FlowPress, name: MenuName): void {
  const { offers, now } = on.context()
  pressInMenu(on, menuOf(name, on.state, offers, now), ({ choice }) => choice(on))
}

/** Breaks before every request from now on, or before none. */
export function breakAlways(on: FlowPress): void {
  const { gate } = on.context().offers
  if ('why' in gate) {
    report(on, gate.why, false)
    return
  }
  const breaks = on.store.get().breaks === 'always' ? 'never' : 'always'
  on.store.update(state => ({ ...state, breaks }))
  const text =
    breaks === 'always' ? 'every request waits for a person before it is sent' : 'no request waits any more'
  report(on, text, true)
}

function editNext({ store, runner }: FlowPress): void {
  store.update(state => ({ ...state, breaks: 'once' }))
  runner.advance()
}

/** Shows an error that the person can act on; any other error ends the screen. */
function reportOrFail(error: unknown, on: FlowPress): void {
  if (error instanceof UserError) report(on, error.message, false)
  else on.fail(error)
}

async function keep(format: KeepFormat, name: string, on: FlowPress): Promise<void> {
  const { offers } = on.context()
  const { steps, selected, outcome, showSecrets } = on.store.get()
  const step = steps[Math.min(selected, steps.length - 1)]
  if ('why' in offers.keep || step === undefined) return
  const records = outcome ? [...steps, outcome] : steps
  try {
    const file = await offers.keep.offer(name, format, { records, step, showSecrets })
    report(on, `wrote ${file}${showSecrets ? '' : ', secrets hidden'}`, true)
  } catch (error) {
    reportOrFail(error, on)
  }
}

function moveClock(ms: number, on: FlowPress): void {
  const { clock } = on.context().offers
  if ('why' in clock) return
  clock.offer.advance(ms)
  const ahead = clock.offer.ahead()
  on.store.update(state => withClock(state, ahead))
  report(on, `the lab's clock is ${aheadText(ahead)} ahead now`, true)
}

function beginMove(name: string, on: FlowPress): void {
  const { tamper } = on.context().offers
  if ('why' in tamper) return
  const move = tamper.offer.moves.find(each => each.name === name)
  if (move === undefined) return
  try {
    on.runner.restart({ ...tamper.offer.begin(name), move: name, until: move.at })
  } catch (error) {
    reportOrFail(error, on)
  }
}
