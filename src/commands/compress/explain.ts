import { CODINGS } from '../../compression/codings.js'
import { otherServers } from '../../compression/studies/other-servers.js'
import { EXIT } from '../../errors.js'
import { negotiate, parseAcceptEncoding } from '../../http/negotiation.js'
import { explainLines } from '../../render/compression/explain-lines.js'
import type { Globals } from '../globals.js'
import { print, printJson } from '../output.js'

/** `compress explain`: reads an Accept-Encoding field, of one line or several, and shows the result. */
export function runExplain(lines: readonly string[], globals: Globals): number {
  const members = parseAcceptEncoding(lines) ?? []
  const explained = { lines, members, ...negotiate(members, CODINGS), others: otherServers(lines) }
  if (globals.json) printJson(explained)
  else print(...explainLines(explained, globals))
  return EXIT.done
}
