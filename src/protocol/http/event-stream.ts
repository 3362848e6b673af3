/** An event of a stream. */
export interface StreamEvent {
  readonly data: string
  /** The last `id` up to this event; absent before the first. */
  readonly id?: string
}

/** Reads the whole events of a stream (HTML §9.2.6). An event ends with a blank line. */
export function streamEvents(stream: string): StreamEvent[] {
  const found: StreamEvent[] = []
  let lines: string[] = []
  let id: string | undefined
  // The last piece is a line without its end, or nothing.
  for (const line of stream
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .slice(0, -1)) {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!
    if (name === 'data') lines.push(value)
    else if (name === 'id' && !value.includes('\0')) id = value
    else if (line === '') {
      if (lines.length > 0) found.push({ data: lines.join('\n'), ...(id !== undefined && { id }) })
      lines = []
    }
  }
  return found
}
