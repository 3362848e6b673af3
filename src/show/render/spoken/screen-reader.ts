import type { Outcome, PlannedStep, Step } from '../../../flows/step.js'
import { readPairs } from '../../../protocol/http/form.js'
import { header, splitUrl } from '../../../protocol/http/message.js'
import { maskExchange, maskUrl } from '../../../protocol/safe-output/mask.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { parsedObject } from '../../../protocol/values.js'
import { shownForm } from '../steps/fields.js'
import { nextMoves, tamperEnding } from '../steps/outcome-lines.js'
import { redirectsError } from '../steps/sequence.js'
import { summarize, tokensOf } from '../tokens/token-lines.js'
import { checkDetail, checkSentences, count, member, sentence } from './spoken-item.js'

/** A length of time in whole words: `59 minutes 56 seconds`. Takes milliseconds. */
export function spokenDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const parts = [
    [Math.floor(seconds / 86_400), 'day'],
    [Math.floor(seconds / 3600) % 24, 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ] as const
  const told = parts.filter(([value]) => value > 0).slice(0, 2)
  return told.length === 0 ? '0 seconds' : told.map(([value, unit]) => count(value, unit)).join(' ')
}

/** The announcement of a flow, once at the beginning. */
export function introduction(flow: string, clientId: string, plan: readonly PlannedStep[]): string {
  return `Flow: ${flow}. ${sentence(`Client: ${clientId}`)} ${count(plan.length, 'step')}.`
}

/** The step that comes next, before it happens. */
export function announcement(planned: PlannedStep, n: number, of: number): string {
  return `Step ${n} of ${of}. Next: ${planned.why} ${sentence(planned.title)}`
}

/** The prompt after the end of a flow. */
export const END_PROMPT = 'Press Enter to leave, r to repeat, d for details of the last step: '

/** The prompt after an announcement. @param tampers true when wrong moves can be chosen */
export function promptFor(tampers: boolean): string {
  return `Press Enter to send, r to repeat, d for details, ${tampers ? 't to tamper, ' : ''}q to quit: `
}

function answerOf({ exchange }: Step): string[] {
  if (!exchange?.response) return []
  const { response, wireBytes, ms } = exchange
  return [
    `Answer ${response.status}, ${count(wireBytes.response, 'byte')}, ${count(Math.round(ms), 'millisecond')}.`,
  ]
}

/** True for a step that was refused: a failed check, a login to repeat, an error by redirect or by status. */
function wasRefused(step: Step): boolean {
  const { checks = [], repeats, exchange } = step
  if (checks.some(({ ok, advice }) => !ok && !advice) || redirectsError(step)) return true
  if (checks.length > 0 || step.name === 'ended_session_check') return false
  // Of the steps that repeat, only a form that comes again was refused. A poll, a nonce, or a page that leads on was not.
  return repeats ? shownForm(step)?.again === true : (exchange?.response?.status ?? 0) >= 400
}

function checksOf({ checks = [], token, tokens = [] }: Step): string[] {
  return checkSentences([...checks, ...(token?.checks ?? []), ...tokens.flatMap(each => each.checks)])
}

/** A step that happened. */
export function report(step: Step): string {
  const note = step.note === undefined ? [] : [sentence(step.note)]
  return [
    `Step ${step.n} of ${step.of}, ${wasRefused(step) ? 'refused' : 'done'}.`,
    step.why,
    ...answerOf(step),
    ...note,
    ...checksOf(step),
  ].join(' ')
}

/** How the flow ended. `now`: milliseconds since the epoch. */
export function conclusion(ended: Outcome, clientId: string, now: number): string[] {
  const { outcome, error, tokens } = ended
  const tampered = tamperEnding(ended)
  if (tampered && ended.tamper?.found !== undefined) {
    return [
      sentence(`${tampered.remark ? 'Remark' : tampered.good ? 'Refused' : 'Fault'}: ${tampered.text}`),
      ...(tampered.said === undefined ? [] : [sentence(`The answer said: ${tampered.said}`)]),
      ...(error?.rule === undefined ? [] : [sentence(`Rule: ${error.rule}`)]),
    ]
  }
  if (outcome !== 'granted') {
    const said = error?.error_description ? ` ${sentence(error.error_description)}` : ''
    return [
      `${sentence(`${outcome === 'refused' ? 'Refused' : 'Failed'}: ${error?.error}`)}${said}`,
      ...(error?.rule === undefined ? [] : [sentence(`Rule: ${error.rule}`)]),
      ...nextMoves(ended).map(next => sentence(`Next: ${next}`)),
    ]
  }
  if (ended.logged_out) return [makeSafe(`Logged out of client ${clientId}.`)]
  const { subject, expires } = tokens ? summarize(tokens) : {}
  const whose = subject === undefined ? '' : ` for ${subject},`
  const valid = expires === undefined ? '' : ` Valid for ${spokenDuration(expires - now)}.`
  return [makeSafe(`Granted. Access token${whose} for client ${clientId}.${valid}`)]
}

const formMembers = (form: string): string[] => readPairs(form).map(([name, value]) => member(name, value))

function jsonMembers(body: string): string[] {
  return Object.entries(parsedObject(body) ?? {}).map(([name, each]) =>
    member(name, typeof each === 'object' && each !== null ? 'an object or a list' : String(each)),
  )
}

/** The members behind the `?` or `#` of an address. */
function addressMembers(url: string): string[] {
  return formMembers(/[?#](.*)$/s.exec(url)?.[1] ?? '')
}

function messagesOf({ exchange, url }: Step): string[] {
  if (exchange === undefined) {
    if (url === undefined) return []
    const masked = maskUrl(url, 'all')
    const { origin, path } = splitUrl(masked)
    return [makeSafe(`Address ${origin}${path}.`), ...addressMembers(masked)]
  }
  const { request, response } = maskExchange(exchange, 'all')
  const asked = [
    makeSafe(`Request ${request.method} ${splitUrl(request.url).path}.`),
    ...addressMembers(request.url),
    // Only members of a body with its type had their secrets masked.
    ...(/x-www-form-urlencoded/i.test(header(request, 'content-type') ?? '')
      ? formMembers(request.body)
      : []),
  ]
  if (response === undefined) return [...asked, 'No answer.']
  const location = header(response, 'location')
  return [
    ...asked,
    `Answer ${response.status}.`,
    ...(location === undefined ? [] : addressMembers(location)),
    ...(/[/+]json\b/i.test(header(response, 'content-type') ?? '') ? jsonMembers(response.body) : []),
  ]
}

/** The members of the messages of a step, and each of its checks with its rule, a sentence a line. */
export function details(step: Step): string[] {
  const checks = [
    ...(step.checks ?? []).map(each => ({ ...each, of: '' })),
    ...tokensOf(step).flatMap(({ kind, checks: own }) =>
      own.map(each => ({ ...each, of: ` of the ${kind.replaceAll('_', ' ')}` })),
    ),
  ]
  return [...messagesOf(step), ...checks.map(({ of, ...each }) => checkDetail(each, of))]
}
