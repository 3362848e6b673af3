import { readFields } from '../../../protocol/http/form.js'
import { splitUrl } from '../../../protocol/http/message.js'
import type { Conversation } from '../conversation.js'
import { type Finding, finding, type Judge } from '../finding.js'
import type { FindingName } from '../finding-catalogue.js'
import { answeredJson, type Message, originOf, placeOf, statusOf, textMember } from '../message.js'
import { receivedAt } from '../recorded.js'
import { siteOfUrl } from '../site.js'
import { askedFields, basicOf, codeRequests } from './parts.js'

/** A poll may come this much early, in milliseconds: timers are not exact. */
const EARLY = 500

function judgePolls(messages: readonly Message[]): Finding[] {
  const start = messages.find(({ kind }) => kind === 'device_authorization_request')
  const polls = messages.filter(({ kind, fields }) => kind === 'token_request' && fields.has('device_code'))
  const given = start && answeredJson(start)?.interval
  // Without slow_down the server had no objection.
  if (!polls.some(poll => answeredJson(poll)?.error === 'slow_down')) return []
  let wait = (typeof given === 'number' ? given : 5) * 1000
  for (const [i, poll] of polls.entries()) {
    const before = polls[i - 1]
    if (before === undefined) continue
    if (answeredJson(before)?.error === 'slow_down') wait += 5000
    const waited = poll.recorded.sent - before.recorded.sent
    if (waited >= wait - EARLY) continue
    const text = `the device polled after ${(waited / 1000).toFixed(1)} s, and has to wait ${wait / 1000} s`
    return [
      finding(
        'weakness',
        'polls-too-fast',
        'RFC 8628 §3.5',
        poll,
        text,
        'wait interval seconds between polls, 5 more after slow_down',
      ),
    ]
  }
  return []
}

/** Judges handles that are good once: a refresh token that was replaced, a device_code that brought tokens. */
function judgeSpent(messages: readonly Message[]): Finding[] {
  const spent = new Map<string, Message>()
  return messages.flatMap(message => {
    const { fields, recorded } = message
    const sent = fields.get('refresh_token') ?? fields.get('device_code')
    if (message.kind !== 'token_request' || sent === undefined || recorded.lacks.includes('request body'))
      return []
    const before = spent.get(sent)
    const answered = answeredJson(message)
    const next = textMember(answered, 'refresh_token')
    const isSpent = fields.has('device_code')
      ? answered?.access_token !== undefined
      : next !== undefined && next !== sent
    if (isSpent) spent.set(sent, message)
    if (before === undefined) return []
    if (fields.has('device_code')) {
      const text = `the device_code was sent again, after it had brought tokens in entry ${before.recorded.entry}`
      return [
        finding(
          'fault',
          'device-code-reused',
          'RFC 8628 §3.5',
          message,
          text,
          'stop to poll when tokens came',
        ),
      ]
    }
    const text = `a refresh token was sent again that was replaced in entry ${before.recorded.entry}`
    const advice = 'keep the newest refresh token, and let one request at a time refresh'
    return [finding('fault', 'refresh-token-reused', 'RFC 9700 §4.14.2', message, text, advice)]
  })
}

const clientOf = (message: Message): string | undefined =>
  message.fields.get('client_id') ?? basicOf(message)?.clientId

/** Judges who redeems a refresh token or a device_code, and where: the client that it was issued to, at the server that issued it. */
function judgeOwner(messages: readonly Message[]): Finding[] {
  return messages.flatMap(message => {
    const name = ['refresh_token', 'device_code'].find(message.fields.has)
    if (message.kind !== 'token_request' || name === undefined) return []
    const value = message.fields.get(name)
    const issuing = messages.find(each => each !== message && textMember(answeredJson(each), name) === value)
    if (issuing === undefined) return []
    const what = name.replace('_', ' ')
    const [from, to] = [issuing, message].map(originOf)
    const found: Finding[] = []
    if (from !== to) {
      const text = `the ${what} was issued by ${from}, and sent to ${to}`
      found.push(
        finding(
          'fault',
          'code-elsewhere',
          'RFC 9700 §4.4',
          message,
          text,
          'send it to the server that issued it, and replace it: another server has it now',
        ),
      )
    }
    const [owner, sender] = [clientOf(issuing), clientOf(message)]
    if (owner !== undefined && sender !== undefined && owner !== sender) {
      const text = `the ${what} was issued to the client ${owner}, and ${sender} sends it: another client cannot use it`
      found.push(
        finding(
          'fault',
          'client-differs',
          'RFC 6749 §5.2',
          message,
          text,
          'send it with the client_id that got it',
        ),
      )
    }
    return found
  })
}

/** Judges a pushed request: its request_uri is used once, in time, by the client that pushed it (RFC 9126 §4). */
function judgePushed(messages: readonly Message[]): Finding[] {
  const pushed = messages.find(({ kind }) => kind === 'pushed_authorization_request')
  if (pushed === undefined) return []
  const uses = messages.filter(
    ({ kind, fields }) => kind === 'authorization_request' && fields.has('request_uri'),
  )
  return uses.flatMap((use, i) => {
    const fault = (name: FindingName, text: string, next: string) => [
      finding('fault', name, 'RFC 9126 §4', use, text, next),
    ]
    const [owner, sender] = [clientOf(pushed), use.fields.get('client_id')]
    if (owner !== undefined && sender !== undefined && owner !== sender) {
      return fault(
        'client-differs',
        `the client ${owner} pushed the request, and ${sender} uses its request_uri`,
        'send the client_id that pushed the request',
      )
    }
    if (statusOf(use) < 400 && !use.answer?.fields.has('error')) return []
    const first = uses.slice(0, i).find(({ answer }) => answer !== undefined)
    if (first) {
      const text = `the request_uri was used again, after it had brought an answer in entry ${first.recorded.entry}`
      return fault('request-uri-reused', text, 'push a new request for each login')
    }
    const life = Number(answeredJson(pushed)?.expires_in)
    const waited = Math.round((use.recorded.sent - receivedAt(pushed.recorded)) / 1000)
    if (!(waited > life)) return []
    return fault(
      'request-uri-late',
      `the request_uri was used after ${waited} s, and was good for ${life} s`,
      'push the request when the browser is about to be sent',
    )
  })
}

/** Names under which one company has its endpoints. */
const COMPANIES = [
  /(?:^|\.)google(?:apis)?\.com$/,
  /(?:^|\.)(?:microsoftonline|live|microsoft|windows)\.(?:com|net)$/,
]

/** The realm or tenant of an address; undefined for one that serves all of them. */
function tenantOf(url: string): string | undefined {
  const { path } = splitUrl(url)
  const [, name] =
    /^(\/.*?realms\/[^/]+)\//.exec(path) ??
    /^(\/[^/]+)\/oauth2\/(?:v2\.0\/)?(?:authorize|token)$/.exec(path) ??
    []
  return name === undefined || /^\/(?:common|organizations|consumers)$/.test(name) ? undefined : name
}

/** Judges the token endpoint that a code was sent to: that of the server that issued it. */
function judgeEndpoint(conversation: Conversation): Finding[] {
  const { asked, documents } = conversation
  const from = asked?.message.recorded.exchange.request.url
  const known = textMember(documents.metadata, 'token_endpoint')
  if (from === undefined) return []
  return codeRequests(conversation).flatMap(request => {
    const to = request.recorded.exchange.request.url
    if (statusOf(request) < 400 || (known !== undefined && placeOf(known) === placeOf(to))) return []
    const hosts = [from, to].map(each => splitUrl(each).origin.replace(/^.*:\/\/|:\d+$/g, ''))
    const isOther =
      siteOfUrl(from) !== siteOfUrl(to) && !COMPANIES.some(each => hosts.every(host => each.test(host)))
    const [one, other] = [tenantOf(from), tenantOf(to)]
    const isTenant = one !== undefined && other !== undefined && one !== other
    if (!isOther && !isTenant) return []
    const text = `the code was issued at ${placeOf(from)}, and sent to the token endpoint ${placeOf(to)}: that is another ${isOther ? 'server' : 'tenant or realm'}`
    return [
      finding(
        'fault',
        'code-elsewhere',
        'RFC 9700 §4.4',
        request,
        text,
        'take both endpoints from the metadata of one issuer',
      ),
    ]
  })
}

/** Judges what belongs to single grants: polls of a device, what is good once and for whom, the password grant. */
export const judgeGrants: Judge = conversation => {
  const { messages } = conversation
  const password = messages.find(
    ({ kind, fields }) => kind === 'token_request' && fields.get('grant_type') === 'password',
  )
  const text = 'the client asks for the password of the user (password grant)'
  return [
    ...(password
      ? [finding('weakness', 'password-grant', 'RFC 9700 §2.4', password, text, 'use the code grant')]
      : []),
    ...judgePolls(messages),
    ...judgeSpent(messages),
    ...judgeOwner(messages),
    ...judgePushed(messages),
    ...judgeEndpoint(conversation),
  ]
}

function judgeCredentials(message: Message): Finding[] {
  const { fields, recorded } = message
  const basic = basicOf(message)
  const inForm = fields.has('client_secret')
  const inUrl = readFields(splitUrl(recorded.exchange.request.url).query)
  if (inUrl.has('client_secret')) {
    const text = 'the client_secret is in the URL, which servers and browsers log'
    const next = 'send it in the Authorization header or in the body, and replace the secret: it is known now'
    return [finding('fault', 'secret-in-url', 'RFC 6749 §2.3.1', message, text, next)]
  }
  if (message.kind !== 'token_request') return []
  // A server names the mistake of a GET itself.
  const handle = ['password', 'refresh_token', 'code'].find(inUrl.has)
  if (handle !== undefined && recorded.exchange.request.method === 'POST') {
    const text = `the ${handle} is in the URL of the token request, which servers and proxies log`
    const next = 'send the parameters in the body, as a form'
    return [finding('fault', 'secret-in-url', 'RFC 6749 §3.2', message, text, next)]
  }
  if (basic?.clientId === '') {
    const text = 'the Authorization header of the token request holds an empty client_id'
    const next = 'send client_id and secret; a variable of the shell or of the configuration may be empty'
    return [finding('fault', 'client-missing', 'RFC 6749 §2.3.1', message, text, next)]
  }
  const secret = fields.get('client_secret') ?? basic?.secret ?? ''
  const changed = statusOf(message) < 400 ? undefined : /^[\s"'].|[\s"']$/.exec(secret)
  if (changed) {
    const text = 'a blank, line end or quote stands around the client_secret that was sent'
    const next = 'take it off where the secret is read: files and variables often end with a line end'
    return [finding('fault', 'secret-form', 'RFC 6749 §2.3.1', message, text, next)]
  }
  if (recorded.fromPage && (inForm || (basic !== undefined && basic.secret !== ''))) {
    const text = 'a page in the browser sent the client_secret: everybody who opens the page can read it'
    const next =
      'register a public client with PKCE for the page, or move the token request to a server; replace the secret'
    return [finding('fault', 'secret-in-page', 'RFC 6749 §10.1', message, text, next)]
  }
  if (basic === undefined || !inForm) return []
  const text = 'the client authenticates twice, in the Authorization header and in the body'
  return [finding('fault', 'two-credentials', 'RFC 6749 §2.3', message, text, 'send one of the two')]
}

/** Judges the client: one client in both requests, one way to authenticate, and no secret where others read it. */
export const judgeClient: Judge = conversation => {
  const asked = askedFields(conversation)?.get('client_id')
  const other = codeRequests(conversation).find(request => {
    const named = request.fields.get('client_id') ?? basicOf(request)?.clientId
    return asked !== undefined && named !== undefined && named !== asked
  })
  const text = 'the token request comes from another client than the authorization request'
  const next = 'send the client_id that asked for the code'
  return [
    ...(other ? [finding('fault', 'client-differs', 'RFC 6749 §4.1.3', other, text, next)] : []),
    ...conversation.messages.flatMap(judgeCredentials),
  ]
}
