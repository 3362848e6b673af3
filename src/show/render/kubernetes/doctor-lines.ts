import { foreign } from '../../../protocol/safe-output/safe.js'
import { shellWord } from '../../../protocol/safe-output/shell.js'
import type { Finding } from '../../../servers/kubernetes/client/doctor.js'
import type { Verifier } from '../../../servers/kubernetes/shapes.js'
import type { Signs } from '../text/signs.js'
import { hanging } from '../text/text.js'

/** Longest text of a token or server, in characters. */
const MAX_DETAIL = 400

/** The longest name, `announced-keys`. */
const NAME_COLUMNS = 14

/** One finding: verdict, name and reason, with the command that helps below. */
export function findingLines(
  { result, name, rule, detail, fix }: Finding,
  signs: Signs,
  columns?: number,
): string[] {
  const verdict = {
    pass: `${signs.done} pass `,
    fault: `${signs.refused} FAULT`,
    look: `${signs.look} look `,
    not_applicable: `${signs.next} n/a  `,
  }[result]
  const text = foreign(detail, signs)
  const shown = text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}${signs.ellipsis}` : text
  const help =
    fix === undefined
      ? []
      : [`         ${' '.repeat(NAME_COLUMNS)}  ${fix.map(each => shellWord(each)).join(' ')}`]
  const line = `${shown}  (${rule})`
  return [...hanging(`${verdict}  ${name.padEnd(NAME_COLUMNS)}  `, line, { columns }), ...help]
}

/** The names of verifiers in a verdict. */
const VERIFIER_NAMES: Readonly<Record<Verifier, string>> = {
  api: 'The API server',
  vault: 'Vault',
  aws: 'AWS',
  azure: 'Microsoft Entra',
  gcp: 'Google Cloud',
}

/** The last line of a report. @param isIssuer the issuer was examined, with a token that the doctor asked for */
export function verdictLine(faults: number, verifier: Verifier, signs: Signs, isIssuer = false): string {
  const what = isIssuer ? 'can trust the issuer of this cluster' : 'will accept this token'
  return faults === 0
    ? `${signs.done} ${VERIFIER_NAMES[verifier]} ${what}`
    : `${signs.refused} ${faults} ${faults === 1 ? 'fault' : 'faults'} for ${verifier}`
}
