import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { cutLine, line } from '../../render/text/spans.js'
import { wrap } from '../../render/text/text.js'
import type { Size } from './size.js'
import { arrangementOf, frameHeight } from './size.js'

function tooSmall({ columns, rows }: Size): Line[] {
  const text = `oauth-lab needs 60x20, this terminal is ${columns}x${rows}. Make it larger, or run with --plain. q quits.`
  return wrap(text, Math.max(1, columns - 1)).map(part => line(columns > 10 ? ` ${part}` : part))
}

/**
 * A frame as the terminal can show it: exactly one line less than it has rows, none wider than it has columns. Where
 * it is smaller than 60x20, the sentence that says so.
 */
export function fitFrame(lines: () => readonly Line[], size: Size, signs: Signs): Line[] {
  const height = frameHeight(size)
  const body = arrangementOf(size) === 'tooSmall' ? tooSmall(size) : lines()
  const cut = body.slice(0, height).map(each => cutLine(each, size.columns, signs))
  return [...cut, ...Array.from({ length: height - cut.length }, () => [])]
}
