import { isUrl } from '../../../protocol/http/address.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { header, mediaType } from '../../../protocol/http/message.js'
import { parsedJson } from '../../../protocol/values.js'
import type { Source } from './curl.js'

/** A value that an answer gives and a later request sends. */
export interface GivenValue {
  readonly name: string
  /** As it was recorded. */
  readonly value: string
  /** Only a parameter of the same name takes it: a field of a form. */
  readonly field: boolean
  readonly source: Source
  /** How a script reads it from the answer. */
  readonly read: string
}

const passedOn = [
  'access_token',
  'refresh_token',
  'id_token',
  'mac_key',
  'device_code',
  'auth_req_id',
  'user_code',
  'request_uri',
  'code',
]

/** Shorter values could be the same by chance. */
const MIN_LENGTH = 8

const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'" }

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*"([^"]*)"`, 'i').exec(tag)?.[1]
  return found?.replace(/&(amp|quot|lt|gt|#39);/g, (_whole, entity: string) => entities[entity]!)
}

/**
 * The number of the form in a page that is sent to an address, counted from 1 as `form_action` of the script does.
 * Undefined for an answer that is no page with such a form.
 */
export function formSentTo(url: string, { request, response }: Exchange): number | undefined {
  if (response === undefined || mediaType(response) !== 'text/html') return undefined
  const tags = response.body.match(/<form[ \r\n][^>]*>/gi) ?? []
  const number = tags.findIndex(tag => {
    const action = attribute(tag, 'action')
    if (action === undefined) return false
    return action === ''
      ? request.url === url
      : isUrl(action, request.url) && new URL(action, request.url).href === url
  })
  return number < 0 ? undefined : number + 1
}

function hiddenFields(body: string): Array<readonly [name: string, value: string]> {
  return (body.match(/<input\b[^>]*>/gi) ?? []).flatMap(tag => {
    const name = attribute(tag, 'name')
    const value = attribute(tag, 'value')
    if (attribute(tag, 'type')?.toLowerCase() !== 'hidden' || !name || value === undefined) return []
    // The name becomes part of a pattern of sed.
    return /^[\w-]+$/.test(name) ? [[name, value] as const] : []
  })
}

function members(body: string): Readonly<Record<string, unknown>> {
  const value = parsedJson(body)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/**
 * The values that an answer supplies for later requests: hidden fields of its form, parameters of its redirect, members
 * of its JSON.
 * @param variable a name for a variable that is not taken yet
 */
export function givenValues(exchange: Exchange, variable: (name: string) => string): GivenValue[] {
  return [...nonceGiven(exchange, variable), ...valuesGiven(exchange, variable)]
}

/** The nonce for the next DPoP proof (RFC 9449 §8). */
function nonceGiven({ response }: Exchange, variable: (name: string) => string): GivenValue[] {
  const value = response && header(response, 'dpop-nonce')
  if (value === undefined) return []
  const source = { variable: variable('dpop_nonce'), encoded: false }
  return [{ name: 'dpop_nonce', value, field: false, source, read: 'answer_header dpop-nonce' }]
}

function valuesGiven({ response }: Exchange, variable: (name: string) => string): GivenValue[] {
  if (response === undefined) return []
  const location = header(response, 'location')
  if (location !== undefined) {
    return location.split(/[?&#]/).flatMap(part => {
      const mark = part.indexOf('=')
      const name = part.slice(0, Math.max(0, mark))
      const raw = part.slice(mark + 1)
      if (!passedOn.includes(name) || raw.length < MIN_LENGTH) return []
      const source = { variable: variable(name), encoded: true }
      return [{ name, value: decodedText(raw), field: false, source, read: `redirect_parameter ${name}` }]
    })
  }
  if (mediaType(response) === 'text/html') {
    return hiddenFields(response.body).map(([name, value]) => ({
      name,
      value,
      field: true,
      source: { variable: variable(`field_${name.replaceAll('-', '_')}`), encoded: false },
      read: `hidden_field ${name}`,
    }))
  }
  const json = members(response.body)
  return passedOn.flatMap(name => {
    const value = Object.hasOwn(json, name) ? json[name] : undefined
    if (typeof value !== 'string' || value.length < MIN_LENGTH) return []
    const source = { variable: variable(name), encoded: false }
    return [{ name, value, field: false, source, read: `json_member ${name}` }]
  })
}

function decodedText(raw: string): string {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '))
  } catch {
    return raw
  }
}
