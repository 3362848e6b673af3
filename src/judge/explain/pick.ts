import { isUrl } from '../../protocol/http/address.js'
import { type Fields, fieldsOf, readFields, withoutLastParameter } from '../../protocol/http/form.js'
import { type HttpResponse, header, mediaType, splitUrl } from '../../protocol/http/message.js'
import { fragmentOf } from '../../protocol/oauth/authorization-response.js'
import { isJsonObject, type JsonObject } from '../../protocol/values.js'
import { errorByCode } from './known-errors.js'
import { type Answer, jsonOf, type Message, placeOf } from './message.js'
import { heldRequest, isAuthorization, type MessageKind, type Recorded, STATIC_FILE } from './recorded.js'

/** Members of metadata that name an endpoint, and the kind of its requests. */
const ENDPOINTS: Readonly<Record<string, MessageKind>> = {
  jwks_uri: 'keys',
  token_endpoint: 'token_request',
  userinfo_endpoint: 'userinfo_request',
  introspection_endpoint: 'introspection_request',
  revocation_endpoint: 'revocation_request',
  pushed_authorization_request_endpoint: 'pushed_authorization_request',
  device_authorization_endpoint: 'device_authorization_request',
  end_session_endpoint: 'logout_request',
}

/** Most addresses that are kept, so that a recording of a scanner cannot fill the memory. */
const MAX_ADDRESSES = 10_000

/** Parameters of a request that is sent to the token endpoint, beside or in place of grant_type. */
const PROOFS = ['code_verifier', 'client_secret', 'client_assertion']

/** A part of a multipart body (RFC 7578 §4.2). */
const PART =
  /content-disposition: *form-data; *name="?([^"\r\n;]+)"?[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\n(.*?)\r?\n--/gis

/** The members of a JSON object that are text. */
const textMembers = (object: JsonObject | undefined): Fields =>
  fieldsOf(
    Object.entries(object ?? {}).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )

const formOf = ({ exchange: { request } }: Recorded): Fields => {
  const type = mediaType(request)
  // Some servers take JSON at their token endpoint, against RFC 6749 §4.1.3; some clients send it as if it were a form.
  const json = /json|urlencoded/.test(type) ? jsonOf(request.body) : undefined
  if (type === 'application/x-www-form-urlencoded' && json === undefined) return readFields(request.body)
  if (type === 'multipart/form-data') {
    const parts = [...request.body.matchAll(PART)].map(([, name = '', value = '']) => [name, value] as const)
    // Some recorders write the parts as pairs.
    return parts.length === 0 ? readFields(request.body) : fieldsOf(parts)
  }
  return textMembers(json)
}

/** True for a request for tokens. GitHub's has no grant_type. */
const isTokenRequest = (form: Fields, path: string): boolean =>
  form.has('grant_type') ||
  (form.has('code') && form.has('client_id') && PROOFS.some(form.has) && /token|oauth|access/i.test(path))

/** The authorization response that the server reported, in part: its events do not name every parameter. */
function reportedAnswer({ report, exchange }: Recorded): Answer | undefined {
  if (report?.answer === undefined) return undefined
  const status = exchange.response?.status ?? 0
  const inFragment = report.answer.some(([name]) => name.endsWith('_token'))
  const place = status < 300 || status > 399 ? 'form' : inFragment ? 'fragment' : 'query'
  return {
    fields: fieldsOf(report.answer),
    address: placeOf(report.redirectUri ?? ''),
    place,
    isPartial: true,
  }
}

/** Picks the exchanges of OAuth, OpenID Connect and SAML out of a recording. It sees the exchanges in their order. */
export interface Picker {
  readonly pick: (recorded: Recorded) => Message | undefined
}

/** Creates a picker. It remembers the addresses that requests and metadata name, because later exchanges are known by them. */
export function createPicker(): Picker {
  const endpoints = new Map<string, MessageKind>()
  const redirects = new Set<string>()
  const bearer = createBearerLimit()
  const expected = (address: string) => redirects.has(address)

  function learnEndpoints(metadata: Readonly<Record<string, unknown>>): void {
    for (const [member, kind] of Object.entries(ENDPOINTS)) {
      const url = metadata[member]
      if (typeof url === 'string' && endpoints.size < MAX_ADDRESSES) endpoints.set(placeOf(url), kind)
    }
  }

  function learnRedirect(fields: Fields): void {
    const uri = fields.get('redirect_uri')
    if (uri !== undefined && redirects.size < MAX_ADDRESSES) redirects.add(placeOf(uri))
  }

  /** The kind of an exchange of the back channel, by its address or its content. */
  function backChannel(
    recorded: Recorded,
    query: Fields,
    form: Fields,
    path: string,
  ): MessageKind | undefined {
    const { request, response } = recorded.exchange
    const posted = request.method === 'POST'
    const named = endpoints.get(placeOf(request.url))
    if (/\/\.well-known\/(openid-configuration|oauth-(authorization-server|protected-resource))/.test(path)) {
      return 'discovery'
    }
    if (named === 'keys' || /\/(jwks|certs|keys)(\.json)?$|\/\.well-known\/jwks/i.test(path)) {
      const keys = jsonOf(response?.body)?.keys
      if (named === 'keys' || Array.isArray(keys)) return 'keys'
    }
    if (!posted && named !== 'userinfo_request' && named !== 'logout_request') return undefined
    if (posted && (named === 'introspection_request' || named === 'revocation_request')) return named
    if (posted && form.has('token')) {
      if (/introspect/i.test(path)) return 'introspection_request'
      if (/revo(ke|cation)/i.test(path)) return 'revocation_request'
    }
    const answered = jsonOf(response?.body)
    if (posted && (named === 'device_authorization_request' || answered?.device_code !== undefined)) {
      return 'device_authorization_request'
    }
    // Some programs record no bodies of requests.
    const isBare = recorded.lacks.includes('request body') && form.pairs.length === 0
    const isLikely = isBare && /\/(?:access_)?token$/i.test(path)
    const sent = form.pairs.length === 0 ? query : form
    if (posted && (named === 'token_request' || isLikely || isTokenRequest(sent, path)))
      return 'token_request'
    return named === 'userinfo_request' || named === 'logout_request' ? named : undefined
  }

  function isPushed(recorded: Recorded, form: Fields): boolean {
    const { request, response } = recorded.exchange
    if (request.method !== 'POST' || !isAuthorization(form)) return false
    if (endpoints.get(placeOf(request.url)) === 'pushed_authorization_request') return true
    return response !== undefined && isJsonObject(jsonOf(response.body))
  }

  function kindOf(recorded: Recorded, query: Fields, form: Fields): MessageKind | undefined {
    const { request } = recorded.exchange
    const { path } = splitUrl(request.url)
    if (isPushed(recorded, form)) return 'pushed_authorization_request'
    const isAsked = isAuthorization(query, path) && heldRequest(request.url) === undefined
    if (isAsked || isAuthorization(form)) return 'authorization_request'
    const back = backChannel(recorded, query, form, path)
    if (back !== undefined) return back
    if ([query, form].some(each => each.has('SAMLRequest'))) return 'saml_request'
    if ([query, form].some(each => each.has('SAMLResponse') || each.has('SAMLart'))) return 'saml_response'
    if ([query, form].some(each => each.has('post_logout_redirect_uri') || each.has('id_token_hint'))) {
      return 'logout_request'
    }
    if (/\/(?:logout|end_?session|signout)\/?$/i.test(path) && query.has('redirect_uri'))
      return 'logout_request'
    const authorization = header(request, 'authorization') ?? ''
    if (/^(bearer|dpop)\s/i.test(authorization) || query.has('access_token')) {
      return /\/user-?info$/i.test(path) ? 'userinfo_request' : 'resource_request'
    }
    return undefined
  }

  /** True for a request of another origin whose Referer carries a code or a token. */
  function isLeak({ exchange: { request } }: Recorded): boolean {
    const referer = header(request, 'referer') ?? ''
    if (splitUrl(referer).origin === splitUrl(request.url).origin) return false
    return answerInUrl(referer, expected) !== undefined
  }

  /** An exchange whose kind the server named. */
  function reported(kind: MessageKind, recorded: Recorded, fields: Fields): Message | undefined {
    const isKept =
      kind !== 'resource_request' || recorded.report?.findings.length || bearer.keep(recorded, fields)
    if (!isKept) return undefined
    const answer =
      kind === 'authorization_response'
        ? answerInUrl(recorded.exchange.request.url, () => true)
        : reportedAnswer(recorded)
    return answer ? { kind, recorded, fields, answer } : { kind, recorded, fields }
  }

  function pick(recorded: Recorded): Message | undefined {
    const { request, response } = recorded.exchange
    const { report } = recorded
    const { query: shown } = splitUrl(request.url)
    const query = readFields(recorded.lacks.includes('request query') ? withoutLastParameter(shown) : shown)
    const form = formOf(recorded)
    const fields = form.pairs.length === 0 ? query : fieldsOf([...query.pairs, ...form.pairs])
    const kind = report?.kind ?? kindOf(recorded, query, form)
    if (kind === 'authorization_request' || kind === 'pushed_authorization_request') learnRedirect(fields)
    if (kind === 'discovery') learnEndpoints(jsonOf(response?.body) ?? {})
    if (kind !== undefined && report?.kind !== undefined) return reported(kind, recorded, fields)
    const redirected = answerInLocation(request.url, response, expected)
    if (kind === undefined || kind === 'resource_request') {
      const posted = request.method === 'POST' && kind === undefined
      const answer =
        (kind === undefined ? answerInUrl(request.url, expected) : undefined) ??
        (posted ? answerInForm(request.url, form, expected) : undefined)
      if (answer) return { kind: 'authorization_response', recorded, fields, answer }
      if (redirected) return { kind: 'login', recorded, fields, answer: redirected }
      if (isLeak(recorded)) return { kind: 'leak', recorded, fields }
    }
    if (kind === undefined) return undefined
    if (kind === 'resource_request' && !bearer.keep(recorded, fields)) return undefined
    const answer =
      redirected ?? (kind === 'authorization_request' ? answerInMessage(response, query) : undefined)
    return answer ? { kind, recorded, fields, answer } : { kind, recorded, fields }
  }

  return { pick }
}

/** Parameters of which an authorization response has at least one. `response` is a JWT (JARM). */
const MARKS = ['code', 'error', 'access_token', 'id_token', 'response']

/** Parameters that make a response certain: other pages have a `code` or an `error` too. */
const CERTAIN = ['state', 'iss', 'session_state', 'id_token', 'access_token']

function isAnswer(fields: Fields, address: string, expected: boolean): boolean {
  if (fields.has('redirect_uri') || fields.has('grant_type')) return false
  if (!MARKS.some(fields.has)) return false
  return expected || (CERTAIN.some(fields.has) && isLikelyAnswer(fields, address))
}

/** Paths that callbacks have: words anywhere in them, and parts of them. */
const CALLBACK_PATH =
  /call-?back|oauth|oidc|openid|(?:^|[/._-])(?:cb|sso|log-?in|log-?out|sign-?in|signed-?in|auth|authorized?|authentication|redirect|silent[\w-]*)(?:[/._-]|$)/i

/** The private-use scheme of an application of a phone or desktop, to which no shop and no tracker sends anybody (RFC 8252 §7.1). */
const PRIVATE_USE = /^(?!https?:|file:|data:|javascript:)[a-z][\w+-]*(?:\.[\w+-]+)*:/i

/** Parameters of authorization responses, with those that Google, Microsoft, Slack and others add. A shop and a tracker send more. */
const RESPONSE =
  /^(?:code|state|iss|scope|session_state|authuser|hd|prompt|client_info|id_token|access_token|token_type|expires_in|error\w*|response|admin_consent|tenant|ext_\w+|location|accounts-server)$/

/** True unless a shop or a tracker uses the same names: codes and states of OAuth are long and random, its errors are known words, and no picture is a callback. */
export function isLikelyAnswer(fields: Fields, address: string): boolean {
  const { path } = splitUrl(address)
  if (STATIC_FILE.test(path)) return false
  const [code, state, error] = ['code', 'state', 'error'].map(name => fields.get(name))
  if (CALLBACK_PATH.test(path) || PRIVATE_USE.test(address))
    return error === undefined || code !== undefined || /^[a-z]+(?:_[a-z]+)+$/.test(error)
  if (!fields.pairs.every(([name]) => RESPONSE.test(name))) return false
  if (error !== undefined) return errorByCode(error) !== undefined || fields.has('error_description')
  if (code === undefined) return true
  const isRandom = (value: string) => value.length >= 8 && !/^(?:[a-z]+|\d+)$/i.test(value)
  return code.length >= 10 && isRandom(code) && (state === undefined || isRandom(state)) && !/\s/.test(code)
}

/**
 * Reads the authorization response in an address: in its query, or in its fragment.
 * @param expected true for an address that a request named as its redirect_uri
 */
function answerInUrl(url: string, expected: (address: string) => boolean): Answer | undefined {
  const address = placeOf(url)
  const places = [
    ['query', splitUrl(url).query],
    ['fragment', fragmentOf(url)],
  ] as const
  for (const [place, form] of places) {
    const fields = readFields(form)
    if (isAnswer(fields, address, expected(address))) return { fields, address, place }
  }
  return undefined
}

/** Reads the authorization response in a form (OAuth 2.0 Form Post Response Mode). */
function answerInForm(url: string, fields: Fields, expected: (address: string) => boolean) {
  const address = placeOf(url)
  const answer: Answer = { fields, address, place: 'form' }
  return isAnswer(fields, address, expected(address)) ? answer : undefined
}

/** Reads the authorization response that a redirect carries. */
function answerInLocation(
  from: string,
  response: Pick<HttpResponse, 'headers' | 'status'> | undefined,
  expected: (address: string) => boolean,
): Answer | undefined {
  const location = response && header(response, 'location')
  if (response === undefined || location === undefined || response.status < 300 || response.status > 399)
    return undefined
  return answerInUrl(absolute(location, from), expected)
}

/** The answer that a page hands to the window that opened it, in a script: `{ type: 'authorization_response', response: { … } }`. */
const POSTED = /["']?response["']?\s*:\s*(\{[^{}]{1,20000}\})/

/** Reads the authorization response that a page posts to a window or a frame (draft-sakimura-oauth-wmrm, `web_message`). */
function answerInMessage(response: Recorded['exchange']['response'], fields: Fields): Answer | undefined {
  if (response === undefined || response.status !== 200 || !/\bpostMessage\b/.test(response.body))
    return undefined
  const own = textMembers(jsonOf(POSTED.exec(response.body)?.[1]))
  const address = placeOf(fields.get('redirect_uri') ?? '')
  return MARKS.some(own.has) ? { fields: own, address, place: 'form' } : undefined
}

function absolute(location: string, from: string): string {
  // A parser of URLs would normalize an address that is compared letter by letter.
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return location
  return isUrl(location, from) ? new URL(location, from).href : location
}

/** Good calls that are kept for a token and a server. A page can make thousands, and each shows the same. */
const KEPT = 2

/** Refused calls that are kept for a token and a server. */
const KEPT_REFUSED = 5

/** Most tokens and servers that are counted. */
const MAX_COUNTED = 10_000

/** Decides which calls with an access token are kept. */
function createBearerLimit() {
  const counts = new Map<string, number>()
  return {
    keep({ exchange: { request, response } }: Recorded, fields: Fields): boolean {
      const refused = response === undefined || response.status >= 400
      const token = header(request, 'authorization') ?? fields.get('access_token') ?? ''
      const key = `${refused} ${fields.has('access_token')} ${splitUrl(request.url).origin} ${token.slice(-40)}`
      const count = (counts.get(key) ?? 0) + 1
      if (count === 1 && counts.size >= MAX_COUNTED) return false
      counts.set(key, count)
      return count <= (refused ? KEPT_REFUSED : KEPT)
    },
  }
}
