import { readFile } from 'node:fs/promises'
import type { Attack } from '../judge/attacks/model.js'
import type { Misconception } from '../learn/misconceptions.js'
import { UsageError } from '../protocol/errors.js'
import { nearest } from '../protocol/nearest.js'
import type { Named, RuleBook, RuleEntry, Table } from '../protocol/rules/entry.js'
import { findRules, knownWords } from '../protocol/rules/find.js'
import type { Rule } from '../protocol/rules/rule.js'
import { WEAK_MODES } from '../protocol/rules/weak-modes.js'
import { option } from '../session/options/option.js'
import { documentLines, ruleLines, weakLines } from '../show/render/rule-lines.js'
import { print, printJson, terminalColumns } from './output/output.js'
import { argument, command } from './program/command.js'
import { everywhere, type Globals } from './program/globals.js'

/** Widest text, and the width without a terminal, in columns. */
const WIDTH = 80

/** Narrowest text, in columns. */
const NARROWEST = 60

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

async function run(
  words: readonly string[],
  { uncovered }: { readonly uncovered?: true },
  { json }: Globals,
): Promise<void> {
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

/**
 * The places of each rule in the sources: a line a rule, its parts separated by bars. A part is a side of the program,
 * with its errors, events and checks; or `in` a side whose comments name the rule. `npm run docs` writes this file.
 */
const placesFile = new URL('../../content/rules/places.txt', import.meta.url)

/** The section on the kinds of attackers. */
const ATTACKERS: Rule = 'RFC 9700 §3'

/** An attack by its own rule, by those of the defences that stop it, and by its kind of attacker. */
function withDefences({ name, rule, defences, starts }: Attack): Named[] {
  const kind = starts.some(each => each.includes(ATTACKERS)) ? [ATTACKERS] : []
  return [rule, ...defences.map(defence => defence.rule), ...kind].map(each => ({ name, rule: each }))
}

/** A misconception by its rule: a lesson answers it, and something shows that it is wrong. */
function misconceived(
  misconceptions: readonly Misconception[],
  lessons: readonly { readonly name: string }[],
): Named[] {
  return misconceptions.flatMap(({ rule, lesson }) => {
    const number = String(lesson).padStart(2, '0')
    return lessons.filter(({ name }) => name.startsWith(`${number}-`)).map(({ name }) => ({ name, rule }))
  })
}

/** Returns the tables that exist at run time and name rules: moves, checks of the doctor, weak modes, attacks and lessons. */
async function tables(): Promise<readonly Table[]> {
  const [{ moves }, { doctorChecks }, { WEAK_MODES }, { attacks }, { builtInLessons }, { MISCONCEPTIONS }] =
    await Promise.all([
      import('../judge/tamper/moves.js'),
      import('../judge/doctor/names.js'),
      import('../protocol/rules/weak-modes.js'),
      import('../judge/attacks/attacks.js'),
      import('../learn/lesson-list.js'),
      import('../learn/misconceptions.js'),
    ])
  const lessons = await builtInLessons()
  const taught = [...lessons, ...misconceived(Object.values(MISCONCEPTIONS), lessons)]
  return [
    ['tried', 'flow --tamper', moves],
    ['examined', 'doctor', doctorChecks()],
    ['broken', 'serve --weak', WEAK_MODES],
    ['attacked', 'attack run', attacks.flatMap(withDefences)],
    ['taught', 'learn', taught],
  ]
}

/**
 * Returns every rule that the lab knows, with the places where it lives.
 * @param index the index of the sources; default: the one that was generated
 */
export async function loadRules(index?: string): Promise<RuleBook> {
  const [{ ruleBook }, { ruleDocuments }] = await Promise.all([
    import('../protocol/rules/entry.js'),
    import('../protocol/rules/documents.js'),
  ])
  const places = index ?? (await readFile(placesFile, 'utf8'))
  return ruleBook(await ruleDocuments(), places, await tables())
}

function listWeak(_: object, { json }: Globals): void {
  // The last column stays empty: terminals differ in how they treat it.
  if (json) printJson({ modes: WEAK_MODES })
  else print(...weakLines(WEAK_MODES, Math.min(WIDTH, terminalColumns() ?? WIDTH) - 1))
}

const weakHelp = `
Examples:
  oauth-lab weak list
  oauth-lab weak list --json | jq -r '.modes[].name'
  oauth-lab serve --weak redirect-any                  start a lab without that defence
`

/** `oauth-lab weak`: the defences that can be switched off on purpose. */
export const weakCommand = command('weak', {
  description: 'defences that serve --weak switches off on purpose',
  help: weakHelp,
  below: [
    command('list', {
      description: 'list the weak modes: behaviour, gain of an attacker, rule',
      options: everywhere,
      help: weakHelp,
      run: async () => listWeak,
    }),
  ],
})
