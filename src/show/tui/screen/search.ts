import type { Signs } from '../../render/text/signs.js'
import { foreign, type Line, plainText, span, spread } from '../../render/text/spans.js'
import { type Hint, hintLine } from './help.js'
import { type Front, type KeyTable, keyRows, type Press, pressInLine } from './key-rows.js'
import { erased } from './keys.js'
import { without } from './store.js'

/** The search in a pane. */
export interface Search<Pane extends string = string> {
  readonly pane: Pane
  readonly text: string
  /** Which of the lines that hold it was gone to, from 0. */
  readonly hit: number
}

/** A screen whose panes can be searched. */
export interface Searching<Pane extends string = string> extends Front {
  readonly pane: Pane
  /** The text that is typed to search for. */
  readonly finding?: string
  readonly search?: Search<Pane>
  /** First line shown, by pane. */
  readonly scroll: Readonly<Partial<Record<Pane, number>>>
}

/** The text of the pane with the keys. */
export interface Searched {
  readonly lines: readonly Line[]
  /** The line that is shown first. */
  readonly first: number
  /** The last line that may come first. */
  readonly limit: number
}

/** Reads the pane with the keys as it is now; undefined for one without a text. */
type ReadPane<State, Ports> = (on: Press<State, Ports>) => Searched | undefined

/** The lines that hold a text, upper and lower case alike. */
export function hitsOf(lines: readonly Line[], text: string): number[] {
  const wanted = text.toLowerCase()
  if (wanted === '') return []
  return lines.flatMap((line, i) => (plainText(line).toLowerCase().includes(wanted) ? [i] : []))
}

/** A line in which the text is marked wherever it stands. */
export function marked(line: Line, text: string): Line {
  const wanted = text.toLowerCase()
  const whole = plainText(line)
  const lower = whole.toLowerCase()
  // A few letters change their length with their case; then places cannot be compared.
  if (wanted === '' || lower.length !== whole.length || !lower.includes(wanted)) return line
  const isHit = new Uint8Array(whole.length)
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
    isHit.fill(1, at, at + wanted.length)
  }
  let place = 0
  return line.flatMap(piece => {
    const start = place
    place += piece.text.length
    const cuts = [start]
    for (let i = start + 1; i < place; i++) if (isHit[i] !== isHit[i - 1]) cuts.push(i)
    return cuts.map((from, i) => {
      const text = whole.slice(from, cuts[i + 1] ?? place)
      return isHit[from] ? span(text, 'hit') : { ...piece, text }
    })
  })
}

/** Which hit the keys are at: `hit 2/5`. */
export function hitText({ text, hit }: Search, lines: readonly Line[]): string {
  const hits = hitsOf(lines, text).length
  return hits === 0 ? 'no hit' : `hit ${Math.min(hit, hits - 1) + 1}/${hits}`
}

/**
 * Scrolls the pane with the keys to a line that holds the text, and says so when no line does.
 * @param by 0: the first hit from here on; else that many hits further, round the end
 */
function goToHit<State extends Searching, Ports>(
  on: Press<State, Ports>,
  read: ReadPane<State, Ports>,
  text: string,
  by: number,
): void {
  const { store } = on
  const { pane, search } = store.get()
  const shown = read({ ...on, state: store.get() })
  if (shown === undefined) return
  const hits = hitsOf(shown.lines, text)
  if (hits.length === 0) {
    const notice = { text: `${JSON.stringify(text)} is not in this pane`, good: false }
    store.update(now => ({ ...(without(now, 'search') as State), notice }))
    return
  }
  const current = search?.pane === pane && search.text === text ? search.hit : undefined
  const fromHere = hits.findIndex(line => line >= shown.first)
  const hit =
    current === undefined || by === 0 ? Math.max(0, fromHere) : (current + by + hits.length) % hits.length
  // A line above it, for what it belongs to.
  const line = Math.max(0, Math.min(shown.limit, hits[hit]! - 1))
  store.update(now => ({ ...now, search: { pane, text, hit }, scroll: { ...now.scroll, [pane]: line } }))
}

/** The keys that search the pane with the keys. @param when true where it has a text */
export function searchKeys<State extends Searching, Ports>(
  read: ReadPane<State, Ports>,
  when: (state: State) => boolean,
): KeyTable<State, Press<State, Ports>> {
  const next = (by: number) => (on: Press<State, Ports>) => goToHit(on, read, on.state.search?.text ?? '', by)
  const searching = (state: State): boolean => state.search !== undefined && when(state)
  return keyRows<State, Press<State, Ports>>('Everywhere', [
    ['/', 'search this pane', { change: state => ({ ...state, finding: '' }) }, ['/ search', 1], when],
    ['n', ['n N', 'next, previous hit'], { does: next(1) }, ['n N hits', 7], searching],
    ['N', undefined, { does: next(-1) }, undefined, searching],
  ])
}

/** Carries out a key press while it is typed what to search for. Returns false when nothing is. */
export function pressInSearch<State extends Searching, Ports>(
  on: Press<State, Ports>,
  read: ReadPane<State, Ports>,
): boolean {
  const { store, press, state } = on
  const { finding: text } = state
  if (text === undefined) return false
  const end = () => store.update(now => without(now, 'finding') as State)
  const change = (finding: string) => store.update(now => ({ ...now, finding }))
  const line = {
    text,
    longest: 200,
    change,
    accept() {
      end()
      if (text !== '') goToHit(on, read, text, 0)
    },
    cancel: end,
    // Erasing beyond the first character leaves, as in a pager.
    others: { backspace: () => (text === '' ? end() : change(erased(text))) },
  }
  pressInLine(press, line, on)
  return true
}

/** The last line of a screen while it is typed for which text to search. */
export function searchLine(finding: string, hints: readonly Hint[], columns: number, signs: Signs): Line {
  const typed = [span(' / ', 'now'), span(foreign(finding, signs), 'strong'), span(signs.caret, 'now')]
  return spread(typed, hintLine(hints, 40, 2), columns, signs)
}
