import { percentEncode } from '../../../protocol/http/form.js'
import { type Finding, finding, type Judge } from '../finding.js'
import { type Message, statusOf } from '../message.js'
import { receivedAt } from '../recorded.js'
import { codeRequests } from './parts.js'

/** Longest life of a code, in milliseconds (RFC 6749 §4.1.2 recommends ten minutes at most). */
const LONGEST = 10 * 60_000

function judgeReuse(requests: readonly Message[]): Finding[] {
  const seen = new Map<string, Message>()
  return requests.flatMap(request => {
    const code = request.fields.get('code') ?? ''
    const first = seen.get(code)
    seen.set(code, request)
    if (first === undefined || statusOf(first) === 0 || statusOf(first) >= 500) return []
    const text = `the code was sent to the token endpoint twice (first in entry ${first.recorded.entry})`
    const next = 'redeem a code once: look for a page that loads twice, or a retry'
    return [finding('fault', 'code-reused', 'RFC 6749 §4.1.2', request, text, next)]
  })
}

/** Judges the code: the one that arrived, sent once, and in time. */
export const judgeCode: Judge = conversation => {
  const requests = codeRequests(conversation)
  const issued = conversation.answers.filter(({ answer }) => answer.fields.has('code'))
  const found = judgeReuse(requests)
  const [first] = issued
  if (first === undefined) return found
  for (const request of requests) {
    const sent = request.fields.get('code')
    const arrived = issued.find(({ answer }) => answer.fields.get('code') === sent)
    if (arrived === undefined) {
      const code = first.answer.fields.get('code') ?? ''
      const twice = sent === percentEncode(code) || sent === encodeURIComponent(code)
      const text = `the token request has another code than the one that arrived${twice ? ': it was percent-encoded twice' : ''}`
      found.push(
        finding(
          'fault',
          'code-differs',
          'RFC 6749 §4.1.3',
          request,
          text,
          'send the code as it was decoded from the query',
        ),
      )
      continue
    }
    const waited = request.recorded.sent - receivedAt(arrived.message.recorded)
    if (waited > LONGEST) {
      const text = `the code was redeemed ${Math.round(waited / 60_000)} minutes after it was issued`
      found.push(
        finding('weakness', 'code-late', 'RFC 6749 §4.1.2', request, text, 'redeem the code at once'),
      )
    }
  }
  return found
}
