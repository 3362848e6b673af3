import { bounded, cut, unknownName } from '../../protocol/events.js'
import { parseForm } from '../../protocol/http/form.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import { header, headerValues, mediaType, runOf, splitUrl, text } from '../../protocol/http/message.js'
import { parseBasic } from '../../protocol/oauth/client-auth.js'
import { secretKind } from '../../protocol/safe-output/secret-names.js'
import type { LabOwnEvent } from '../lab-events.js'

/** UTF-16 units. */
const MAX_CLIENT_ID = 100

function decoded(part: string): string {
  if (/^[\w.~-]*$/.test(part)) return part
  try {
    return parseForm(`${part.replaceAll('&', '%26')}=`)[0]?.[0] ?? part
  } catch {
    return part
  }
}

/** In a refused request the name may be a secret in the wrong place. */
const names = /^(client_id|grant_type)$/

function masked(pair: string, refused: boolean): string {
  const mark = pair.indexOf('=')
  if (mark < 0) return pair
  const name = pair.slice(0, mark)
  const value = pair.slice(mark + 1)
  if (value === '') return pair
  const plain = decoded(name)
  const kind = secretKind(plain)
  if (kind === 'lasting') return `${name}=…`
  if (refused && names.test(plain)) {
    const text = decoded(value)
    return unknownName(text) === text ? pair : `${name}=${unknownName(text)}`
  }
  // A pushed request (RFC 9126) is cut as in its own event; an address is no secret.
  const [, urn = '', last = ''] = (plain === 'request_uri' && /^(urn.*(?::|%3a))(.*)$/is.exec(value)) || []
  if (urn !== '') return `${name}=${urn}${cut(last)}`
  return kind === 'flow' || plain === 'user_code' ? `${name}=${cut(value)}` : pair
}

/** Hides secrets in path and query, and bounds the text. @param refused false when the client is known */
export function shownPath(url: string, refused = true): string {
  const { path: whole, query } = splitUrl(url)
  // The path of a chat hook is a secret.
  const path = whole.includes('/services/') ? whole.replace(/(?<=\/services\/).*/, '…') : whole
  const pairs = query.split('&').map(pair => masked(pair, refused))
  return bounded(query === '' ? path : `${path}?${pairs.join('&')}`)
}

/** From a Basic header, the query or a form. */
export function claimedClient(request: HttpRequest): string | undefined {
  const basic = headerValues(request, 'authorization').map(parseBasic)[0]?.[0]?.clientId
  const found = basic ?? clientIdOf(splitUrl(request.url).query) ?? formClient(request)
  return found ? bounded(found, MAX_CLIENT_ID) : undefined
}

function formClient(request: HttpRequest): string | undefined {
  if (request.body.length === 0 || mediaType(request) !== 'application/x-www-form-urlencoded')
    return undefined
  return clientIdOf(text(request.body.subarray(0, 4096)))
}

function clientIdOf(form: string): string | undefined {
  const value = /(?:^|&)client_id=([^&]+)/.exec(form)?.[1]
  return value === undefined ? undefined : decoded(value)
}

/** Undefined for the site's own origin. */
function foreignOrigin(request: HttpRequest): string | undefined {
  const origin = header(request, 'origin')
  const own = origin?.split('://')[1] === header(request, 'host')
  return origin === undefined || own ? undefined : bounded(origin)
}

export interface Answered {
  readonly status: number
  /** Absent without a content coding. */
  readonly coding?: string
  /** On the wire, and before coding. To HEAD no byte is sent. */
  readonly wireBytes: number
  readonly bodyBytes: number
  readonly ms: number
}

/** Holds no secret. */
export function requestAnswered(site: string, request: HttpRequest, answered: Answered): LabOwnEvent {
  const claimed = claimedClient(request)
  // The client of a refused request may be unknown, and its name a secret in the wrong place.
  const refused = answered.status >= 400
  const clientId = claimed !== undefined && refused ? unknownName(claimed) : claimed
  const run = runOf(request)
  const origin = foreignOrigin(request)
  return {
    type: 'request.answered',
    site,
    method: bounded(request.method, 20),
    path: shownPath(request.url, refused),
    ...answered,
    ...(clientId !== undefined && { client_id: clientId }),
    ...(run !== undefined && { run }),
    ...(origin !== undefined && { origin }),
  }
}
