import type { Budgeted } from '../../../servers/compression/studies/budget.js'
import { bytesText } from '../text/numbers.js'
import { bar, pad } from '../text/text.js'

const BAR = 10

const time = (us: number): string =>
  us < 1000
    ? `${us} µs`
    : us < 1_000_000
      ? `${(us / 1000).toFixed(1)} ms`
      : `${(us / 1_000_000).toFixed(1)} s`

/** One line a codec: bytes, share of the raw body, time. The first result is the raw body. */
export function budgetLines(results: readonly Budgeted[], drawing: { readonly ascii: boolean }): string[] {
  const raw = results[0]?.bytes ?? 0
  const largest = Math.max(1, ...results.map(({ bytes }) => bytes))
  return [
    `${pad('codec', 16)}${pad('bytes', 14, 'right')}${pad('of raw', 9, 'right')}${pad('time', 10, 'right')}`,
    ...results.map(({ name, note, bytes, us }, i) => {
      const part = raw === 0 ? '' : `${((bytes / raw) * 100).toFixed(1)} %`
      const size = `${pad(name, 16)}${pad(bytesText(bytes), 14, 'right')}${pad(part, 9, 'right')}`
      const drawn = pad(bar(bytes / largest, BAR, drawing), BAR)
      return `${size}${pad(i === 0 ? '' : time(us), 10, 'right')}  ${drawn}  ${note ?? ''}`.trimEnd()
    }),
  ]
}
