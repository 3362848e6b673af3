import { createHash } from 'node:crypto'
import {
  type HeaderList,
  type HttpResponse,
  splitUrl,
  textResponse,
  withNosniff,
} from '../../protocol/http/message.js'
import { createRouter, type Site } from '../../protocol/http/site.js'

/** The largest payload, in units of 1,024 bytes. */
export const MAX_KB = 10_240

/** Most body bytes of the payloads that are kept. */
const KEPT_BYTES = 32 * 1024 * 1024

/** Both fields select the answer, so caches compare both (RFC 9842 §6.2). */
const VARY: HeaderList = [['Vary', 'Accept-Encoding, Available-Dictionary']]

/** Every payload is a dictionary for every other one, while it is fresh (RFC 9842 §2.1). */
const DICTIONARY: HeaderList = [
  ...[['Use-As-Dictionary', 'match="/kb/*"'] as const, ['Cache-Control', 'max-age=3600'] as const],
  ...VARY,
]

function headersOf(kb: number, dictionaries: boolean): HeaderList {
  if (!dictionaries) return []
  return kb > 0 && kb <= MAX_DICTIONARY_KB ? DICTIONARY : VARY
}

/** The longest payload, which every other one is the beginning of: unread answers of all sizes share its bytes. */
let longest: Buffer | undefined

function payload(kb: number): Buffer {
  longest ??= Buffer.alloc(MAX_KB * 1024, 'a')
  return longest.subarray(0, kb * 1024)
}

/**
 * Returns the function that makes the answer for a size. It keeps the latest answers as objects, because the encoder of a
 * server encodes the same body object only once.
 */
function createPayloads(dictionaries: boolean): (kb: number) => HttpResponse {
  const kept = new Map<number, HttpResponse>()
  let bytes = 0
  return kb => {
    const answer = kept.get(kb) ?? {
      ...textResponse(200, '', headersOf(kb, dictionaries)),
      body: payload(kb),
    }
    // A map keeps the order of insertion. The latest answer moves to the end, so the first is the oldest.
    if (kept.delete(kb)) bytes -= answer.body.length
    kept.set(kb, answer)
    bytes += answer.body.length
    for (const [oldest, { body }] of kept) {
      if (bytes <= KEPT_BYTES) break
      kept.delete(oldest)
      bytes -= body.length
    }
    return answer
  }
}

/** Reads `kb`. Returns undefined for text that is not an integer from 0 to `MAX_KB`. */
function readKb(value: string): number | undefined {
  if (!/^\d+$/.test(value)) return undefined
  const kb = Number(value)
  return kb <= MAX_KB ? kb : undefined
}

/**
 * Adds `GET /kb/<kb>` to a site: kb times 1,024 letters a, as text (interface specification, text response compression).
 * @param dictionaries true to offer payloads as dictionaries (RFC 9842). The encoder of the server must know them.
 */
export function withPayloads({ name, handle }: Site, { dictionaries = false } = {}): Site {
  const payload = createPayloads(dictionaries)
  const payloads = createRouter([
    {
      path: '/kb/:kb',
      methods: {
        GET(_request, _context, { kb: value = '' }) {
          const kb = readKb(value)
          return kb === undefined
            ? textResponse(400, `kb is an integer from 0 to ${MAX_KB}, as in /kb/200\n`)
            : payload(kb)
        },
      },
    },
  ])
  return {
    name,
    handle: (request, context) =>
      splitUrl(request.url).path.startsWith('/kb/')
        ? payloads(request, context).then(withNosniff)
        : handle(request, context),
  }
}

/** The largest payload that is a dictionary, in units of 1,024 bytes. */
const MAX_DICTIONARY_KB = 1024

const UNIT = Buffer.alloc(1024, 'a')

let known: ReadonlyMap<string, number> | undefined

/** Returns the size of each payload that is a dictionary, by its SHA-256 in hexadecimal. */
function sizes(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const hash = createHash('sha256')
  for (let kb = 1; kb <= MAX_DICTIONARY_KB; kb++) {
    hash.update(UNIT)
    found.set(hash.copy().digest('hex'), kb)
  }
  return found
}

/**
 * Returns the payload with a SHA-256 hash. Returns undefined for any other hash. All hashes are computed at the first call, in a
 * few milliseconds, so a dictionary that a client got from another run is known too.
 */
export function findPayloadDictionary(hash: Buffer): Uint8Array | undefined {
  known ??= sizes()
  const kb = known.get(hash.toString('hex'))
  return kb === undefined ? undefined : Buffer.alloc(kb * 1024, 'a')
}
