/** More is not taken: a paste can be anything. */
const LONGEST = 4096

/** A line after `text` was typed or pasted behind it. Line breaks and other controls of a paste are left out. */
export function typed(line: string, text: string, longest = LONGEST): string {
  return (line + text.replace(/\p{Cc}/gu, '').toWellFormed()).slice(0, longest)
}

/** A line without its last character, as people count them. */
export function erased(line: string): string {
  const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })
  return [...characters.segment(line)]
    .slice(0, -1)
    .map(({ segment }) => segment)
    .join('')
}
