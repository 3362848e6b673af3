import { finding, type Judge } from '../finding.js'
import { textMember } from '../message.js'
import { issuedJwts } from './parts.js'

/** Judges `iss` in authorization responses (RFC 9207), where the server announces it or sends it. */
export const judgeIssuer: Judge = conversation => {
  const { answers, documents } = conversation
  const promised = documents.metadata?.authorization_response_iss_parameter_supported === true
  const named = issuedJwts(conversation).find(({ kind }) => kind === 'id_token')?.jwt.claims.iss
  const issuer = textMember(documents.metadata, 'issuer') ?? (typeof named === 'string' ? named : undefined)
  return answers.flatMap(({ answer, message }) => {
    const { fields } = answer
    if (answer.isPartial) return []
    const iss = fields.get('iss')
    // An ID token or a JWT in the answer names the issuer as well (RFC 9207 §4).
    if (iss === undefined && (!promised || fields.has('id_token') || fields.has('response'))) return []
    if (iss === undefined) {
      const text = 'the callback came back without iss, which the server announces in its metadata'
      const next = 'a client has to refuse this answer: look for what drops the parameter'
      return [finding('fault', 'iss-missing', 'RFC 9207 §2.4', message, text, next)]
    }
    if (issuer === undefined || iss === issuer) return []
    const text = `the callback names the issuer ${iss}, but the login was at ${issuer}`
    const next = 'compare both letter by letter; another issuer is a mix-up attack or a wrong configuration'
    return [finding('fault', 'iss-differs', 'RFC 9207 §2.4', message, text, next)]
  })
}
