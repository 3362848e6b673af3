import { header, mediaType } from '../../../protocol/http/message.js'
import { type Finding, finding, type Judge } from '../finding.js'
import { issuedTokens } from '../issued.js'

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
