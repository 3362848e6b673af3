import type { LabEvent } from '../../../protocol/events.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { cutEnd, pad } from '../text/text.js'

/** Columns of an event's name, and of a path. */
const TYPE_COLUMNS = 24
const PATH_COLUMNS = 72

/** Members that say nothing a line needs. */
const left = new Set(['type', 'at', 'site', 'bodyBytes', 'remoteAddress'])

const isCheck = (value: unknown): value is { readonly name: string; readonly ok: boolean } =>
  typeof value === 'object' && value !== null && 'name' in value && 'ok' in value

function written(value: unknown): string {
  if (typeof value === 'string') return value
  // Rules and details are in the JSON.
  if (Array.isArray(value) && value.length > 0 && value.every(isCheck)) {
    return value.map(({ name, ok }) => (ok ? name : `${name}!`)).join(',')
  }
  return JSON.stringify(value)
}

/** The address of a client on another computer. */
function elsewhere({ remoteAddress }: LabEvent): string {
  if (remoteAddress === undefined || remoteAddress === '::1' || remoteAddress.startsWith('127.')) return ''
  return `  from ${remoteAddress}`
}

function answered(event: LabEvent): string {
  const { method, path, status, client_id, wireBytes, ms, origin } = event
  const bytes = typeof wireBytes === 'number' ? `${wireBytes.toLocaleString('en-US')} B` : ''
  const client = client_id === undefined ? '' : `  ${written(client_id)}`
  const page = origin === undefined ? '' : `  origin ${written(origin)}`
  return `${written(status)}  ${pad(written(method), 4)}  ${cutEnd(written(path), PATH_COLUMNS)}${client}${page}  ${bytes}  ${written(ms)} ms${elsewhere(event)}`
}

function handshake({ remoteAddress, description, hint }: LabEvent): string {
  const next = hint === undefined ? '' : `; ${written(hint)}`
  return `${written(remoteAddress ?? 'a client')} ${written(description)}${next}`
}

/** The members of an event as one text: `name=value` each, or a request with its answer. It may hold foreign text. */
export function eventDetails(event: LabEvent): string {
  if (event.type === 'request.answered') return answered(event)
  if (event.type === 'handshake.failed') return handshake(event)
  return Object.entries(event)
    .filter(([name, value]) => !left.has(name) && value !== undefined)
    .map(([name, value]) => `${name}=${written(value)}`)
    .join(' ')
    .concat(elsewhere(event))
}

/** An event as one line for people: time, name, what it says. Foreign text is made safe. */
export function formatEvent(event: LabEvent, options: { readonly ascii?: boolean } = {}): string {
  const time = `${event.at.slice(11, 19)}Z`
  return makeSafe(`${time}  ${pad(event.type, TYPE_COLUMNS)}  ${eventDetails(event)}`, options)
}
