import { renderToString } from 'ink'
import type { Line } from '../../../../src/show/render/text/spans.js'
import { FrameView } from '../../../../src/show/tui/screen/show-screen.js'
import type { Size } from '../../../../src/show/tui/screen/size.js'

/** A frame as Ink paints it, without colour. */
export function paint(lines: readonly Line[], { columns }: Size): string {
  const painted = renderToString(<FrameView lines={lines} />, { columns })
  return painted
    .replace(/\x1b\[[\d;]*m/g, '')
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
}
