import type { Check } from '../../oauth/check.js'
import { foreign } from '../safe.js'
import { signsFor } from '../signs.js'
import { pad, width, wrap } from '../text.js'

const COLUMNS = 80

/** The checks, one by one, and a verdict. */
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
  const lines = (each: Check) => {
    const [first = '', ...more] = wrap(
      foreign(`${each.detail ?? ''} (${each.rule})`, signs),
      COLUMNS - names - 4,
    )
    return [
      `${sign(each)} ${pad(each.name, names)}  ${first}`,
      ...more.map(line => `${' '.repeat(names + 4)}${line}`),
    ]
  }
  return [
    foreign(url, signs),
    ...checks.flatMap(lines),
    '',
    `${faults === 0 ? signs.done : signs.refused} ${count(faults, 'fault')}, ${count(advised, 'remark')}`,
  ]
}
