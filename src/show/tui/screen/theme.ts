import type { Tone } from '../../render/text/spans.js'

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
