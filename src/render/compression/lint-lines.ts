import type { Check } from '../../oauth/check.js'
import { signsFor } from '../signs.js'
import { makeSafe, pad, width } from '../text.js'

/** What was looked at, one line a check, and a verdict. */
export function lintLines(
  url: string,
  checks: readonly Check[],
  drawing: { readonly ascii: boolean },
): string[] {
  const signs = signsFor(drawing)
  const names = Math.max(...checks.map(({ name }) => width(name)))
  const sign = ({ ok, advice }: Check) => (ok ? signs.done : advice ? signs.look : signs.refused)
  const faults = checks.filter(({ ok, advice }) => !ok && !advice).length
  const advised = checks.filter(({ ok, advice }) => !ok && advice).length
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`
  return [
    makeSafe(url),
    ...checks.map(
      each => `${sign(each)} ${pad(each.name, names)}  ${makeSafe(each.detail ?? '')} (${each.rule})`,
    ),
    '',
    `${faults === 0 ? signs.done : signs.refused} ${count(faults, 'fault')}, ${count(advised, 'remark')}`,
  ]
}
