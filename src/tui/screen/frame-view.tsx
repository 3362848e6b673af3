import { Box, Text } from 'ink'
import type { ReactElement } from 'react'
import { memo } from 'react'
import type { Line } from '../../render/spans.js'
import { THEME } from './theme.js'

function LineView({ pieces }: { readonly pieces: Line }): ReactElement {
  return (
    <Text wrap="truncate">
      {/* An empty text would take no line. */}
      {pieces.every(({ text }) => text === '')
        ? ' '
        : pieces.map(({ text, tone }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a span of a line is its place
            <Text key={i} {...THEME[tone]}>
              {text}
            </Text>
          ))}
    </Text>
  )
}

function same(
  { pieces: one }: { readonly pieces: Line },
  { pieces: other }: { readonly pieces: Line },
): boolean {
  return (
    one.length === other.length &&
    one.every(({ text, tone }, i) => text === other[i]!.text && tone === other[i]!.tone)
  )
}

/** Most keys change a line or two of a frame; the others are not gone through again. */
const KeptLine = memo(LineView, same)

/** Paints a frame. Its lines are cut already; nothing is left for Ink to wrap. */
export function FrameView({ lines }: { readonly lines: readonly Line[] }): ReactElement {
  return (
    <Box flexDirection="column">
      {lines.map((pieces, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of a frame is its place
        <KeptLine key={i} pieces={pieces} />
      ))}
    </Box>
  )
}
