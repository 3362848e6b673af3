import type { PlannedStep, Role, Step } from '../../../flows/step.js'
import { splitUrl } from '../../../protocol/http/message.js'
import { type Masking, maskExchange, maskUrl } from '../../../protocol/safe-output/mask.js'
import { parsedJson } from '../../../protocol/values.js'
import type { Signs } from '../text/signs.js'
import type { Tone } from '../text/spans.js'
import { shownForm } from './fields.js'

/** Index of a step in the plan of its flow. Steps that a flow leaves out have a place in the plan, and no number. */
export function placeOf({ n, of }: Pick<Step, 'n' | 'of'>, { length }: { readonly length: number }): number {
  return n - 1 + length - of
}

/** The roles as people call them. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  attacker: 'attacker',
  user_agent: 'browser',
  client: 'client',
  authorization_server: 'authorization server',
  resource_server: 'resource server',
}

/** The progress of a step. `now` is the selected one. */
export type EntryStatus = 'done' | 'now' | 'next' | 'refused'

/** A step of a flow as the screens list it: one that happened has its `step`. */
export interface Entry {
  readonly n: number
  readonly planned: PlannedStep
  readonly step?: Step
  readonly status: EntryStatus
}

/** One arrow between two roles. */
export interface Message {
  readonly from: Role
  readonly to: Role
  readonly label: string
  readonly happened: boolean
  /** True for a redirect that carries an error. */
  readonly refused?: true
}

/** The sign and tone of a step's progress. */
export function statusSign(status: EntryStatus, signs: Signs): { sign: string; tone: Tone } {
  return { sign: signs[status], tone: status === 'next' ? 'dim' : status }
}

/** Parameters that every request of their kind has; the arrows name the others. */
const untold = new Set(['grant_type', 'redirect_uri', 'client_id', 'client_secret', 'iss'])

function names(form: string): string {
  const all = form.split('&').map(part => part.split('=', 1)[0]!)
  return all.filter(name => name !== '' && !untold.has(name)).join(' ')
}

function withDetail(head: string, detail: string): string {
  return detail === '' ? head : `${head}  ${detail}`
}

function requestLabel(step: Step, masking: Masking): string {
  if (step.exchange === undefined) {
    if (step.url === undefined || step.name === 'authorization_request') return step.title
    const { path, query } = splitUrl(step.url)
    return withDetail(`GET ${path}`, names(query))
  }
  const { request } = maskExchange(step.exchange, masking)
  const { path, query } = splitUrl(request.url)
  if (step.name === 'login') return withDetail(`${request.method} ${path}`, names(request.body))
  const head = `${request.method} ${path}${query === '' ? '' : `?${query}`}`
  if (request.body !== '') return withDetail(head, names(request.body))
  const authorization = request.headers.find(([name]) => name.toLowerCase() === 'authorization')
  return withDetail(head, authorization ? `Authorization: ${authorization[1]}` : '')
}

function memberNames(body: string): string {
  const value = parsedJson(body)
  if (typeof value !== 'object' || value === null) return ''
  if ('error' in value) return typeof value.error === 'string' ? value.error : 'error'
  if ('keys' in value && Array.isArray(value.keys)) {
    return value.keys.length === 1 ? '1 key' : `${value.keys.length} keys`
  }
  const tokens = Object.keys(value).filter(name => name.endsWith('_token'))
  return (tokens.length > 0 ? tokens : Object.keys(value)).join(' ')
}

function responseLabel(step: Step, masking: Masking): string {
  const response = step.exchange?.response
  if (response === undefined) return step.exchange === undefined ? '' : 'no answer'
  const location = response.headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (location !== undefined) {
    const masked = maskUrl(location, masking)
    const query = masked.slice(masked.search(/[?#]|$/))
    return withDetail(String(response.status), query || masked)
  }
  const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const form = shownForm(step)
  if (form) return `${response.status} ${form.name}${form.again ? ' again' : ''}`
  if (/html/i.test(type)) return withDetail(String(response.status), titleOf(response.body))
  return withDetail(String(response.status), /json/i.test(type) ? memberNames(response.body) : '')
}

/** True when the answer of a step sends the user agent back with an error (RFC 6749 §4.1.2.1), and that is no proof of a logout. */
export function redirectsError({ name, exchange }: Step): boolean {
  if (name === 'ended_session_check') return false
  const location = exchange?.response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  return location !== undefined && /[?#&]error=/.test(location)
}

/** The title of a page; empty where it has none. */
function titleOf(page: string): string {
  return /<title>([^<]{1,200})/i.exec(page)?.[1]?.trim() ?? ''
}

/**
 * True when a server answers the step's message; a message that only redirects the user agent has no answer.
 */
function hasAnswer({ to }: PlannedStep): boolean {
  return to === 'authorization_server' || to === 'resource_server'
}

/** How many arrows an entry has. */
export function messageCount(planned: PlannedStep): number {
  return hasAnswer(planned) ? 2 : 1
}

/** The arrows of an entry: its message, and the answer to it where there is one. Texts are not made safe yet. */
export function messagesOf({ planned, step }: Entry, masking: Masking): Message[] {
  const { from, to, title } = planned
  const happened = step !== undefined
  const message: Message = { from, to, label: step ? requestLabel(step, masking) : title, happened }
  if (!hasAnswer(planned)) return [message]
  const answered = happened && step.exchange?.response === undefined && step.exchange !== undefined
  const answer: Message = {
    from: to,
    to: from,
    label: step ? responseLabel(step, masking) : '',
    happened: happened && !answered,
    ...(happened && redirectsError(step) && { refused: true }),
  }
  return [message, answer]
}
