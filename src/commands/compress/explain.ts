import { CODINGS } from '../../compression/codings.js'
import { otherServers } from '../../compression/other-servers.js'
import { negotiate, parseAcceptEncoding } from '../../http/negotiation.js'
import { explainLines } from '../../render/compression/explain-lines.js'
import type { Globals } from '../globals.js'
import { print, printJson } from '../output.js'

/** Reads an Accept-Encoding field, of one line or several, and tells what comes of it. */
export function runExplain(lines: readonly string[], globals: Globals): void {
  const members = parseAcceptEncoding(lines) ?? []
  const explained = { lines, members, ...negotiate(members, CODINGS), others: otherServers(lines) }
  if (globals.json) printJson(explained)
  else print(...explainLines(explained, globals))
}
