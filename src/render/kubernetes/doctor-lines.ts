import type { Finding } from '../../kubernetes/client/doctor/finding.js'
import { hanging } from '../hanging.js'
import { foreign } from '../safe.js'
import { shellWord } from '../shell.js'
import type { Signs } from '../signs.js'

/** Text of a token or server is cut here. */
const MAX_DETAIL = 400

/** The longest name, `key-members`. */
const NAME_COLUMNS = 11

/** One finding: verdict, name, what was seen, and the command that helps below it. */
export function findingLines(
  { result, name, detail, fix }: Finding,
  signs: Signs,
  columns?: number,
): string[] {
  const verdict = {
    pass: `${signs.done} pass `,
    fault: `${signs.refused} FAULT`,
    look: `${signs.look} look `,
    not_applicable: `${signs.next} n/a  `,
  }[result]
  const seen = foreign(detail, signs)
  const shown = seen.length > MAX_DETAIL ? `${seen.slice(0, MAX_DETAIL)}${signs.ellipsis}` : seen
  const help =
    fix === undefined
      ? []
      : [`         ${' '.repeat(NAME_COLUMNS)}  ${fix.map(each => shellWord(each)).join(' ')}`]
  return [...hanging(`${verdict}  ${name.padEnd(NAME_COLUMNS)}  `, shown, { columns }), ...help]
}
