import { Text } from 'ink'
import type { ReactElement } from 'react'
import type { Line } from '../../render/text/spans.js'
import { paint } from './paint.js'

/** A frame, and whether the terminal has colours. */
export interface FrameViewProps {
  readonly lines: readonly Line[]
  readonly colours?: boolean
}

/**
 * Paints a frame. Its lines are cut already, so nothing is left for Ink to lay out: one text takes far less time than an
 * element for each span.
 */
export function FrameView({ lines, colours = true }: FrameViewProps): ReactElement {
  return <Text wrap="truncate">{lines.map(line => paint(line, colours)).join('\n')}</Text>
}
