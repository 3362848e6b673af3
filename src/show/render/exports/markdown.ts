import type { Role, Step, StepToken } from '../../../flows/step.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { type HeaderList, mediaType, splitUrl } from '../../../protocol/http/message.js'
import type { Check } from '../../../protocol/oauth/check.js'
import { type Masking, maskExchange, maskUrl, maskValue } from '../../../protocol/safe-output/mask.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { ruleAddress, ruleName } from '../rule-lines.js'
import { statusText } from '../steps/exchange-lines.js'
import { ROLE_NAMES } from '../steps/sequence.js'
import { bytesText, millisecondsText } from '../text/numbers.js'
import {
  type ExportedOutcome,
  type ExportedRecord,
  type ExportOptions,
  exportTitle,
  hasAttacker,
} from './export-options.js'
import { mermaid } from './mermaid.js'

/** More of a body does not help a reader; the rest is counted. */
const MAX_BODY = 3000

function ruleLink(rule: string): string {
  const name = ruleName(rule)
  const address = ruleAddress(name)
  return address === undefined ? markdownText(name) : `[${markdownText(name)}](${address})`
}

function bodyText(headers: HeaderList, body: string): string {
  let text = body
  if (/[/+]json$/.test(mediaType({ headers }))) {
    try {
      text = JSON.stringify(JSON.parse(body), undefined, 2)
    } catch {
      // Broken JSON is shown as it came.
    }
  }
  const left = text.length - MAX_BODY
  return left > 0 ? `${text.slice(0, MAX_BODY)}\n… ${left} more characters` : text
}

function message(first: string, headers: HeaderList, body: string): string[] {
  const head = [first, ...headers.map(([name, value]) => `${name}: ${value}`)]
  return fenced([...head, ...(body === '' ? [] : ['', bodyText(headers, body)])].join('\n'), 'http')
}

function exchangeBlocks(exchange: Exchange): string[] {
  const { request, response, wireBytes, bodyBytes, ms } = exchange
  const { path, query } = splitUrl(request.url)
  const target = query === '' ? path : `${path}?${query}`
  const asked = message(`${request.method} ${target} HTTP/1.1`, request.headers, request.body)
  if (response === undefined) return [...asked, '', `No answer came (${millisecondsText(ms)}).`]
  const coded = wireBytes.response === bodyBytes ? '' : `, decoded ${bytesText(bodyBytes)}`
  return [
    ...asked,
    '',
    `Answer: body of ${bytesText(wireBytes.response)}${coded}, after ${millisecondsText(ms)}.`,
    '',
    ...message(`HTTP/1.1 ${statusText(response.status)}`, response.headers, response.body),
  ]
}

function checkTable(checks: readonly Check[]): string[] {
  if (checks.length === 0) return []
  const rows = checks.map(({ name, ok, rule, detail = '' }) => [
    ok ? '✓' : '✗',
    markdownText(name),
    markdownText(detail),
    ruleLink(rule),
  ])
  return ['', '**Checks**', '', ...markdownTable(['', 'Check', 'Found', 'Rule'], rows)]
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

/** `Access token`, `ID token`. */
function tokenName(kind: string): string {
  const words = kind.replaceAll('_', ' ').replace(/^id /, 'ID ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function tokenBlock({ kind, value, explained, checks }: StepToken, masking: Masking): string[] {
  const shown = markdownText(masking === 'none' ? value : maskValue(value))
  const title = ['', `**${tokenName(kind)}** ${shown}`]
  if (explained === undefined) return [...title, '', 'Opaque: only the server that issued it can read it.']
  const rows = [...explained.header, ...explained.claims].map(
    ({ name, value: claim, meaning, time, inner }) => [
      markdownText(inner ? `kubernetes.io ${name}` : name),
      markdownText(valueText(claim)),
      markdownText([meaning, time ?? ''].filter(text => text !== '').join(': ')),
    ],
  )
  const remarks = explained.lint.map(({ text, rule }) => `- ${markdownText(text)} (${ruleLink(rule)})`)
  return [
    ...title,
    '',
    ...markdownTable(['Claim', 'Value', 'Meaning'], rows),
    ...(remarks.length > 0 ? ['', ...remarks] : []),
    ...checkTable(checks),
  ]
}

function stepSection(step: Step, masking: Masking, victim: boolean): string[] {
  const { n, title, from, to, rfc, why, note, url, exchange, checks = [], token, tokens = [] } = step
  const shown = exchange && maskExchange(exchange, masking)
  const nameOf = (role: Role) => (victim && role === 'user_agent' ? 'victim' : ROLE_NAMES[role])
  return [
    '',
    `## ${n}. ${markdownText(title)}`,
    '',
    `${nameOf(from)} → ${nameOf(to)}, ${ruleLink(rfc)}. ${markdownText(why)}`.trimEnd(),
    ...(note === undefined ? [] : ['', markdownText(note)]),
    ...(shown ? ['', ...exchangeBlocks(shown)] : []),
    ...(url !== undefined && !shown ? ['', ...fenced(maskUrl(url, masking))] : []),
    ...checkTable(checks),
    ...[...(token ? [token] : []), ...tokens].flatMap(each => tokenBlock(each, masking)),
  ]
}

function ending({ outcome, error, tokens, logged_out: loggedOut }: ExportedOutcome): string[] {
  if (loggedOut) return ['**logged out**']
  const lines = ['', '## Outcome', '']
  if (error !== undefined) {
    const rule = error.rule === undefined ? '' : ` (${ruleLink(error.rule)})`
    return [
      ...lines,
      `**${outcome}**: ${markdownText(error.error)}. ${markdownText(error.error_description)}${rule}`,
    ]
  }
  const facts = [
    tokens?.token_type,
    tokens?.expires_in === undefined ? undefined : `${tokens.expires_in} s`,
    tokens?.scope === undefined ? undefined : `scope ${tokens.scope}`,
  ].filter(fact => fact !== undefined)
  return [...lines, `**${outcome}** ${markdownText(facts.join(', '))}`.trimEnd()]
}

/** A run as a document to hand in: diagram, then every step with its reason, rule, messages, checks and claims. */
export function markdown(records: readonly ExportedRecord[], options: ExportOptions): string {
  const { version, showSecrets } = options
  const title = exportTitle(options)
  const victim = hasAttacker(records)
  const masking = showSecrets ? 'none' : 'all'
  const first = records.find(record => record.type === 'step' && record.exchange !== undefined)
  const at = first?.type === 'step' ? first.exchange?.at : undefined
  const when = at === undefined ? '' : `, ${markdownText(at)}`
  const lines = [
    `# ${markdownText(title.charAt(0).toUpperCase() + title.slice(1))}`,
    '',
    `Recorded by oauth-lab ${version}${when}. ${showSecrets ? 'Secrets are shown.' : 'Secrets are masked.'}`,
    '',
    ...fenced(mermaid(records, options).trimEnd(), 'mermaid'),
    ...records.flatMap(record =>
      record.type === 'step' ? stepSection(record, masking, victim) : ending(record),
    ),
  ]
  return `${lines.join('\n')}\n`
}

/**
 * Text from outside as Markdown that shows it and obeys nothing in it: no links, HTML, emphasis, table cells, or
 * blocks. One line.
 */
export function markdownText(text: string): string {
  return makeSafe(text)
    .replace(/[\\`*_{}[\]<>#|~&!$@]/g, char => (char === '&' ? '&amp;' : `\\${char}`))
    .replace(/^(\s*)([-+=])/, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/, '$1\\$2')
    .replace(/:(?=\/\/)/g, '\\:')
}

/** A block of text between fences that are longer than any run of backticks in it. Lines end with `\n`. */
export function fenced(text: string, language = ''): string[] {
  const lines = text.split(/\r\n|\r|\n/).map(line => makeSafe(line))
  const longest = Math.max(
    0,
    ...lines.map(line => Math.max(0, ...(line.match(/`+/g) ?? []).map(run => run.length))),
  )
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return [fence + language, ...lines, fence]
}

/** A table with a head; cells are Markdown already. */
export function markdownTable(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...rows.map(row)]
}
