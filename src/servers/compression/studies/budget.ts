import * as zlib from 'node:zlib'
import {
  dictionaryCodings,
  encodeWithDictionary,
  encodeZstd,
  hasZstd,
} from '../../../protocol/http/codings.js'
import { encode } from '../compress-response.js'

/** A content coding at one level. */
interface Codec {
  readonly name: string
  /** Programs that use it. */
  readonly note?: string
  encode(body: Uint8Array): Promise<Uint8Array>
}

/** The size of a body in one codec, and the time to encode it. */
export interface Budgeted {
  readonly name: string
  readonly note?: string
  readonly bytes: number
  /** Median time of the counted runs, in microseconds. */
  readonly us: number
  readonly runs: number
}

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants

const gzip = (level: number): Codec => ({
  name: `gzip ${level}`,
  encode: async body => zlib.gzipSync(body, { level }),
})
const brotli = (quality: number): Codec => ({
  name: `br ${quality}`,
  encode: async body =>
    zlib.brotliCompressSync(body, {
      params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
})

const zstd = (level: number): Codec[] =>
  hasZstd ? [{ name: `zstd ${level}`, encode: body => encodeZstd(body, level) }] : []

/** The codecs to compare: those of this server and of others, at usual and extreme levels. */
export const CODECS: readonly Codec[] = [
  { name: 'raw', encode: async body => body },
  { name: 'gzip 1, flush', note: 'this server', encode: body => encode('gzip', body) },
  { ...gzip(1), note: 'nginx by default' },
  { ...gzip(6), note: 'zlib by default' },
  gzip(9),
  brotli(1),
  brotli(4),
  brotli(5),
  { ...brotli(11), note: 'Node by default' },
  ...zstd(1),
  ...zstd(3).map(codec => ({ ...codec, note: 'zstd by default' })),
  ...zstd(19),
]

/**
 * Encodes a body with every codec and measures the time.
 * @param clock returns the time in milliseconds
 * @param spend milliseconds to spend on each codec, which runs at least once
 */
export async function measureBudget(
  body: Uint8Array,
  { clock = () => performance.now(), spend = 60, codecs = CODECS } = {},
): Promise<Budgeted[]> {
  const results: Budgeted[] = []
  for (const { encode: code, ...named } of codecs) {
    const times: number[] = []
    let bytes = 0
    // The first run is slower, so it counts only when there are few.
    const end = clock() + spend
    do {
      const start = clock()
      bytes = (await code(body)).length
      times.push(clock() - start)
    } while (clock() < end && times.length < 50)
    const counted = times.length > 2 ? times.slice(1) : times
    results.push({ ...named, bytes, us: Math.round(median(counted) * 1000), runs: counted.length })
  }
  return results
}

/** The efforts to compare: that of servers, and the highest. */
const EFFORTS = { dcb: [5, 11], dcz: [3, 19] } as const

const NOTES = { dcb: 'br with the dictionary', dcz: 'zstd with the dictionary' } as const

/** Returns the codecs with a dictionary that this Node.js has. */
export async function dictionaryCodecs(dictionary: Uint8Array): Promise<Codec[]> {
  const codings = await dictionaryCodings()
  return codings.flatMap(coding =>
    EFFORTS[coding].map(effort => ({
      name: `${coding} ${effort}`,
      note: NOTES[coding],
      encode: body => encodeWithDictionary(coding, body, dictionary, effort),
    })),
  )
}

/** Returns the middle one of `values`, or the higher one of the two in the middle. There is at least one value. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
