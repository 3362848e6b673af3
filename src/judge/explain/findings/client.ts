import { readFields } from '../../../protocol/http/form.js'
import { splitUrl } from '../../../protocol/http/message.js'
import { type Finding, finding, type Judge } from '../finding.js'
import type { Message } from '../message.js'
import { askedFields, basicOf, codeRequests } from './parts.js'

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
