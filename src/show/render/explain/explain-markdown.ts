import type { Outcome, Step } from '../../../flows/step.js'
import type { Explanation, Judged } from '../../../judge/explain/explanation.js'
import type { Finding } from '../../../judge/explain/finding.js'
import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import { fenced, markdownTable, markdownText } from '../exports/markdown.js'
import { mermaid } from '../exports/mermaid.js'
import { ruleAddress } from '../rule-name.js'
import { breakLine, endOf, flowTitle, headLine, sentence } from './explain-lines.js'

/** A conversation with the records that exports take. */
export interface ExportedFlow extends Judged {
  readonly records: readonly (Step | Outcome)[]
}

/** The facts that an export needs beside the conversations. */
export interface ExportView {
  readonly name: string
  readonly version: string
  readonly showSecrets: boolean
}

/** The diagram of one conversation. */
function diagram({ conversation, records }: ExportedFlow, { version, showSecrets }: ExportView): string {
  return mermaid(records, { flow: conversation.kind, version, showSecrets }).trimEnd()
}

/** Conversations as sequence diagrams of mermaid, each with its title. */
export function explainMermaid(flows: readonly ExportedFlow[], view: ExportView): string {
  return flows
    .map(flow => `---\ntitle: ${jsonLine(flowTitle(flow.conversation))}\n---\n${diagram(flow, view)}`)
    .join('\n\n')
}

function ruleLink(rule: string): string {
  const address = ruleAddress(rule)
  return address === undefined ? markdownText(rule) : `[${markdownText(rule)}](${address})`
}

function findingRow({ severity, name, rule, entry, text, next }: Finding): string[] {
  const words = [sentence(text), ...(next === undefined ? [] : [sentence(next)])].map(markdownText)
  return [severity, markdownText(name), String(entry), words.join('<br>'), ruleLink(rule)]
}

function flowSection(flow: ExportedFlow, view: ExportView): string[] {
  const { conversation, findings } = flow
  const table = markdownTable(
    ['', 'Finding', 'Entry', 'What, and the next move', 'Rule'],
    findings.map(findingRow),
  )
  return [
    '',
    `## ${markdownText(flowTitle(conversation))}`,
    '',
    ...fenced(diagram(flow, view), 'mermaid'),
    '',
    ...(findings.length === 0 ? [`${sentence(endOf(conversation))}`] : table),
  ]
}

/** An explanation as a document: the break, the gaps, and each conversation with its diagram and findings. */
export function explainMarkdown(
  explanation: Explanation,
  flows: readonly ExportedFlow[],
  view: ExportView,
): string {
  return [
    '# What this recording shows',
    '',
    markdownText(headLine(explanation, view.name)),
    '',
    `**${markdownText(breakLine(explanation))}**`,
    ...explanation.facts.gaps.flatMap(gap => ['', `- ${markdownText(gap)}`]),
    ...flows.flatMap(flow => flowSection(flow, view)),
  ].join('\n')
}
