import type { LeadAction, ShownBoard } from '../../../servers/room/model.js'
import { signsFor } from '../../render/text/signs.js'
import { foreign, type Line, line, span } from '../../render/text/spans.js'
import { width, wrap } from '../../render/text/text.js'
import { filterLine, pageTitle, screenFrame, tableHintLine } from '../screen/frame.js'
import { type ScreenTerminal, showScreen } from '../screen/show-screen.js'
import type { Size } from '../screen/size.js'
import { createStore } from '../screen/store.js'
import type { EndingSignal } from '../screen/terminal.js'
import { WORKSHOP_KEYS, workshopKeys, workshopMenu } from './keys.js'
import { type FrameContext, panes } from './panes.js'
import { came, initialState, nameOf, type WorkshopState } from './state.js'

/** The hints while a sentence is typed. */
const HINTS = '   enter say it   esc cancel'

/** The last line: the sentence or filter that is typed, or hints. */
function bottom(state: WorkshopState, size: Size, { signs }: FrameContext): Line {
  const { saying, typing, filter, board } = state
  if (saying !== undefined) {
    const person = board.people.find(({ who }) => who === saying.who)
    const to = person === undefined ? 'all' : foreign(nameOf(state, person), signs)
    const prompt = ` to ${to}: `
    const room = size.columns - width(prompt) - HINTS.length - 1
    const text = foreign(saying.text, signs)
    // The end of a long sentence is where the keys are.
    const end = width(text) <= room ? text : `${signs.ellipsis}${[...text].slice(2 - room).join('')}`
    return [span(prompt, 'name'), span(end), span(signs.caret, 'now'), span(HINTS, 'dim')]
  }
  if (typing) return filterLine(filter, signs)
  return tableHintLine(WORKSHOP_KEYS, state, size, signs)
}

/** The page over all panes: how people join. */
const joinPage = (join: readonly string[], { columns }: Size, { signs }: FrameContext): Line[] => [
  pageTitle('how people join', columns, signs),
  line(''),
  ...join.flatMap(each => wrap(foreign(each, signs), columns - 2).map(text => line(` ${text}`))),
]

/** The frame: what the terminal shows of the room. `join` says how people join, a text a line. */
export function frameOf(
  state: WorkshopState,
  size: Size,
  context: FrameContext,
  join: readonly string[],
): Line[] {
  const { menuName } = state
  return screenFrame(state, size, context.signs, {
    keys: WORKSHOP_KEYS,
    notes: [
      `${context.signs.done} done  ${context.signs.now} begun  h2: two hints  s: the solution  x3: refused three times`,
      `${context.signs.look} stuck: refused three times by one rule, twice as slow as most, the last hint, or asks for help`,
    ],
    ...(menuName !== undefined && { menu: workshopMenu(menuName, state) }),
    panes: () =>
      state.page === 'info'
        ? joinPage(join, size, context)
        : [...panes(state, size, context), bottom(state, size, context)],
  })
}

/** The room that a screen shows. */
export interface WorkshopScreenOptions extends ScreenTerminal {
  readonly board: () => ShownBoard
  /** Starts to report changes of the room, and lines for the teacher; returns the function that ends it. */
  readonly listen: (listener: {
    readonly changed: () => void
    readonly tell: (text: string) => void
  }) => () => void
  /** Acts for the teacher. @returns false when the room has no such lesson, task or person */
  readonly lead: (action: LeadAction) => boolean
  /** How people join, a text a line. */
  readonly join: () => readonly string[]
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly ascii: boolean
}

/** Milliseconds between two boards while the room changes, and while it does not: who is slow depends on the time. */
const PACE = 250
const REFRESH = 10_000

/**
 * Shows a room in the alternate screen of the terminal until the teacher leaves it.
 * @returns the signal that ended it, if any
 */
export async function runWorkshopScreen(options: WorkshopScreenOptions): Promise<EndingSignal | undefined> {
  const { board, listen, lead, join, now } = options
  const signs = signsFor(options)
  const store = createStore(initialState(board()))
  const refresh = (): void => store.update(state => came(state, board()))
  return showScreen(options, workshopKeys, () => {
    let waiting: NodeJS.Timeout | undefined
    const unsubscribe = listen({
      changed() {
        waiting ??= setTimeout(() => {
          waiting = undefined
          refresh()
        }, PACE)
      },
      tell: text => store.update(state => ({ ...state, notice: text })),
    })
    const slow = setInterval(refresh, REFRESH)
    return {
      store,
      now,
      ports: { lead, context: () => ({ signs, now: now() }) },
      frame: (state, size, time) => frameOf(state, size, { signs, now: time }, join()),
      close() {
        unsubscribe()
        clearTimeout(waiting)
        clearInterval(slow)
      },
    }
  })
}
