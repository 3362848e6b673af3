import { finding, type Judge } from '../finding.js'
import { askedFields, issuedJwts } from './parts.js'

/** Judges `nonce`: an ID token from the browser needs one, and it comes back as it was sent. */
export const judgeNonce: Judge = conversation => {
  const fields = askedFields(conversation)
  const { asked } = conversation
  if (asked === undefined || fields === undefined) return []
  const sent = fields.get('nonce')
  if (sent === undefined) {
    if (!fields.get('response_type')?.split(' ').includes('id_token')) return []
    const text = 'the request asks for an ID token in the browser, and has no nonce'
    return [
      finding(
        'fault',
        'nonce-missing',
        'OpenID Connect Core §3.2.2.1',
        asked.message,
        text,
        'send a random nonce',
      ),
    ]
  }
  return issuedJwts(conversation).flatMap(({ kind, jwt, message }) => {
    // The ID token of a refresh needs no nonce (OpenID Connect Core §12.2).
    if (kind !== 'id_token' || message.fields.get('grant_type') === 'refresh_token') return []
    const { nonce } = jwt.claims
    if (nonce === sent) return []
    const text =
      nonce === undefined
        ? 'the ID token has no nonce, but the authorization request sent one'
        : 'the ID token has another nonce than the authorization request sent'
    const next = 'refuse the token: it belongs to another request, or a cache answered'
    return [finding('fault', 'nonce-differs', 'OpenID Connect Core §3.1.3.7', message, text, next)]
  })
}
