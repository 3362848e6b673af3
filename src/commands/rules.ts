import { nearest } from '../lab/lab-file/nearest.js'
import { UsageError } from '../protocol/errors.js'
import type { RuleBook, RuleEntry } from '../protocol/rules/entry.js'
import { findRules, knownWords } from '../protocol/rules/find.js'
import { option } from '../session/options/option.js'
import { documentLines, ruleLines } from '../show/render/rule-lines.js'
import { print, printJson, terminalColumns } from './output/output.js'
import { argument, command } from './program/command.js'
import { everywhere, type Globals } from './program/globals.js'
import { loadRules } from './rules/rule-entries.js'

/** Widest text, and the width without a terminal, in columns. */
const WIDTH = 80

/** Narrowest text, in columns. */
const NARROWEST = 60

/** Flags of `rules`. */
interface RulesFlags {
  readonly uncovered?: true
}

/** The rules that were asked for. @throws UsageError for words that no rule has, with the nearest */
function chosen(book: RuleBook, question: string): readonly RuleEntry[] {
  if (question === '') return book.entries
  const found = findRules(book, question)
  if (found.length > 0) return found
  const near = nearest(question, knownWords(book))
  throw new UsageError(`no rule is about ${JSON.stringify(question)}`, [
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
    'All documents:   oauth-lab rules',
  ])
}

async function run(words: readonly string[], { uncovered }: RulesFlags, { json }: Globals): Promise<void> {
  const all = await loadRules()
  const question = words.join(' ').trim()
  const found = chosen(all, question).filter(({ covered }) => !uncovered || !covered)
  if (json) {
    for (const entry of found) printJson(entry)
    return
  }
  // The last column stays empty: terminals differ in how they treat it.
  const columns = Math.max(Math.min(WIDTH, terminalColumns() ?? WIDTH) - 1, NARROWEST)
  const overview = question === '' && !uncovered
  print(...(overview ? documentLines(all, columns) : ruleLines(found, columns)))
}

/** `oauth-lab rules`: sections of the RFCs, in one sentence each, and where they live in this program. */
export const rulesCommand = command('rules', {
  description: 'rules of the RFCs in one sentence each, and where the lab enforces, tries and teaches them',
  words: [argument('[words...]', 'an RFC (6749), a section (§4.1.2), or words that a rule has')],
  options: [...everywhere, option('--uncovered', 'only each MUST that nothing in the lab keeps')],
  help: `
Examples:
  oauth-lab rules                                the documents, with their rules counted
  oauth-lab rules 6749                           every rule of RFC 6749
  oauth-lab rules 'RFC 9700 §4.14'               one section, and those below it
  oauth-lab rules redirect                       rules with a word in them
  oauth-lab rules --uncovered                    each MUST that nothing here keeps
  oauth-lab rules 9207 --json | jq -r '.rule'
`,
  run: async () => run,
})
