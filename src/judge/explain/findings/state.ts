import { percentEncode } from '../../../protocol/http/form.js'
import { finding, type Judge } from '../finding.js'
import { askedFields } from './parts.js'

/** Judges `state`: it comes back as it was sent (RFC 6749 §4.1.2). */
export const judgeState: Judge = conversation => {
  const { asked, answers } = conversation
  const fields = askedFields(conversation)
  if (asked === undefined || fields === undefined) return []
  const sent = fields.get('state')
  if (sent === undefined) {
    const other = fields.has('code_challenge') || fields.has('nonce')
    if (other) return []
    const text =
      'the authorization request has no state, no PKCE and no nonce: a forged answer would not be noticed'
    return [
      finding(
        'weakness',
        'state-unused',
        'RFC 9700 §2.1',
        asked.message,
        text,
        'send a random state, or use PKCE',
      ),
    ]
  }
  return answers.flatMap(({ answer, message }) => {
    if (answer.fields.has('response') || answer.isPartial) return []
    const got = answer.fields.get('state')
    if (got === sent) return []
    if (got === undefined) {
      const text = 'the callback came back without state'
      const next =
        'the server, or what stands between it and the client, drops the parameter: compare the Location that the server sent'
      return [finding('fault', 'state-missing', 'RFC 6749 §4.1.2', message, text, next)]
    }
    const twice =
      got === percentEncode(sent) || got === encodeURIComponent(sent) || sent === percentEncode(got)
    const text = `the callback came back with another state than the authorization request sent${twice ? ': it was percent-encoded twice' : ''}`
    const next = twice
      ? 'encode the value once where the address is built'
      : 'begin one login at a time in a session, and keep the state of each request apart'
    return [finding('fault', 'state-differs', 'RFC 6749 §10.12', message, text, next)]
  })
}
