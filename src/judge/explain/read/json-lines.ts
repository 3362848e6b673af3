import { parsedObject } from '../../../protocol/values.js'

/** Longest line of a recording, in bytes. One exchange may hold a body of 1 MiB. */
const MAX_LINE = 8 * 1024 * 1024

/** A line of a recording: the object in it. Undefined for a line that is no JSON object, or too long. */
export interface RecordedLine {
  readonly number: number
  readonly value: Readonly<Record<string, unknown>> | undefined
}

/** Reads a recording of JSON lines as a stream. Empty lines are left out. */
export async function* jsonLines(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<RecordedLine, void, void> {
  const decoder = new TextDecoder()
  let rest = ''
  let number = 0
  let tooLong = false
  const take = (line: string): RecordedLine => {
    number += 1
    const value = tooLong ? undefined : parsedObject(line)
    tooLong = false
    return { number, value }
  }
  for await (const chunk of source) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.trim() === '' && !tooLong) number += 1
      else yield take(line)
    }
    if (rest.length > MAX_LINE) {
      tooLong = true
      rest = ''
    }
  }
  if (rest.trim() !== '' || tooLong) yield take(rest)
}
