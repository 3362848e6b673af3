import type { Outcome, Role, Step } from '../../../flows/step.js'
import { parseForm } from '../../../protocol/http/form.js'
import { header, splitUrl } from '../../../protocol/http/message.js'
import type { Check } from '../../../protocol/oauth/check.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { bytesText, millisecondsText } from '../text/numbers.js'
import { hanging, pad, shorten, width } from '../text/text.js'
import { summarize } from '../tokens/token-lines.js'
import { nextMoves, type TamperEnding, tamperEnding } from './outcome-lines.js'
import { ROLE_NAMES } from './sequence.js'

/** How plain lines are written. */
export interface PlainOptions {
  readonly clientId: string
  readonly showSecrets: boolean
  /** Spell every character beyond ASCII. */
  readonly ascii: boolean
  /** The names of the roles, where they differ from those of a flow. */
  readonly names?: Readonly<Partial<Record<Role, string>>>
  /** Columns of the terminal; absent without one. */
  readonly columns?: number | undefined
}

/** The actual request, else the planned one. */
function titleOf({ exchange, title }: Step): string {
  return exchange ? `${exchange.request.method} ${splitUrl(exchange.request.url).path}` : title
}

/** The code that a redirect carries, cut in the middle unless secrets are shown. */
function codeOf({ exchange }: Step, showSecrets: boolean): string | undefined {
  const location = exchange?.response && header(exchange.response, 'location')
  if (location === undefined) return undefined
  try {
    const code = parseForm(splitUrl(location).query).find(([name]) => name === 'code')?.[1]
    return code && `code=${showSecrets ? code : shorten(code, '...')}`
  } catch {
    // An address that cannot be decoded carries no code; the flow says what is wrong with it.
    return undefined
  }
}

/** A step's own remark, and the names of what was pointed out, where it does not say them itself. */
function noteOf({ note = '', checks = [] }: Step): string {
  const pointedOut = checks.filter(({ ok, advice }) => !ok && advice).map(({ name }) => name)
  return pointedOut.length === 0 || note.includes(pointedOut[0]!)
    ? note
    : `${note}; check ${pointedOut.join(', ')}`
}

function remarkOf(step: Step, showSecrets: boolean): string {
  if (step.note !== undefined) return noteOf(step)
  const code = codeOf(step, showSecrets)
  if (code !== undefined) return code
  const checks = step.exchange ? (step.checks ?? []) : []
  const word = ({ ok, advice }: Check) => (ok ? 'ok' : advice ? 'not as it should be' : 'refused')
  return checks.map(each => `${each.name} ${word(each)}`).join(', ')
}

/** A step on one line: number, who, whom, what, status, bytes on the wire, time, remark. */
export function stepLine(
  step: Step,
  { showSecrets, ascii, names = {} }: Omit<PlainOptions, 'clientId'>,
): string {
  const { exchange } = step
  const { response } = exchange ?? {}
  const nameOf = (role: Role) => names[role] ?? ROLE_NAMES[role]
  const sender = Math.max(7, ...Object.values(names).map(width))
  const columns = [
    pad(String(step.n), String(step.of).length, 'right'),
    pad(`${pad(nameOf(step.from), sender)} -> ${nameOf(step.to)}`, sender + 24),
    pad(makeSafe(titleOf(step), { ascii }), 27),
    pad(response ? String(response.status) : '', 3, 'right'),
    pad(response && exchange ? bytesText(exchange.wireBytes.response) : '', 9, 'right'),
    pad(exchange ? millisecondsText(exchange.ms) : '', 7, 'right'),
    makeSafe(remarkOf(step, showSecrets), { ascii }),
  ]
  return columns.join('  ').trimEnd()
}

/** The line of a step; in a narrow terminal its gaps shrink, and its end goes on below. */
export function plainStepLines(step: Step, options: Omit<PlainOptions, 'clientId'>): string[] {
  const { columns } = options
  const whole = stepLine(step, options)
  if (columns === undefined || width(whole) < columns) return [whole]
  const before = `${step.n}  `.padStart(String(step.of).length + 2)
  const text = whole.slice(before.length).replace(/ {3,}/g, '  ')
  return hanging(before, text, { columns, width })
}

function grantedLines(
  { tokens, logged_out: loggedOut }: Outcome,
  { clientId, showSecrets, ascii }: PlainOptions,
): string[] {
  if (loggedOut) return [`logged out  ${makeSafe(clientId, { ascii })}`]
  if (!tokens) return ['granted']
  const { subject, expires } = summarize(tokens)
  const who = makeSafe(subject === undefined ? clientId : `${subject} -> ${clientId}`, { ascii })
  const until =
    expires !== undefined
      ? `  exp ${new Date(expires).toISOString().replace('.000Z', 'Z')}`
      : tokens.expires_in !== undefined
        ? `  expires in ${tokens.expires_in} s`
        : ''
  const whole = (['access_token', 'id_token', 'refresh_token'] as const).flatMap(name =>
    showSecrets && tokens[name] !== undefined ? [`${name}  ${makeSafe(tokens[name], { ascii })}`] : [],
  )
  return [`granted  ${who}${until}`, ...whole]
}

/** The last lines of a wrong move that was made. */
function tamperLines(
  { good, remark, text, said }: TamperEnding,
  rule: string | undefined,
  { ascii }: PlainOptions,
): string[] {
  const ruled = rule === undefined ? '' : `  (${ascii ? rule.replace('§', 'section ') : rule})`
  return [
    `${remark ? 'remark ' : good ? 'refused' : 'fault  '}  ${makeSafe(`${text}${ruled}`, { ascii })}`,
    ...(said === undefined ? [] : [`said     ${makeSafe(said, { ascii })}`]),
  ]
}

/** The last lines: granted to whom and until when; or what was refused, by which rule, and the next move. */
export function outcomeText(outcome: Outcome, options: PlainOptions): string[] {
  return endingLines(outcome, options).flatMap(line => {
    const [before = ''] = /^\S* {2,}/.exec(line) ?? []
    return hanging(before, line.slice(before.length), { columns: options.columns, width })
  })
}

function endingLines(outcome: Outcome, options: PlainOptions): string[] {
  const { error } = outcome
  const ending = tamperEnding(outcome)
  if (ending && outcome.tamper?.found !== undefined) return tamperLines(ending, error?.rule, options)
  if (outcome.outcome === 'granted') return grantedLines(outcome, options)
  const { error: code = '', error_description: description = '', rule } = error ?? {}
  const { ascii } = options
  const ruled = rule === undefined ? '' : `  (${ascii ? rule.replace('§', 'section ') : rule})`
  // A failure of the network names its code in its own words.
  const what = description.includes(code) ? description : `${code}: ${description}`
  return [
    `${pad(outcome.outcome, 7)}  ${makeSafe(what, { ascii })}${makeSafe(ruled, { ascii })}`,
    ...nextMoves(outcome).map((move, i) => `${i === 0 ? 'next' : '    '}     ${makeSafe(move, { ascii })}`),
    ...(ending ? [`tamper   ${ending.text}`] : []),
  ]
}
