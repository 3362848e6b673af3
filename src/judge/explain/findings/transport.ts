import { splitUrl } from '../../../protocol/http/message.js'
import { finding, type Judge } from '../finding.js'

const LOOPBACK = /^http:\/\/(127\.\d+\.\d+\.\d+|\[::1\]|localhost|[^/:]+\.localhost)(:|$)/i

/** Kinds of messages that go to an authorization server or a resource server. A callback is judged by its redirect_uri. */
const TO_SERVERS =
  /^(pushed_authorization|authorization|token|device_authorization|userinfo|introspection|revocation|resource)_request$/

/** Judges the addresses of servers: https, or this computer. */
export const judgeTransport: Judge = ({ messages }) => {
  const open = messages.find(({ kind, recorded }) => {
    const { origin } = splitUrl(recorded.exchange.request.url)
    return TO_SERVERS.test(kind) && /^http:/i.test(origin) && !LOOPBACK.test(origin)
  })
  if (open === undefined) return []
  const { origin } = splitUrl(open.recorded.exchange.request.url)
  const text = `the request to ${origin} is not encrypted`
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
