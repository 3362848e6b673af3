import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { shellWord } from '../../../protocol/safe-output/shell.js'
import type { CaseSetting } from '../../../servers/compression/studies/cases.js'
import { signsFor } from '../text/signs.js'
import { plainText } from '../text/spans.js'
import { wrap } from '../text/text.js'
import type { CaseResult } from './case.js'
import { caseLines } from './case-lines.js'

/** Columns of a report outside a terminal, and the fewest columns of any report. */
const COLUMNS = 100
const FEWEST = 60
const MARGIN = 5

/** The results as lines of text: every case with its bars on one scale, and its reasons below. */
export function caseReport(
  path: string,
  results: ReadonlyArray<readonly [setting: CaseSetting, result: CaseResult]>,
  options: { readonly ascii: boolean; readonly columns?: number },
): string[] {
  const columns = Math.max(FEWEST, options.columns ?? COLUMNS)
  const signs = signsFor(options)
  const measured = results.flatMap(([, result]) => (result.state === 'measured' ? [result.measured] : []))
  const scale = Math.max(0, ...measured.flatMap(({ hops }) => hops.map(({ wireBytes }) => wireBytes)))
  const indented = (text: string): string[] =>
    wrap(makeSafe(text), columns - MARGIN).map(part => ' '.repeat(MARGIN) + part)
  return [
    `GET ${makeSafe(path)}`,
    ...results.flatMap(([setting, result]) => [
      '',
      ...caseLines(setting, result, false, { columns, scale, signs }).map(each => plainText(each).trimEnd()),
      ...(result.state === 'measured' ? result.measured.why.flatMap(indented) : []),
      ...(result.state === 'failed' ? indented(result.message) : []),
    ]),
  ]
}

/** Default address of `compress proxy`. */
const PROXY = 'https://localhost:8447'

/** Command lines that repeat a case. They need a running lab that compresses. */
export function caseCommands({ mode, offer }: CaseSetting, path: string, server: string): string[] {
  const header = offer === null ? '' : ` -H ${shellWord(`Accept-Encoding: ${offer}`)}`
  const ask = (base: string): string =>
    `curl -s --cacert "$(oauth-lab ca path)"${header} ${shellWord(base + path)} | wc -c`
  return mode === null
    ? [ask(server)]
    : [`oauth-lab compress proxy --mode ${mode}    # in a terminal of its own`, ask(PROXY)]
}
