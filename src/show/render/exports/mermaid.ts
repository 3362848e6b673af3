import type { Role, Step } from '../../../flows/step.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { messagesOf } from '../steps/sequence.js'
import { cutEnd } from '../text/text.js'
import { type ExportedOutcome, type ExportedRecord, type ExportOptions, notedRole } from './export-options.js'

const names: Readonly<Record<Role, string>> = {
  attacker: 'Attacker',
  user_agent: 'Browser',
  client: 'Client',
  authorization_server: 'Authorization server',
  resource_server: 'Resource server',
}

const order = ['attacker', 'user_agent', 'client', 'authorization_server', 'resource_server'] as const

/** Longer labels make the lanes too wide to read. */
const MAX_LABEL = 72

/**
 * Text as a diagram shows it. What mermaid could read as its own signs, directives, HTML or a line break is written
 * as `#code;`.
 */
export function mermaidText(text: string): string {
  const safe = makeSafe(cutEnd(text.slice(0, 1000), MAX_LABEL))
  return safe.replace(/[^\p{L}\p{N}\p{M} ./_=?,()+~'*•…·§✓✗-]/gu, char => `#${char.codePointAt(0)};`)
}

function messageLines(step: Step, showSecrets: boolean): string[] {
  const entry = { n: step.n, planned: step, step, status: 'done' } as const
  return messagesOf(entry, showSecrets ? 'none' : 'all').map(({ from, to, label, happened }, i) => {
    const arrow = happened ? (i === 0 ? '->>' : '-->>') : '--x'
    return `${from}${arrow}${to}: ${mermaidText(label === '' ? step.title : label)}`
  })
}

function checkNote({ checks = [], token, tokens = [] }: Step): string[] {
  const all = [...checks, ...(token?.checks ?? []), ...tokens.flatMap(each => each.checks)]
  if (all.length === 0) return []
  const words = all.map(({ name, ok }) => `${ok ? '✓' : '✗'} ${name}`)
  return [`Note over client: ${mermaidText([...new Set(words)].join(' '))}`]
}

function outcomeNote({ outcome, error, logged_out: loggedOut }: ExportedOutcome, over: Role): string {
  if (loggedOut) return `Note over ${over}: logged out`
  const why = error === undefined ? '' : ` ${error.error} ${error.error_description}`
  return `Note over ${over}: ${mermaidText(`${outcome}${why}`)}`
}

/** A run as a sequence diagram of mermaid, which GitHub and GitLab draw. */
export function mermaid(records: readonly ExportedRecord[], { showSecrets }: ExportOptions): string {
  const steps = records.filter(record => record.type === 'step')
  const noted = notedRole(records)
  const nameOf = (role: Role) => (noted === 'attacker' && role === 'user_agent' ? 'Victim' : names[role])
  const involved = new Set<Role>([noted, ...steps.flatMap(({ from, to }) => [from, to])])
  const lines = [
    ...order.filter(role => involved.has(role)).map(role => `participant ${role} as ${nameOf(role)}`),
    ...records.flatMap(record =>
      record.type === 'step'
        ? [...messageLines(record, showSecrets), ...checkNote(record)]
        : [outcomeNote(record, noted)],
    ),
  ]
  return `sequenceDiagram\n${lines.map(line => `  ${line}\n`).join('')}`
}
