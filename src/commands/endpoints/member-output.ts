import type { Check } from '../../protocol/oauth/check.js'
import { explainMembers } from '../../protocol/tokens/explain.js'
import type { JsonObject } from '../../protocol/values.js'
import { signsFor } from '../../show/render/text/signs.js'
import { width } from '../../show/render/text/text.js'
import { checkSection, section } from '../../show/render/tokens/jwt-lines.js'
import { terminalColumns } from '../output/output.js'
import type { Globals } from '../program/globals.js'

/** The members of an answer, with the meaning that they have in tokens, and the checks of the answer. */
export function memberLines(
  title: string,
  { members, checks }: { readonly members: JsonObject; readonly checks: readonly Check[] },
  globals: Pick<Globals, 'ascii'>,
  now: number,
  areClaims = true,
): string[] {
  const text = { now, signs: signsFor(globals), width, columns: terminalColumns() }
  const { claims } = explainMembers(members)
  const rows = areClaims ? claims : claims.map(each => ({ ...each, meaning: '' }))
  return [
    ...section(title, rows, text),
    ...(checks.length === 0 ? [] : ['', ...checkSection('Checks', checks, text)]),
  ]
}

/** The dates among the members, for JSON: name to ISO 8601. */
export function datesIn(members: JsonObject): Readonly<Record<string, string>> {
  const { claims } = explainMembers(members)
  return Object.fromEntries(claims.flatMap(({ name, time }) => (time === undefined ? [] : [[name, time]])))
}
