import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import { isJsonObject } from '../../../protocol/values.js'
import { createPicker, type Picker } from '../pick.js'
import type { Attached } from '../read/attachments.js'
import { readHarEntry } from '../read/har-entry.js'
import { HarEnd, harItems } from '../read/har-items.js'
import { openRecording } from '../read/source.js'
import type { Recorded } from '../recorded.js'
import { createCollector } from './collect.js'
import { createKnownValues } from './known-values.js'
import { createPseudonyms } from './pseudonyms.js'
import { createEntryRedactor } from './redact-entry.js'
import { createRedactor } from './redactor.js'

/** A recording that can be read twice: first for its secrets, then to replace them. */
export type Reopen = () => AsyncIterable<Uint8Array>

/** The items of an archive up to its end, or up to where it is broken. */
async function* readable(source: AsyncIterable<Uint8Array>, attached: Attached | undefined) {
  const { bytes } = await openRecording(source)
  try {
    yield* harItems(bytes, attached)
  } catch (error) {
    if (!(error instanceof HarEnd)) throw error
  }
}

/** The entries of an archive with the number and the kind that the explanation gives them. */
async function* entriesOf(
  source: AsyncIterable<Uint8Array>,
  attached: Attached | undefined,
  other: (part: string, value: unknown) => void,
) {
  const picker: Picker = createPicker()
  let number = 0
  for await (const { part, value } of readable(source, attached)) {
    if (part !== 'entry') {
      other(part, value)
      continue
    }
    number += 1
    const recorded: Recorded | undefined = readHarEntry(value, number)
    if (recorded === undefined || !isJsonObject(value)) yield undefined
    else yield { raw: value, recorded, isPicked: picker.pick(recorded) !== undefined }
  }
}

/**
 * Writes an archive without its secrets, as a stream. Entries keep their places.
 * @param key random bytes of this run
 * @param attached reads bodies that stand in files beside the archive: in the copy they stand in it
 */
export async function* redactedHar(
  open: Reopen,
  key: Uint8Array,
  version: string,
  attached?: Attached,
): AsyncGenerator<string, void, void> {
  const known = createKnownValues()
  const collect = createCollector(known)
  for await (const entry of entriesOf(open(), attached, () => {}))
    if (entry) collect(entry.raw, entry.isPicked)
  const redactor = createEntryRedactor(createRedactor(createPseudonyms(key), known))
  const pages: object[] = []
  const creator = jsonLine({ name: 'oauth-lab', version, comment: 'secrets are replaced' })
  yield `{"log":{"version":"1.2","creator":${creator},"entries":[`
  let separator = '\n'
  const other = (part: string, value: unknown) => {
    const page = part === 'page' ? redactor.page(value) : undefined
    if (page && pages.length < MAX_PAGES) pages.push(page)
  }
  for await (const entry of entriesOf(open(), attached, other)) {
    // An entry without a request keeps its place, so that the numbers of all others stay.
    const written = entry ? redactor.entry(entry.raw, entry.recorded, entry.isPicked) : NO_REQUEST
    yield `${separator}${jsonLine(written)}`
    separator = ',\n'
  }
  yield `\n],"pages":${jsonLine(pages)}}}\n`
}

/** An entry in the place of one without a request, so that the DevTools open the archive. */
const NO_REQUEST = {
  startedDateTime: new Date(0).toISOString(),
  time: 0,
  request: {
    method: 'GET',
    url: 'about:blank',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [],
    queryString: [],
    headersSize: -1,
    bodySize: 0,
  },
  response: {
    status: 0,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [],
    content: { size: 0, mimeType: 'x-unknown' },
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
  },
  cache: {},
  timings: { send: -1, wait: -1, receive: -1 },
}

/** Most pages of an archive that are written. */
const MAX_PAGES = 10_000
