import { loadRules } from '../../src/commands/rules.js'
import { splitRule } from '../../src/protocol/rules/documents.js'
import type { RuleEntry } from '../../src/protocol/rules/entry.js'
import {
  byDocument,
  countLine,
  placeText,
  placeTexts,
  ruleAddress,
} from '../../src/show/render/rule-lines.js'
import { cell } from './declarations.js'

/** The number of a section, with its address where it has one. */
function sectionLink({ rule }: RuleEntry): string {
  const address = ruleAddress(rule)
  const { section } = splitRule(rule)
  return address === undefined ? section : `[${section}](${address})`
}

function row(entry: RuleEntry): string {
  const where = placeTexts(entry).map(cell).join('<br>')
  return `| ${sectionLink(entry)} | ${entry.must ? 'MUST' : ''} | ${cell(entry.sentence)} | ${where} |`
}

/** docs/reference/rules.md, made of the registry, the index of the sources and the tables of the program. */
export async function rulesPage(index: string): Promise<string> {
  const { documents, entries } = await loadRules(index)
  const uncovered = entries.filter(({ covered }) => !covered)
  const lines = [
    '<!-- Generated from the code by `npm run docs`. -->',
    '',
    '# Rules',
    '',
    'Each section of the RFCs that the lab knows, in one sentence, and where it lives. `oauth-lab rules 6749` prints a document,',
    "`oauth-lab rules '§4.1.2'` a section, `oauth-lab rules redirect` the rules with a word; `--json` prints an object a line.",
    '',
    'A section is marked MUST when it holds a MUST, SHALL or REQUIRED. Of the RFCs on OAuth 2.0 and of OpenID Connect Core every such section',
    'is here, except those on notation and on registries of IANA. Other documents are here as far as the program refers to them.',
    '',
    '| place | meaning |',
    '|---|---|',
    '| enforced by | a server of the lab refuses what breaks the rule, with these errors and events; without names, its code decides by the rule |',
    '| checked by | the client of the lab, or `compress lint`, checks it under these names |',
    '| followed by | code of that side names the rule in a comment, and acts by it without an error of its own |',
    '| tried by flow --tamper | wrong moves that break it on purpose |',
    '| examined by doctor | checks of another server |',
    '| broken by serve --weak | weak modes that switch the defence off |',
    '| attacked by attack run | attacks that succeed without the defence |',
    '| taught by learn | lessons |',
    '| kept with | another section demands the same, and its places keep both |',
    '',
    `${countLine(entries)}.`,
    ...[...byDocument(entries)].flatMap(([name, own]) => [
      '',
      `## ${name}: ${documents[name].title}`,
      '',
      '| section | | demand | where |',
      '|---|---|---|---|',
      ...own.map(row),
    ]),
    '',
    '## Not covered',
    '',
    'Each MUST that nothing in the lab enforces, checks, tries, examines, breaks or teaches; some of them the code follows.',
    '',
    ...uncovered.map(({ rule, sentence, places }) => {
      const [followed] = places.map(placeText)
      return `- ${rule}: ${sentence}${followed === undefined ? '' : ` (${followed})`}`
    }),
    '',
  ]
  return lines.join('\n')
}
