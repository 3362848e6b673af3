import type { Signs } from './signs.js'
import { cutEnd, width } from './text.js'

export { foreign } from '../../../protocol/safe-output/safe.js'

/** The kind of a piece of text, for a theme to colour. Colour only repeats the meaning of a sign or word. */
export type Tone = 'plain' | 'dim' | 'strong' | 'done' | 'now' | 'refused' | 'look' | 'name' | 'title' | 'hit'

/** A piece of a line. Its text is safe for a terminal. */
export interface Span {
  readonly text: string
  readonly tone: Tone
}

/** One line of a screen: pieces side by side. */
export type Line = readonly Span[]

/** A span; plain unless a tone is given. */
export function span(text: string, tone: Tone = 'plain'): Span {
  return { text, tone }
}

/** A line of one piece. */
export function line(text: string, tone: Tone = 'plain'): Line {
  return [span(text, tone)]
}

/** A line without its tones. */
export function plainText(pieces: Line): string {
  return pieces.map(each => each.text).join('')
}

/** Columns a line takes. */
export function lineWidth(pieces: Line): number {
  return width(plainText(pieces))
}

/** At most `columns` of a line, with an ellipsis where something is missing. */
export function cutLine(pieces: Line, columns: number, signs: Signs): Line {
  if (lineWidth(pieces) <= columns) return pieces
  const kept: Span[] = []
  let room = columns
  for (const [i, piece] of pieces.entries()) {
    const taken = width(piece.text)
    const after = pieces.slice(i + 1).some(each => each.text !== '')
    if (after ? taken + width(signs.ellipsis) <= room : taken <= room) {
      kept.push(piece)
      room -= taken
      continue
    }
    // A piece that would fit alone still has to show that something follows it.
    const cut = cutEnd(
      taken <= room ? `${piece.text}${' '.repeat(room + 1)}` : piece.text,
      room,
      signs.ellipsis,
    )
    kept.push({ ...piece, text: cut })
    break
  }
  // Characters that join across two pieces can be wider together than apart.
  return lineWidth(kept) <= columns ? kept : line(cutEnd(plainText(kept), columns, signs.ellipsis))
}

/** Exactly `columns` of a line: cut, or filled with spaces. */
export function fillLine(pieces: Line, columns: number, signs: Signs): Line {
  const cut = cutLine(pieces, columns, signs)
  const missing = columns - lineWidth(cut)
  return missing > 0 ? [...cut, span(' '.repeat(missing))] : cut
}

/** `left` and `right` at the two ends of a line of `columns`; the left one is cut where both do not fit. */
export function spread(left: Line, right: Line, columns: number, signs: Signs): Line {
  const end = cutLine(right, columns, signs)
  const room = columns - lineWidth(end)
  return [...fillLine(cutLine(left, Math.max(0, room - 1), signs), room, signs), ...end]
}
