import { type FormPairs, readFields, withoutLastParameter } from '../../../protocol/http/form.js'
import { type HeaderList, splitUrl } from '../../../protocol/http/message.js'
import type { Finding } from '../../../protocol/rules/finding.js'
import { defined, type JsonObject } from '../../../protocol/values.js'
import type { MessageKind, MissingPart, Recorded, ServerReport } from '../recorded.js'
import { ENDPOINTS, EVENTS, type EventMeaning } from './event-meanings.js'
import { findingOf, textOf } from './findings.js'

/** The lab that reported an exchange. */
export interface Lab {
  /** From 1, in the order of the recording. */
  readonly n: number
  /** Added to the numbers of its requests, so that no two exchanges of a recording have one number. */
  readonly before: number
  /** Base URLs by site. Empty for a recording that begins in the middle. */
  readonly urls: Readonly<Record<string, unknown>>
}

/** Shortest path that an event may have cut. */
const LONGEST_PATH = 200

/** A hidden value, as events write it. */
const HIDDEN = '…'

const known = (event: JsonObject): EventMeaning => EVENTS[textOf(event, 'type') ?? ''] ?? {}

/** The first value of a member among events. */
function first(events: readonly JsonObject[], name: string): string | undefined {
  for (const event of events) {
    const value = textOf(event, name)
    if (value !== undefined) return value
  }
  return undefined
}

/** The named members of events as parameters, each once. */
function pairsOf(
  events: readonly JsonObject[],
  part: 'sent' | 'answered',
): [string, string | number | boolean][] {
  const pairs = new Map<string, string | number | boolean>()
  for (const event of events) {
    for (const [parameter, member] of Object.entries(known(event)[part] ?? {})) {
      const value = event[member]
      const isPlain = typeof value === 'number' || typeof value === 'boolean'
      if (isPlain || (typeof value === 'string' && value !== '')) pairs.set(parameter, value)
    }
  }
  return [...pairs]
}

/** Writes parameters as events write paths: values that were cut stay readable. */
const formOf = (pairs: readonly (readonly [string, unknown])[]): string =>
  pairs
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%E2%80%A6', HIDDEN)}`)
    .join('&')

/** True for the refusal of a request without a token. Many clients begin so (RFC 9728 §5). */
const isTokenless = (event: JsonObject): boolean =>
  event.type === 'resource.refused' && event.error === undefined

/** The parameters of an authorization response that the lab sent. */
function answerOf(events: readonly JsonObject[], kind: MessageKind | undefined): FormPairs | undefined {
  if (kind !== 'authorization_request' && kind !== 'login') return undefined
  const redirected = events.filter(event => event.channel === undefined || event.channel === 'redirect')
  const pairs = pairsOf(redirected, 'answered').map(([name, value]) => [name, String(value)] as const)
  const idToken = events.some(({ type, id_token: has }) => type === 'id_token.issued' || has === true)
  const all = idToken ? [...pairs, ['id_token', HIDDEN] as const] : pairs
  return all.some(([name]) => name === 'code' || name.endsWith('_token') || name === 'error')
    ? all
    : undefined
}

/** True for an address whose end is missing. A short one may end with a value that is hidden whole. */
const isCut = (path: string): boolean =>
  path.endsWith(HIDDEN) && (path.length >= LONGEST_PATH || !path.endsWith(`=${HIDDEN}`))

/** The address with what it was called with: the base URL of the site is known from the first line of the lab. */
function urlOf(answered: JsonObject, { urls }: Lab): string {
  const site = textOf(answered, 'site') ?? ''
  const base = urls[site]
  return `${typeof base === 'string' ? splitUrl(base).origin : ''}${textOf(answered, 'path') ?? ''}`
}

function requestHeaders(events: readonly JsonObject[], answered: JsonObject, hasBody: boolean): HeaderList {
  const scheme = first(events, 'scheme')
  const token = first(events, 'access_token')
  const presented = scheme !== undefined && token !== undefined && /^(bearer|dpop)$/i.test(scheme)
  const origin = textOf(answered, 'origin')
  return [
    ...(presented ? [['authorization', `${scheme} ${token}`] as const] : []),
    ...(origin === undefined ? [] : [['origin', origin] as const]),
    ...(hasBody ? [['content-type', 'application/x-www-form-urlencoded'] as const] : []),
  ]
}

/** The redirect with the parameters that are known. A response in a JWT (JARM) shows none of them. */
function locationOf(report: ServerReport, query: string): string | undefined {
  const { answer, redirectUri = '' } = report
  if (answer === undefined || readFields(query).get('response_mode')?.endsWith('jwt')) return undefined
  const inFragment = answer.some(([name]) => name.endsWith('_token'))
  const mark = inFragment ? '#' : redirectUri.includes('?') ? '&' : '?'
  return `${redirectUri}${mark}${formOf(answer)}`
}

function responseOf(
  events: readonly JsonObject[],
  answered: JsonObject,
  report: ServerReport,
  query: string,
) {
  const status = typeof answered.status === 'number' ? answered.status : 0
  if (status === 0) return undefined
  const location = status >= 300 && status < 400 ? locationOf(report, query) : undefined
  if (location !== undefined) return { status, headers: [['location', location] as const], body: '' }
  const isPage = report.kind === 'authorization_request' || report.kind === 'login'
  const members = isPage ? [] : pairsOf(events, 'answered')
  if (members.length === 0) return { status, headers: [], body: '' }
  const idToken = events.some(({ type, id_token: has }) => type === 'token.issued' && has === true)
  const json = Object.fromEntries(idToken ? [...members, ['id_token', HIDDEN]] : members)
  return { status, headers: [['content-type', 'application/json'] as const], body: JSON.stringify(json) }
}

/** The findings of events, one for each name: a code that came twice has two events. */
function findingsOf(events: readonly JsonObject[]): readonly Finding[] {
  const found = new Map<string, Finding>()
  for (const each of events.flatMap(event => findingOf(event) ?? [])) {
    if (!found.has(each.name)) found.set(each.name, each)
  }
  return [...found.values()]
}

/** The person that events name. The subject of a token is a person, but where a client has it for itself. */
function userOf(events: readonly JsonObject[]): string | undefined {
  const issued = events.filter(
    event => event.type === 'token.issued' && event.grant_type !== 'client_credentials',
  )
  return first(events, 'username') ?? first(issued, 'sub')
}

function reportOf(
  events: readonly JsonObject[],
  answered: JsonObject,
  query: string,
  lab: Lab,
): ServerReport {
  const path = splitUrl(textOf(answered, 'path') ?? '').path
  const kind = events.map(event => known(event).kind).find(each => each !== undefined)
  const isEndpoint = answered.site === 'authorization' || answered.site === 'mtls'
  const lifetime = events.find(({ type }) => type === 'code.issued')?.expires_in
  const { cause } = answered
  const issuer = lab.urls.authorization
  return defined({
    kind: kind ?? (isEndpoint ? ENDPOINTS[path] : undefined),
    clientId: first([answered, ...events], 'client_id'),
    username: userOf(events),
    issuer: typeof issuer === 'string' ? issuer : undefined,
    grantType:
      first(events, 'grant_type') ?? events.map(event => known(event).grant).find(each => each !== undefined),
    answer: answerOf(events, kind),
    redirectUri: first(events, 'redirect_uri') ?? readFields(query).get('redirect_uri'),
    codeLifetime: typeof lifetime === 'number' ? lifetime * 1000 : undefined,
    ties: tiesOf(events, query),
    cause: typeof cause === 'number' ? lab.before + cause : undefined,
    lab: lab.n,
    findings: findingsOf(events),
  })
}

/**
 * Folds the events of one request into an exchange: what was on the wire as far as the events say it.
 * @param events the events of the request; the last one is its `request.answered`
 */
export function exchangeOf(events: readonly JsonObject[], answered: JsonObject, lab: Lab): Recorded {
  const said = events.filter(event => !isTokenless(event))
  const path = textOf(answered, 'path') ?? ''
  const { query: shown } = splitUrl(path)
  const query = isCut(path) ? withoutLastParameter(shown) : shown
  const report = reportOf(said, answered, query, lab)
  const sent: [string, string | number | boolean][] = pairsOf(said, 'sent')
  const isPost = answered.method === 'POST'
  const grant = report.grantType === undefined ? [] : [['grant_type', report.grantType] as const]
  const body = isPost && report.kind !== 'authorization_request' ? formOf([...grant, ...sent]) : ''
  const response = responseOf(said, answered, report, query)
  const ms = typeof answered.ms === 'number' ? answered.ms : 0
  const at = Date.parse(textOf(answered, 'at') ?? '') - ms
  const size = (name: string): number => (typeof answered[name] === 'number' ? answered[name] : 0)
  const lacks: MissingPart[] = ['response headers']
  if (isCut(path)) lacks.push('request query')
  if (isPost) lacks.push('request body')
  lacks.push(response === undefined ? 'response' : 'response body')
  return {
    entry: lab.before + Number(answered.request),
    exchange: defined({
      request: {
        method: textOf(answered, 'method') ?? '',
        url: urlOf(answered, lab),
        headers: requestHeaders(said, answered, body !== ''),
        body,
      },
      response,
      wireBytes: { request: 0, response: size('wireBytes') },
      bodyBytes: size('bodyBytes'),
      ms,
      at: Number.isNaN(at) ? '' : new Date(at).toISOString(),
    }),
    sent: at,
    fromPage: false,
    lacks,
    report,
  }
}

/** Members whose values lead from one exchange to another, and the kind of the value. */
const MEMBERS: readonly (readonly [member: string, kind: string])[] = [
  ['code', 'code'],
  ['request_uri', 'request'],
  ['refresh_token', 'refresh'],
  ['replaced_by', 'refresh'],
  ['access_token', 'access'],
  ['jti', 'jti'],
]

/** A secret that an event names as its evidence: `code k3V9…Qm1`. */
const EVIDENCE = /^(code|refresh) (?:token )?(\S+)$/

/** A reference to a pushed request, cut as its event cuts it. */
function cutReference(uri: string): string {
  const start = uri.lastIndexOf(':') + 1
  const last = uri.slice(start)
  return last.length < 16 ? uri : `${uri.slice(0, start)}${last.slice(0, 4)}…${last.slice(-3)}`
}

/** The values that tie an exchange to others. A value that is hidden whole ties nothing. */
function tiesOf(events: readonly JsonObject[], query: string): readonly string[] {
  const ties = new Set<string>()
  for (const [member, kind] of MEMBERS) {
    for (const event of events) {
      const value = textOf(event, member)
      // The address of a request object is the same in every login of its client.
      const isAddress = member === 'request_uri' && !value?.startsWith('urn:')
      if (value !== undefined && value !== '…' && !isAddress) ties.add(`${kind} ${value}`)
    }
  }
  for (const event of events) {
    const [, kind, value] = EVIDENCE.exec(textOf(event, 'evidence') ?? '') ?? []
    if (kind !== undefined && value !== '…') ties.add(`${kind} ${value}`)
  }
  const fields = readFields(query)
  const [code, uri, state] = ['code', 'request_uri', 'state'].map(fields.get)
  if (code !== undefined && code !== '…') ties.add(`code ${code}`)
  if (uri?.startsWith('urn:')) ties.add(`request ${cutReference(uri)}`)
  if (state !== undefined) ties.add(`state ${state}`)
  return [...ties]
}
