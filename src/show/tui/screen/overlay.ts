import type { Line, Span } from '../../render/text/spans.js'
import { lineWidth, span } from '../../render/text/spans.js'
import { width } from '../../render/text/text.js'

let segmenter: Intl.Segmenter | undefined

/** Made at its first use, which takes as long as starting Node. */
function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** The columns `from` to `to` (exclusive) of a line. A character that lies across an end becomes spaces. */
function columnsOf(line: Line, from: number, to: number): Line {
  const kept: Span[] = []
  let at = 0
  for (const { text, tone } of line) {
    let piece = ''
    for (const { segment } of graphemes(text)) {
      const end = at + width(segment)
      if (at >= from && end <= to) piece += segment
      else if (end > from && at < to) piece += ' '.repeat(Math.min(end, to) - Math.max(at, from))
      at = end
    }
    if (piece !== '') kept.push({ text: piece, tone })
  }
  return kept
}

/** A frame with a box drawn over it; its first character at `left`, `top`. */
export function overlay(
  frame: readonly Line[],
  box: readonly Line[],
  { left, top, columns }: { readonly left: number; readonly top: number; readonly columns: number },
): Line[] {
  return frame.map((line, y) => {
    const over = box[y - top]
    if (over === undefined) return line
    const before = columnsOf(line, 0, left)
    const after = columnsOf(line, left + lineWidth(over), columns)
    return [...before, span(' '.repeat(left - lineWidth(before))), ...over, ...after]
  })
}

/** A frame with a box drawn over its middle, `rows` by `columns` large. */
export function centred(
  frame: readonly Line[],
  box: readonly Line[],
  { columns, rows }: { readonly columns: number; readonly rows: number },
): Line[] {
  const left = Math.max(0, Math.floor((columns - lineWidth(box[0] ?? [])) / 2))
  return overlay(frame, box, { left, top: Math.max(0, Math.floor((rows - box.length) / 2)), columns })
}
