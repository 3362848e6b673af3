import { type Line, plainText } from '../../../../src/show/render/text/spans.js'

/** A frame as a terminal shows it, without colour. */
export const paint = (lines: readonly Line[]): string =>
  lines.map(line => plainText(line).trimEnd()).join('\n')
