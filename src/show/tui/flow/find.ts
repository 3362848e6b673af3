import type { Line } from '../../render/text/spans.js'
import { plainText, span } from '../../render/text/spans.js'

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
