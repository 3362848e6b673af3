import type { TextProps } from 'ink'
import type { Tone } from '../../render/spans.js'

/**
 * How each tone looks. The terminal's own foreground and its named colours, so that light and dark terminals both
 * stay readable; a colour never says what a sign or word does not.
 */
export const THEME: Readonly<Record<Tone, TextProps>> = {
  plain: {},
  dim: { dimColor: true },
  strong: { bold: true },
  title: { bold: true },
  name: { color: 'cyan' },
  done: { color: 'green' },
  now: { color: 'cyan', bold: true },
  look: { color: 'yellow' },
  refused: { color: 'red', bold: true },
  hit: { inverse: true },
}
