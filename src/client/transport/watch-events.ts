/** The blank line behind an event (HTML standard, server-sent events). */
const BLANK_LINE = /\n\r?\n|\r\r/

/**
 * Watches a stream of events chunk by chunk, and hands over its whole events. A search covers each byte once, however small the
 * chunks are.
 * @returns a function that returns true once the events are enough
 */
export function watchEvents(enough: (events: string) => boolean): (chunk: Buffer) => boolean {
  let parts: Buffer[] = []
  let tail = ''
  return chunk => {
    const seen = tail + chunk.toString('latin1')
    parts.push(chunk)
    tail = seen.slice(-2)
    if (!BLANK_LINE.test(seen)) return false
    const all = Buffer.concat(parts)
    const text = all.toString('latin1')
    const end = Math.max(
      ...['\n\n', '\n\r\n', '\r\r'].map(each => {
        const at = text.lastIndexOf(each)
        return at < 0 ? 0 : at + each.length
      }),
    )
    parts = [all.subarray(end)]
    tail = text.slice(end).slice(-2)
    return enough(all.toString('utf8', 0, end))
  }
}
