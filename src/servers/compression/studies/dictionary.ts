import { dictionaryCodings, encodeWithDictionary } from '../../../protocol/http/codings.js'
import type { Codec } from './budget.js'

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
