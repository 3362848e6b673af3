import { JSONParser } from '@streamparser/json'
import { type Attached, withBodies } from './attachments.js'
import { createShortener } from './shorten-strings.js'

/** A part of an archive, in the order of the file. */
export interface HarItem {
  readonly part: 'entry' | 'page' | 'creator' | 'browser'
  readonly value: unknown
}

/** The end of an archive that could not be read whole. */
export class HarEnd extends Error {
  override name = 'HarEnd'
  /** @param kind `json`: a character that JSON does not have there. `cut`: the file ends too early. `large`: an entry is too large. */
  constructor(
    readonly kind: 'json' | 'cut' | 'large',
    message: string,
  ) {
    super(message)
  }
}

/** Most bytes of a string, such as a body. No token answer and no page of a login is longer. */
const MAX_STRING = 1024 * 1024

/** Most bytes of an entry, after its long strings were shortened. */
const MAX_ENTRY = 32 * 1024 * 1024

/** The parser grows a string by pieces of this many bytes. Without it, it adds character by character, and takes five times as long. */
const STRING_BUFFER = 64 * 1024

/** Bytes that are parsed at once, so that few entries wait. */
const PIECE = 256 * 1024

const parts: Readonly<Record<string, HarItem['part']>> = { entries: 'entry', pages: 'page' }

/**
 * Reads an archive (HAR 1.2) as a stream: one entry at a time is in memory.
 * @param attached reads bodies that stand in files beside the archive
 * @throws HarEnd after the items before the problem
 */
export async function* harItems(
  source: AsyncIterable<Uint8Array>,
  attached?: Attached,
): AsyncGenerator<HarItem, void, void> {
  const shortener = createShortener(MAX_STRING)
  const parser = new JSONParser({
    paths: ['$.log.entries.*', '$.log.pages.*', '$.log.creator', '$.log.browser'],
    keepStack: false,
    stringBufferSize: STRING_BUFFER,
  })
  let ready: HarItem[] = []
  let since = 0
  parser.onValue = ({ value, key, stack }) => {
    const list = stack.at(-1)?.key
    const part = typeof key === 'number' ? parts[String(list)] : (key as HarItem['part'])
    if (part !== undefined) ready.push({ part, value })
    since = 0
  }
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length && !parser.isEnded; at += PIECE) {
      const piece = shortener.add(chunk.subarray(at, at + PIECE))
      since += piece.length
      let problem: HarEnd | undefined
      try {
        parser.write(piece)
      } catch (error) {
        problem = new HarEnd('json', (error as Error).message.replace(/\. .*$/s, ''))
      }
      for (const { part, value } of ready)
        yield { part, value: attached && part === 'entry' ? await withBodies(value, attached) : value }
      ready = []
      if (problem) throw problem
      if (since > MAX_ENTRY)
        throw new HarEnd('large', `an entry has more than ${MAX_ENTRY / 1024 / 1024} MiB`)
    }
    if (parser.isEnded) return
  }
  throw new HarEnd('cut', 'the file ends in the middle')
}
