import type { StepName } from '../../../flows/step.js'
import { durationText } from '../../render/text/numbers.js'
import type { Menu, MenuItem } from '../screen/menu.js'
import { entriesOf } from './entries.js'
import type { FlowOffers, KeepFormat } from './offers.js'
import type { FlowState, MenuName } from './state.js'

/** The choices of a menu. */
export type Choice =
  | { readonly do: 'keep'; readonly format: KeepFormat }
  | { readonly do: 'editNext' }
  | { readonly do: 'breakAlways' }
  | { readonly do: 'move'; readonly name: string }
  | { readonly do: 'honest' }
  | { readonly do: 'clock'; readonly ms: number }

const endings: Readonly<Record<KeepFormat, string>> = {
  curl: 'sh',
  har: 'har',
  mermaid: 'mmd',
  markdown: 'md',
  jsonl: 'jsonl',
  raw: 'txt',
}

/** The name of the file that a run is kept in: `oauth-lab-flow-140311.har`, by the UTC time of day. */
export function keptName(format: KeepFormat, now: number): string {
  const time = new Date(now).toISOString().slice(11, 19).replaceAll(':', '')
  return `oauth-lab-flow-${time}.${endings[format]}`
}

const formats: ReadonlyArray<readonly [key: string, format: KeepFormat, text: string]> = [
  ['c', 'curl', 'curl, this exchange'],
  ['h', 'har', 'HAR, the whole flow'],
  ['m', 'mermaid', 'mermaid sequence diagram'],
  ['d', 'markdown', 'Markdown document'],
  ['j', 'jsonl', 'JSON lines, as --json'],
  ['r', 'raw', 'raw request and response'],
]

function exportMenu({ steps, selected }: FlowState, { keep }: FlowOffers, now: number): Menu<Choice> {
  const bare = steps[selected]?.exchange === undefined
  return {
    title: 'Export',
    items: formats.map(([key, format, text]) => {
      const needs = format === 'curl' || format === 'raw'
      const off = 'why' in keep ? keep.why : needs && bare ? 'this step has no exchange' : undefined
      return {
        choice: { do: 'keep', format },
        key,
        text,
        about: `./${keptName(format, now)}`,
        ...(off !== undefined && { off }),
      }
    }),
    note: '',
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
      choice: { do: 'clock', ms },
      key,
      text: `${aheadText(ms)} forward`,
      ...('why' in clock && { off: clock.why }),
    })),
    note: 'why' in clock ? '' : `${ahead} Codes and tokens expire by it, and it never goes back.`,
  }
}

/** How far the clock is ahead, whole units alone: `1 h 10 min`. */
export function aheadText(ms: number): string {
  return durationText(ms).replace(/ 0 (s|min|h)$/, '')
}

/** The heading of the moves in the message of a step. */
function headingOf(at: StepName): string {
  return `In the ${at.replaceAll('_', ' ')}`
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
    choice: { do: 'move', name },
    key: '',
    heading: headingOf(at),
    text: name,
    idea: does,
    about: `${does}. Expect ${expects}. Else ${risk}. ${rule}`,
    ...(off !== undefined && { off: `not here: ${off}` }),
  }))
}

/** The first move of the tamper menu that can be made; the first item where there is none. */
export function firstMove(state: FlowState, offers: FlowOffers): number {
  const at = tamperMenu(state, offers).items.findIndex(
    ({ choice, off }) => choice.do === 'move' && off === undefined,
  )
  return Math.max(0, at)
}

function tamperMenu(state: FlowState, offers: FlowOffers): Menu<Choice> {
  const over = state.outcome !== undefined
  const { gate, tamper } = offers
  const off = 'why' in gate ? gate.why : over ? 'the flow has ended: r runs it again' : undefined
  const always = state.breaks === 'always'
  return {
    title: 'Tamper',
    items: [
      {
        choice: { do: 'editNext' },
        key: 'e',
        text: 'edit the next request before it is sent',
        ...(off !== undefined && { off }),
      },
      {
        choice: { do: 'breakAlways' },
        key: 'b',
        text: always ? 'break before no request any more' : 'break before every request',
        ...('why' in gate && { off: gate.why }),
      },
      ...(state.move === undefined
        ? []
        : [{ choice: { do: 'honest' }, key: 'h', text: `run without ${state.move}` } as const]),
      ...moveItems(state, offers),
    ],
    note:
      'why' in tamper
        ? tamper.why
        : 'A wrong move begins a new run, and goes on by itself up to the request it changes.',
  }
}

/** A menu as it stands in this state. */
export function menuOf(name: MenuName, state: FlowState, offers: FlowOffers, now: number): Menu<Choice> {
  switch (name) {
    case 'export':
      return exportMenu(state, offers, now)
    case 'time':
      return timeMenu(state, offers)
    case 'tamper':
      return tamperMenu(state, offers)
  }
}
