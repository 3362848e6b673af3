import { readFields } from '../../../protocol/http/form.js'
import { splitUrl } from '../../../protocol/http/message.js'
import { type Finding, finding, type Judge } from '../finding.js'
import { answeredJson, type Message, statusOf, textMember } from '../message.js'
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

function judgeRefresh(messages: readonly Message[]): Finding[] {
  const replaced = new Map<string, Message>()
  return messages.flatMap(message => {
    const sent = message.fields.get('refresh_token')
    if (message.kind !== 'token_request' || sent === undefined) return []
    if (message.recorded.lacks.includes('request body')) return []
    const before = replaced.get(sent)
    const next = textMember(answeredJson(message), 'refresh_token')
    if (next !== undefined && next !== sent) replaced.set(sent, message)
    if (before === undefined) return []
    const text = `a refresh token was sent again that was replaced in entry ${before.recorded.entry}`
    const advice = 'keep the newest refresh token, and let one request at a time refresh'
    return [finding('fault', 'refresh-token-reused', 'RFC 9700 §4.14.2', message, text, advice)]
  })
}

/** Judges what belongs to single grants: polls of a device, refresh tokens, the password grant. */
export const judgeGrants: Judge = ({ messages }) => {
  const password = messages.find(
    ({ kind, fields }) => kind === 'token_request' && fields.get('grant_type') === 'password',
  )
  const text = 'the client asks for the password of the user (password grant)'
  return [
    ...(password
      ? [finding('weakness', 'password-grant', 'RFC 9700 §2.4', password, text, 'use the code grant')]
      : []),
    ...judgePolls(messages),
    ...judgeRefresh(messages),
  ]
}

function judgeCredentials(message: Message): Finding[] {
  const { fields, recorded } = message
  const basic = basicOf(message)
  const inForm = fields.has('client_secret')
  if (readFields(splitUrl(recorded.exchange.request.url).query).has('client_secret')) {
    const text = 'the client_secret is in the URL, which servers and browsers log'
    const next = 'send it in the Authorization header or in the body, and replace the secret: it is known now'
    return [finding('fault', 'secret-in-url', 'RFC 6749 §2.3.1', message, text, next)]
  }
  if (message.kind !== 'token_request') return []
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
