import type { Line } from '../../render/text/spans.js'
import { lineWidth } from '../../render/text/spans.js'

/** A line without those dim pieces at its end that only add to it, where they do not fit into `columns`. */
export function essential(line: Line, columns: number): Line {
  const last = Math.max(
    0,
    line.findLastIndex(({ tone, text }) => tone !== 'dim' && text !== ''),
  )
  let kept = line
  while (kept.length > last + 1 && lineWidth(kept) > columns) kept = kept.slice(0, -1)
  return kept
}
