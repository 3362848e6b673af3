import { Box, Text } from 'ink'
import type { ReactElement } from 'react'
import type { Line } from '../../render/spans.js'
import { THEME } from './theme.js'

/** Paints a frame. Its lines are cut already; nothing is left for Ink to wrap. */
export function FrameView({ lines }: { readonly lines: readonly Line[] }): ReactElement {
  return (
    <Box flexDirection="column">
      {lines.map((pieces, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of a frame is its place
        <Text key={i} wrap="truncate">
          {/* An empty text would take no line. */}
          {pieces.every(({ text }) => text === '')
            ? ' '
            : pieces.map(({ text, tone }, j) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a span of a line is its place
                <Text key={j} {...THEME[tone]}>
                  {text}
                </Text>
              ))}
        </Text>
      ))}
    </Box>
  )
}
