import type { Line, Span, Tone } from '../../render/text/spans.js'
import { width } from '../../render/text/text.js'

/** A line as a terminal takes it, with or without colours. Its text has to be safe. */
export function paint(line: Line, colours: boolean): string {
  return line
    .map(({ text, tone }) => {
      const look = colours && text !== '' ? THEME[tone] : undefined
      return look === undefined ? text : `\x1b[${look[0]}m${text}\x1b[${look[1]}m`
    })
    .join('')
}

/**
 * Switches a style on and off: parameters of SGR, the control sequence for colours and the like (ECMA-48 §8.3.117).
 */
type Look = readonly [on: string, off: string]

/**
 * The style of each tone. The terminal's own foreground and its named colours, so that light and dark terminals both
 * stay readable; a colour never says what a sign or word does not.
 */
export const THEME: Readonly<Record<Tone, Look | undefined>> = {
  plain: undefined,
  dim: ['2', '22'],
  strong: ['1', '22'],
  title: ['1', '22'],
  name: ['36', '39'],
  done: ['32', '39'],
  now: ['1;36', '22;39'],
  look: ['33', '39'],
  refused: ['1;31', '22;39'],
  hit: ['7', '27'],
}

/** Terminals that know these draw what is between them at once; the others ignore them (DEC private mode 2026). */
const BEGIN = '\x1b[?2026h'
const END = '\x1b[?2026l'

/** Characters from the beginning that two texts share, as far as each is one column wide. */
function sharedStart(before: string, after: string): number {
  let at = 0
  while (at < before.length && before[at] === after[at] && /[ -~]/.test(before[at]!)) at++
  return at
}

/** The rest of a line from its first difference on, and the column where it begins; undefined without a difference. */
function difference(before: Line, after: Line): { readonly column: number; readonly rest: Line } | undefined {
  const same = (i: number): boolean =>
    before[i]?.text === after[i]?.text && before[i]?.tone === after[i]?.tone
  let first = 0
  while (first < after.length && same(first)) first++
  if (first === after.length && first >= before.length) return undefined
  const [old, now] = [before[first], after[first]]
  const shared = old && now && old.tone === now.tone ? sharedStart(old.text, now.text) : 0
  const kept = after.slice(0, first).reduce((text, piece: Span) => text + piece.text, '')
  // Terminals differ about the columns of wide characters: behind one, no column is certain.
  if (width(kept) !== kept.length) return { column: 0, rest: after }
  const changed = now === undefined ? [] : [{ ...now, text: now.text.slice(shared) }]
  return { column: kept.length + shared, rest: [...changed, ...after.slice(first + 1)] }
}

/** Makes of each frame the control sequences that draw it over the one before. */
export interface Painter {
  /** Empty for a frame that looks like the one before. */
  readonly paint: (frame: readonly Line[]) => string
  /** The terminal was cleared: the next frame is drawn whole. */
  readonly forget: () => void
}

/** Draws frames from the first line of the terminal on: of each line what changed, from its first changed character. */
export function createPainter(colours: boolean): Painter {
  let drawn: readonly Line[] = []
  return {
    paint(frame) {
      const rows = Math.max(frame.length, drawn.length)
      let text = ''
      for (let row = 0; row < rows; row++) {
        const { column, rest } = difference(drawn[row] ?? [], frame[row] ?? []) ?? {}
        if (column === undefined || rest === undefined) continue
        // Erased first: a line that fills its row would lose its last character.
        text += `\x1b[${row + 1};${column + 1}H\x1b[K${paint(rest, colours)}`
      }
      drawn = frame
      return text === '' ? '' : `${BEGIN}${text}${END}`
    },
    forget() {
      drawn = []
    },
  }
}
