import type { Outcome, Step } from '../../../flows/step.js'
import type { Conversation } from '../../../judge/explain/conversation.js'
import type { Explanation, Judged } from '../../../judge/explain/explanation.js'
import type { Finding } from '../../../judge/explain/finding.js'
import type { Message } from '../../../judge/explain/message.js'
import { splitUrl } from '../../../protocol/http/message.js'
import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import { maskExchange } from '../../../protocol/safe-output/mask.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { fenced, markdownTable, markdownText } from '../exports/markdown.js'
import { mermaid } from '../exports/mermaid.js'
import { ruleAddress } from '../rule-lines.js'
import { drawLanes, laneNames, placeLanes } from '../steps/lanes.js'
import { type Entry, messagesOf } from '../steps/sequence.js'
import { type Signs, signsFor } from '../text/signs.js'
import { plainText } from '../text/spans.js'
import { hanging, type TextView, width } from '../text/text.js'

/** How an explanation is written for people. */
interface ExplainView extends TextView {
  readonly name: string
}

/** A conversation with the steps that draw it. */
interface DrawnFlow extends Judged {
  readonly steps: readonly Step[]
}

/** The width of drawings without a terminal. */
const DRAWN = 100

/** Most messages of a conversation that are drawn. A device that polls for an hour has thousands. */
const MOST_DRAWN = 40

/** The kinds of conversations for people. */
const KIND_NAMES: Readonly<Record<Conversation['kind'], string>> = {
  code: 'authorization code',
  hybrid: 'hybrid',
  implicit: 'implicit',
  device: 'device',
  ciba: 'CIBA',
  refresh: 'refresh',
  client_credentials: 'client credentials',
  password: 'password',
  assertion: 'assertion',
  exchange: 'token exchange',
  api: 'API call',
  logout: 'logout',
  registration: 'registration of a client',
  saml: 'SAML login',
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** A sentence of a fragment: `the callback …` becomes `The callback … .` */
export const sentence = (text: string): string =>
  `${/^\w+_/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1)}${/[.!?”]$/.test(text) ? '' : '.'}`

/** The first line: the recording, and how much of it is about OAuth. */
function headLine({ facts, flows }: Explanation, name: string): string {
  const by = facts.creator === undefined ? '' : ` of ${facts.creator}`
  const found = `${facts.picked} of OAuth, OpenID Connect or SAML`
  return `${name}: ${plural(facts.entries, 'exchange')}${by}, ${found}, ${plural(flows.length, 'conversation')}`
}

/** The sentence that names the break, or says that there is none. */
export function breakLine(explanation: Explanation): string {
  const { broken, open, outcome } = explanation.verdict
  if (broken) return `${sentence(broken.text)} (entry ${broken.entry}, ${broken.rule})`
  if (open) return `Conversation ${open.n} has no good end: ${open.lastSeen}.`
  if (outcome === 'nothing') return 'There is no exchange of OAuth, OpenID Connect or SAML in this recording.'
  const lighter = explanation.flows.reduce((sum, { findings }) => sum + findings.length, 0)
  return lighter === 0 ? 'Nothing is wrong.' : `No fault, but ${plural(lighter, 'remark')}.`
}

/** How a conversation without a finding ended. */
const endOf = (conversation: Conversation): string =>
  conversation.lastSeen ?? 'nothing is wrong in this conversation'

/** The line over a conversation. */
function flowTitle({ n, kind, clientId, username, issuer, outcome }: Conversation): string {
  const who = clientId === undefined ? '' : `, client ${clientId}`
  const person = username === undefined ? '' : `, user ${username}`
  return `${n}. ${KIND_NAMES[kind]}${who}${person}${issuer === undefined ? '' : `, ${issuer}`}: ${outcome}`
}

function drawing({ steps, findings }: DrawnFlow, view: ExplainView, signs: Signs): string[] {
  const shown = steps.slice(0, MOST_DRAWN)
  const wrong = new Set(findings.filter(({ severity }) => severity === 'fault').map(({ entry }) => entry))
  const lanes = placeLanes(shown, Math.min(view.columns ?? DRAWN, 120) - 1)
  const entries = shown.map(
    (step): Entry => ({ n: step.n, planned: step, step, status: wrong.has(step.n) ? 'refused' : 'done' }),
  )
  const masking = view.showSecrets ? 'none' : 'all'
  const lines = drawLanes(entries, lanes, { masking, signs }).map(({ line }) => plainText(line).trimEnd())
  const left = steps.length - shown.length
  const more = left > 0 ? [`${signs.ellipsis} ${plural(left, 'more message')}`] : []
  return [plainText(laneNames(lanes)).trimEnd(), ...lines, ...more]
}

/** The lines of a finding: what, where, the rule, the next move. */
function findingLines(
  { severity, name, rule, entry, text, next }: Finding,
  view: ExplainView,
  signs: Signs,
): string[] {
  const room = { columns: view.columns, width }
  const safe = (words: string) => makeSafe(words, { ascii: view.ascii })
  const sign = severity === 'fault' ? signs.refused : signs.look
  return [
    ...hanging(`  ${sign} ${severity.padEnd(9)} `, safe(`${name}, entry ${entry} (${rule})`), room),
    ...hanging(' '.repeat(14), safe(sentence(text)), room),
    ...(next === undefined ? [] : hanging(`${' '.repeat(8)}next  `, safe(sentence(next)), room)),
  ]
}

/** An explanation for people: the break first, then each conversation with its drawing and its findings. */
export function explainLines(
  explanation: Explanation,
  flows: readonly DrawnFlow[],
  view: ExplainView,
): string[] {
  const signs = signsFor(view)
  const safe = (words: string) => makeSafe(words, { ascii: view.ascii })
  const room = { columns: view.columns, width }
  const sign = { fault: signs.refused, unfinished: signs.look, right: signs.done, nothing: signs.done }[
    explanation.verdict.outcome
  ]
  return [
    ...hanging('', safe(headLine(explanation, view.name)), room),
    '',
    ...hanging(`${sign} `, safe(breakLine(explanation)), room),
    ...explanation.facts.gaps.flatMap(gap => hanging(`${signs.look} `, safe(gap), room)),
    ...flows.flatMap(flow => [
      '',
      ...hanging('', safe(flowTitle(flow.conversation)), room),
      ...drawing(flow, view, signs),
      ...flow.findings.flatMap(each => findingLines(each, view, signs)),
    ]),
  ]
}

/** Longest half of a live line, in characters. */
const LONGEST = 90

/** How live lines of a recording are written. */
interface RecordedView {
  readonly showSecrets: boolean
  readonly ascii: boolean
}

/** A recorded exchange as one line for people: the host, the request, the answer. */
export function recordedLine(step: Step, { showSecrets, ascii }: RecordedView): string {
  const signs = signsFor({ ascii })
  const masking = showSecrets ? 'none' : 'all'
  const [request, answer] = messagesOf({ n: step.n, planned: step, step, status: 'done' }, masking)
  const url = step.exchange?.request.url ?? step.url ?? ''
  const host = splitUrl(url).origin.replace(/^https?:\/\//, '')
  const half = (label: string) =>
    label.length > LONGEST ? `${label.slice(0, LONGEST)}${signs.ellipsis}` : label
  const reply = answer === undefined || answer.label === '' ? '' : ` ${signs.to} ${half(answer.label)}`
  return makeSafe(`${host}  ${half(request?.label ?? '')}${reply}`, { ascii })
}

/** A recorded exchange as a line of JSON. */
export function recordedJson({ kind, recorded }: Message, side: string, showSecrets: boolean): object {
  const { request, response, at, ms } = showSecrets
    ? recorded.exchange
    : maskExchange(recorded.exchange, 'all')
  return { type: 'exchange', name: kind, side, at, ms, request, response }
}

/** A conversation with the records that exports take. */
interface ExportedFlow extends Judged {
  readonly records: readonly (Step | Outcome)[]
}

/** The facts that an export needs beside the conversations. */
interface ExportView {
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
