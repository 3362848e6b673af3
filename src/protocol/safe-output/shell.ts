import { makeSafe } from './safe.js'

/** A piece of a shell word: text to take as it is, or the value of a variable. */
export type Piece = string | { readonly variable: string }

/** Text that a shell takes as it is, between single quotes where it needs them. Only line breaks stay unseen. */
function quoted(text: string): string {
  const safe = text
    .split('\n')
    .map(line => makeSafe(line))
    .join('\n')
  return /^[\w/.:@%+=,-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", `'\\''`)}'`
}

/** Text that means the same between double quotes. */
const plain = /^[\w /.:@%+=,?&~()*;#|<>[\]-]*$/

/**
 * Pieces as one word of a POSIX shell. Whatever the texts hold, the shell sees them as text: nothing in them is
 * expanded or run. Control characters are written as signs.
 */
export function shellWord(...pieces: readonly Piece[]): string {
  if (pieces.every(piece => typeof piece === 'string')) return quoted(pieces.join(''))
  if (pieces.every(piece => typeof piece !== 'string' || plain.test(piece))) {
    const inside = pieces.map((piece, i) => {
      if (typeof piece === 'string') return piece
      const next = pieces[i + 1]
      return typeof next === 'string' && /^\w/.test(next) ? `\${${piece.variable}}` : `$${piece.variable}`
    })
    return `"${inside.join('')}"`
  }
  return pieces
    .filter(piece => piece !== '')
    .map(piece => (typeof piece === 'string' ? quoted(piece) : `"$${piece.variable}"`))
    .join('')
}

/** A line of comment that ends where the line does. */
export function shellComment(text: string): string {
  return `# ${makeSafe(text)}`
}

/** Joins neighbouring texts. */
export function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') all[all.length - 1] = last + piece
    else all.push(piece)
  }
  return all
}
