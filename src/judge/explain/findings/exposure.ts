import { readFields } from '../../../protocol/http/form.js'
import { splitUrl } from '../../../protocol/http/message.js'
import { type Finding, finding, type Judge } from '../finding.js'
import type { Message } from '../message.js'
import { askedFields } from './parts.js'

function judgeMessage(message: Message): Finding[] {
  const { kind, recorded, answer } = message
  const { url } = recorded.exchange.request
  if (kind === 'leak') {
    const referer = recorded.exchange.request.headers.find(([name]) => /^referer$/i.test(name))?.[1] ?? ''
    const token = /[?#&](access|id)_token=/.test(referer)
    const text = `the Referer gives ${token ? 'a token' : 'the code'} to ${splitUrl(url).origin}`
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
  if (/^(resource|userinfo)_request$/.test(kind) && readFields(splitUrl(url).query).has('access_token')) {
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
  const found = messages.flatMap(judgeMessage).filter(({ name }) => !seen.has(name) && seen.add(name))
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
