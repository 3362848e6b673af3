import { shellWord } from '../shell.js'
import { signsFor } from '../signs.js'
import { plainText } from '../spans.js'
import { makeSafe, wrap } from '../text.js'
import type { CaseResult, CaseSetting } from './case.js'
import { caseLines } from './case-lines.js'

/** Columns of a report that no terminal shows, and the fewest that one needs. */
const COLUMNS = 100
const FEWEST = 60
const MARGIN = 5

/** What was found, as lines of text: every case with its bars on one scale, and its reasons below. */
export function caseReport(
  path: string,
  results: ReadonlyArray<readonly [setting: CaseSetting, result: CaseResult]>,
  options: { readonly ascii: boolean; readonly columns?: number },
): string[] {
  const columns = Math.max(FEWEST, options.columns ?? COLUMNS)
  const signs = signsFor(options)
  const measured = results.flatMap(([, result]) => (result.state === 'measured' ? [result.measured] : []))
  const scale = Math.max(0, ...measured.flatMap(({ hops }) => hops.map(({ wireBytes }) => wireBytes)))
  const told = (text: string): string[] =>
    wrap(makeSafe(text), columns - MARGIN).map(part => ' '.repeat(MARGIN) + part)
  return [
    `GET ${makeSafe(path)}`,
    ...results.flatMap(([setting, result]) => [
      '',
      ...caseLines(setting, result, false, { columns, scale, signs }).map(each => plainText(each).trimEnd()),
      ...(result.state === 'measured' ? result.measured.why.flatMap(told) : []),
      ...(result.state === 'failed' ? told(result.message) : []),
    ]),
  ]
}

/** Where `compress proxy` listens unless it is told otherwise. */
const PROXY = 'https://localhost:8447'

/** The command lines that do what a case does. They need a lab that runs and compresses. */
export function caseCommands({ mode, offer }: CaseSetting, path: string, server: string): string[] {
  const header = offer === null ? '' : ` -H ${shellWord(`Accept-Encoding: ${offer}`)}`
  const ask = (base: string): string =>
    `curl -s --cacert "$(oauth-lab ca path)"${header} ${shellWord(base + path)} | wc -c`
  return mode === null
    ? [ask(server)]
    : [`oauth-lab compress proxy --mode ${mode}    # in a terminal of its own`, ask(PROXY)]
}
