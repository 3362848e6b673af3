import { dictionaryCodings, NO_DICTIONARY } from '../../protocol/http/codings.js'
import { negotiate, parseAcceptEncoding } from '../../protocol/http/negotiation.js'
import { CODINGS } from '../../servers/compression/compress-response.js'
import { otherServers } from '../../servers/compression/studies/other-servers.js'
import { explainLines } from '../../show/render/compression/explain-lines.js'
import { print, printJson } from '../output/output.js'
import type { Globals } from '../program/globals.js'

/** `compress explain`: reads an Accept-Encoding field, of one line or several, and shows the result. */
export async function runExplain(
  first: string,
  more: readonly string[],
  _flags: unknown,
  globals: Globals,
): Promise<void> {
  const lines = [first, ...more]
  const members = parseAcceptEncoding(lines) ?? []
  const codings = await dictionaryCodings()
  const dictionaries =
    codings.length > 0
      ? { codings, why: 'only to a client whose Available-Dictionary names a dictionary of this server' }
      : { codings, why: NO_DICTIONARY }
  const explained = {
    ...{ lines, members },
    ...negotiate(members, CODINGS),
    others: otherServers(lines),
    dictionaries,
  }
  if (globals.json) printJson(explained)
  else print(...explainLines(explained, globals))
}
