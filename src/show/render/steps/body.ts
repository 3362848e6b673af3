import { bytes } from '../../../protocol/http/message.js'
import type { Signs } from '../text/signs.js'
import type { Line } from '../text/spans.js'
import { foreign, line, span } from '../text/spans.js'
import { wrap } from '../text/text.js'

/** How a body is shown: laid out, as it was sent, or byte by byte. */
export type BodyView = 'pretty' | 'raw' | 'hex'

/** More of a body is not laid out on a screen; the rest is counted. */
const SHOWN = 64 * 1024

function rest(body: string): Line[] {
  const left = body.length - SHOWN
  return left > 0 ? [line(`${left.toLocaleString('en-US')} more characters are not shown here`, 'look')] : []
}

/** One line of laid-out JSON: indentation, name, value. */
function jsonLine(text: string, signs: Signs): Line {
  const [, indent = '', name = '', value = ''] = /^( *)("(?:[^"\\]|\\.)*": )?(.*)$/.exec(text) ?? []
  return [span(indent + foreign(name, signs), 'name'), span(foreign(value, signs))]
}

function prettyJson(body: string, signs: Signs): Line[] | undefined {
  if (body.length > SHOWN || !/^\s*[[{]/.test(body)) return undefined
  try {
    const laidOut = JSON.stringify(JSON.parse(body), null, 2)
    return laidOut.split('\n').map(text => jsonLine(text, signs))
  } catch {
    // Not JSON, or nested too deep to lay out: it is shown as it was sent.
    return undefined
  }
}

function hexLines(body: string, columns: number, signs: Signs): Line[] {
  const all = bytes(body.slice(0, SHOWN))
  // 8 columns of offset, two gaps, then four columns for every byte.
  const perLine = columns >= 76 ? 16 : columns >= 44 ? 8 : 4
  const lines: Line[] = []
  for (let at = 0; at < all.length; at += perLine) {
    const row = [...all.subarray(at, at + perLine)]
    const hex = row.map(byte => byte.toString(16).padStart(2, '0')).join(' ')
    const text = row.map(byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('')
    lines.push([
      span(at.toString(16).padStart(8, '0'), 'dim'),
      span(`  ${hex.padEnd(perLine * 3 - 1)}  `),
      span(foreign(text, signs), 'dim'),
    ])
  }
  return lines
}

/** The lines of a body. Laid-out lines may be wider than `columns`, to be cut; raw and hex ones are not. */
export function bodyLines(body: string, view: BodyView, columns: number, signs: Signs): Line[] {
  if (body === '') return []
  if (view === 'hex') return [...hexLines(body, columns, signs), ...rest(body)]
  const pretty = view === 'pretty' ? prettyJson(body, signs) : undefined
  if (pretty) return pretty
  const texts = body.slice(0, SHOWN).split(/\r?\n/)
  if (view === 'pretty') return [...texts.map(text => line(foreign(text, signs))), ...rest(body)]
  const broken = texts.flatMap(text => wrap(foreign(text, signs), columns))
  return [...broken.map(text => line(text)), ...rest(body)]
}
