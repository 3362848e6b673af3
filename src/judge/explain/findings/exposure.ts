import { isUrl } from '../../../protocol/http/address.js'
import { readFields } from '../../../protocol/http/form.js'
import { header, mediaType, splitUrl } from '../../../protocol/http/message.js'
import { formOfBody, idTokenMark, insteadOfToken } from '../../../protocol/second-reading.js'
import { type Finding, finding, type Judge } from '../finding.js'
import type { FindingName } from '../finding-catalogue.js'
import { readJwt } from '../jwt.js'
import { isCall, issuedTokens, type Message, originOf, presentedToken, statusOf } from '../message.js'
import { askedFields } from './parts.js'

/** The audience of a JWT that names other hosts than the request goes to; undefined for any other token. */
function audienceElsewhere(message: Message): string | undefined {
  const { aud } = readJwt(presentedToken(message))?.claims ?? {}
  const hosts = (Array.isArray(aud) ? aud : [aud]).map(each =>
    isUrl(String(each)) ? new URL(String(each)).hostname : '',
  )
  const { url } = message.recorded.exchange.request
  // A name that is no address says nothing about hosts.
  if (hosts.length === 0 || hosts.includes('') || !isUrl(url) || hosts.includes(new URL(url).hostname))
    return undefined
  return String(Array.isArray(aud) ? aud.join(', ') : aud)
}

/** The mark of an ID token that was sent in place of an access token, and refused; undefined for any other call. */
function sentIdToken(message: Message, idTokens: ReadonlySet<string>): string | undefined {
  const token = presentedToken(message)
  const status = statusOf(message)
  if (token === undefined || !isCall(message) || status < 400) return undefined
  const isIssued = (status === 401 || status === 403) && idTokens.has(token)
  return idTokenMark(readJwt(token)?.claims ?? {}) ?? (isIssued ? 'it was issued as one' : undefined)
}

function judgeMessage(message: Message, idTokens: ReadonlySet<string>): Finding[] {
  const { kind, recorded, answer, fields } = message
  const { url } = recorded.exchange.request
  if (kind === 'leak') {
    const referer = recorded.exchange.request.headers.find(([name]) => /^referer$/i.test(name))?.[1] ?? ''
    const token = /[?#&](access|id)_token=/.test(referer)
    const text = `the Referer gives ${token ? 'a token' : 'the code'} to ${originOf(message)}`
    const next =
      'answer the callback with Referrer-Policy: no-referrer, and load nothing of other sites on it'
    return [
      finding(
        'fault',
        token ? 'token-in-referer' : 'code-in-referer',
        token ? 'RFC 9700 §4.3.2' : 'RFC 9700 §4.2.4',
        message,
        text,
        next,
      ),
    ]
  }
  // Some audiences are names in the form of an address: only an API that refuses shows that it is another one.
  const isRefused = kind === 'resource_request' && (statusOf(message) === 401 || statusOf(message) === 403)
  const mark = sentIdToken(message, idTokens)
  if (mark !== undefined) {
    const text = `the client sent an ID token in place of the access token (${mark}): an ID token is for the client alone`
    const next = 'send the access_token of the same answer'
    return [finding('fault', 'id-token-sent', 'RFC 8725 §3.12', message, text, next)]
  }
  const elsewhere = isRefused ? audienceElsewhere(message) : undefined
  if (elsewhere !== undefined) {
    const text = `the access token is for ${elsewhere}, and ${originOf(message)} refused it`
    const next = 'send it to the API that it was issued for, and ask for a token of its own for the other'
    return [finding('fault', 'token-elsewhere', 'RFC 9700 §2.3', message, text, next)]
  }
  if (kind === 'logout_request' && fields.has('redirect_uri') && !fields.has('post_logout_redirect_uri')) {
    const text = 'the logout names redirect_uri, which the server does not read here'
    const next = 'send it as post_logout_redirect_uri, with id_token_hint or client_id'
    return [
      finding('fault', 'post-logout-name', 'OpenID Connect RP-Initiated Logout §2', message, text, next),
    ]
  }
  if (isCall(message) && readFields(splitUrl(url).query).has('access_token')) {
    const text = 'the access token is in the query of a URL, which servers and browsers log'
    return [
      finding('fault', 'token-in-url', 'RFC 9700 §4.3.2', message, text, 'send it as Authorization: Bearer'),
    ]
  }
  if (answer?.place === 'query' && (answer.fields.has('access_token') || answer.fields.has('id_token'))) {
    const text = 'the answer brings a token in the query of the callback, which servers log'
    return [
      finding('fault', 'token-in-query', 'RFC 6749 §4.2.2', message, text, 'use the code grant with PKCE'),
    ]
  }
  return []
}

/** Judges tokens and codes in places where others read them. */
export const judgeExposure: Judge = conversation => {
  const { asked, messages } = conversation
  const types = askedFields(conversation)?.get('response_type')?.split(' ') ?? []
  const seen = new Set<string>()
  const idTokens = new Set(
    issuedTokens(messages).flatMap(({ kind, value }) => (kind === 'id_token' ? value : [])),
  )
  const found = messages
    .flatMap(each => judgeMessage(each, idTokens))
    .filter(({ name }) => !seen.has(name) && seen.add(name))
  if (asked && types.includes('token')) {
    const text = `response_type ${types.join(' ')} brings the access token through the browser`
    found.push(
      finding(
        'weakness',
        'implicit-token',
        'RFC 9700 §2.1.2',
        asked.message,
        text,
        'use response_type=code with PKCE',
      ),
    )
  }
  return found
}

const LOOPBACK = /^http:\/\/(127\.\d+\.\d+\.\d+|\[::1\]|localhost|[^/:]+\.localhost)(:|$)/i

/** Kinds of messages that go to an authorization server or a resource server. A callback is judged by its redirect_uri. */
const TO_SERVERS =
  /^(pushed_authorization|authorization|token|device_authorization|userinfo|introspection|revocation|resource)_request$/

/** Judges the addresses of servers: https, or this computer. */
export const judgeTransport: Judge = ({ messages }) => {
  const open = messages.find(message => {
    const origin = originOf(message)
    return TO_SERVERS.test(message.kind) && /^http:/i.test(origin) && !LOOPBACK.test(origin)
  })
  if (open === undefined) return []
  const text = `the request to ${originOf(open)} is not encrypted`
  return [finding('fault', 'plain-http', 'RFC 6749 §10.9', open, text, 'use the https address of the server')]
}

/** Judges repeated parameters (RFC 6749 §3.1, §3.2). */
export const judgeRepeated: Judge = ({ messages }) =>
  messages.flatMap(message => {
    const { kind, fields } = message
    if (kind !== 'authorization_request' && kind !== 'token_request') return []
    // Several resources and audiences are allowed (RFC 8707 §2, RFC 8693 §2.1).
    const name = fields.repeated.find(each => each !== 'resource' && each !== 'audience')
    if (name === undefined) return []
    const rule = kind === 'token_request' ? 'RFC 6749 §3.2' : 'RFC 6749 §3.1'
    return [
      finding(
        'fault',
        'parameter-repeated',
        rule,
        message,
        `the request has ${name} more than once`,
        'send it once',
      ),
    ]
  })

const FORM = 'application/x-www-form-urlencoded'

/** Judges the form of token requests: parameters are a form, by body and by content type (RFC 6749 Appendix B). */
export const judgeForm: Judge = ({ messages }) =>
  messages.flatMap(message => {
    const { request } = message.recorded.exchange
    if (message.kind !== 'token_request') return []
    const type = mediaType(request)
    const isMultipart = type === 'multipart/form-data'
    const form = isMultipart ? type : formOfBody(request.body)
    // Some servers take other forms as well, and the answer shows it.
    const isTaken = type !== FORM && statusOf(message) > 0 && statusOf(message) < 400
    const fits = !isMultipart && (type === FORM) === (form === 'a form')
    if (form === undefined || isTaken || fits) return []
    const [name, text]: readonly [FindingName, string] = isMultipart
      ? ['multipart', 'the token request is multipart/form-data, in which servers read no parameters']
      : type === FORM
        ? [
            'json-as-form',
            `the body of the token request is ${form} under the content type of a form: the server read no parameters`,
          ]
        : [
            'form-as-json',
            `the body of the token request is a form under the content type ${type || 'of nothing'}`,
          ]
    const next = isMultipart
      ? `send the parameters as ${FORM}; with curl use -d in place of -F`
      : 'send the parameters as a form: grant_type=authorization_code&code=…'
    return [finding('fault', name, 'RFC 6749 Appendix B', message, text, next)]
  })

/** Judges the token of a call that was refused: it may be no token as it stands. */
export const judgePresented: Judge = ({ messages }) =>
  messages.flatMap(message => {
    if (!isCall(message) || statusOf(message) < 400) return []
    const [, value = ''] =
      /^(?:bearer|dpop)\s+(.*)$/is.exec(header(message.recorded.exchange.request, 'authorization') ?? '') ??
      []
    const instead = readJwt(value) ? undefined : insteadOfToken(value)
    if (instead === undefined) return []
    const text = `what was sent as a token is not one: ${instead}`
    const next = 'send the access token as it came, after Bearer and one blank'
    return [finding('fault', 'token-form', 'RFC 6750 §2.1', message, text, next)]
  })

/** Judges the headers of token answers: JSON that no cache stores (RFC 6749 §5.1). */
export const judgeCache: Judge = ({ messages }) =>
  messages.flatMap(message => {
    const response = message.recorded.exchange.response
    if (message.kind !== 'token_request' || response === undefined || response.headers.length === 0) return []
    if (message.recorded.lacks.includes('response headers')) return []
    if (issuedTokens([message]).length === 0) return []
    const found: Finding[] = []
    const control = header(response, 'cache-control') ?? ''
    if (!/\bno-store\b/i.test(control)) {
      const text = `the answer with tokens may be cached: Cache-Control is ${control === '' ? 'missing' : control}`
      found.push(
        finding(
          'weakness',
          'token-cacheable',
          'RFC 6749 §5.1',
          message,
          text,
          'answer with Cache-Control: no-store',
        ),
      )
    }
    const type = mediaType(response)
    if (type !== 'application/json') {
      const text = `the token answer comes as ${type === '' ? 'no content type' : type}`
      found.push(
        finding(
          'weakness',
          'token-content-type',
          'RFC 6749 §5.1',
          message,
          text,
          'answer as application/json',
        ),
      )
    }
    return found
  })
