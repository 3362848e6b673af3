import type { Rule } from '../../../protocol/rules/rule.js'
import { otherIssuer } from '../../../protocol/second-reading.js'
import { tokenHash } from '../../../protocol/tokens/verify.js'
import type { Conversation } from '../conversation.js'
import { type Finding, finding, type Judge } from '../finding.js'
import { answeredJson, issuedTokens, textMember } from '../message.js'
import { askedFields, codeRequests, type IssuedJwt, issuedJwts } from './parts.js'

const CLAIMS: Rule = 'OpenID Connect Core §3.1.3.7'

function judgeNames({ jwt, message }: IssuedJwt, { clientId, documents }: Conversation): Finding[] {
  const { aud, azp, iss } = jwt.claims
  const found: Finding[] = []
  const issuer = textMember(documents.metadata, 'issuer')
  if (issuer !== undefined && !sameIssuer(issuer, iss)) {
    const difference = otherIssuer(iss, issuer)
    const text = `the ID token names the issuer ${String(iss)}, and the metadata name ${issuer}${difference === undefined ? '' : `: ${difference}`}`
    found.push(
      finding('fault', 'issuer-differs', CLAIMS, message, text, 'give both the same text, letter by letter'),
    )
  }
  const audiences = Array.isArray(aud) ? aud : [aud]
  if (clientId !== undefined && !audiences.includes(clientId)) {
    const text = `the ID token is for ${audiences.join(', ') || 'nobody'}, and not for the client ${clientId}`
    found.push(
      finding(
        'fault',
        'audience-differs',
        CLAIMS,
        message,
        text,
        'the client has to refuse it: it was issued to another client',
      ),
    )
  } else if (typeof azp === 'string' && clientId !== undefined && azp !== clientId) {
    const text = `the ID token was issued to ${azp} (azp), and not to the client ${clientId}`
    found.push(finding('fault', 'azp-differs', CLAIMS, message, text))
  }
  return found
}

/** True for the issuer of the metadata. That of Entra for all tenants has the place of the tenant in it. */
export function sameIssuer(issuer: string, named: unknown): boolean {
  // Google documents both forms of its name.
  if (issuer === 'https://accounts.google.com' && named === 'accounts.google.com') return true
  if (!issuer.includes('{tenantid}')) return named === issuer
  const [start = '', end = ''] = issuer.split('{tenantid}')
  if (typeof named !== 'string' || !named.startsWith(start) || !named.endsWith(end)) return false
  return /^[\da-f-]{36}$/i.test(named.slice(start.length, named.length - end.length))
}

function judgeHashes({ jwt, message }: IssuedJwt, conversation: Conversation): Finding[] {
  const alg = String(jwt.header.alg)
  if (alg.toLowerCase() === 'none') {
    const text = 'the ID token is not signed (alg none)'
    return [finding('fault', 'alg-none', 'RFC 8725 §3.2', message, text, 'sign it with RS256 or ES256')]
  }
  const { at_hash: atHash, c_hash: cHash } = jwt.claims
  const beside = issuedTokens([message]).find(({ kind }) => kind === 'access_token')?.value
  const code = message.answer?.fields.get('code')
  const found: Finding[] = []
  const next = 'refuse the tokens: they do not belong together'
  if (atHash !== undefined && beside !== undefined && atHash !== tokenHash(beside, alg)) {
    const text = 'at_hash in the ID token is not the hash of the access token beside it'
    found.push(finding('fault', 'at-hash-differs', 'OpenID Connect Core §3.2.2.9', message, text, next))
  }
  if (cHash !== undefined && code !== undefined && cHash !== tokenHash(code, alg)) {
    const text = 'c_hash in the ID token is not the hash of the code beside it'
    found.push(finding('fault', 'c-hash-differs', 'OpenID Connect Core §3.3.2.10', message, text, next))
  }
  const { keys } = conversation.documents
  const { kid } = jwt.header
  if (keys && typeof kid === 'string' && !alg.startsWith('HS') && !keys.some(key => key.kid === kid)) {
    const text = `the ID token is signed with the key ${kid}, which the published keys do not have`
    const fresh =
      'fetch the keys again when a kid is unknown; a server publishes a key before it signs with it'
    found.push(finding('fault', 'key-unknown', 'OpenID Connect Core §10.1', message, text, fresh))
  }
  return found
}

function judgeMissing(conversation: Conversation): Finding[] {
  if (askedFields(conversation)?.get('scope')?.split(' ').includes('openid') !== true) return []
  return codeRequests(conversation).flatMap(message => {
    const json = answeredJson(message)
    if (json?.access_token === undefined || json.id_token !== undefined) return []
    const text = 'the scope openid was asked for, and the token answer has no id_token'
    const next = 'check that the scope openid was granted to this client'
    return [finding('fault', 'id-token-missing', 'OpenID Connect Core §3.1.3.3', message, text, next)]
  })
}

function judgeSubject({ messages }: Conversation, sub: unknown): Finding[] {
  return messages.flatMap(message => {
    const json = message.kind === 'userinfo_request' ? answeredJson(message) : undefined
    if (json === undefined || (message.recorded.exchange.response?.status ?? 0) !== 200 || json.sub === sub)
      return []
    const text = json.sub === undefined ? 'userinfo has no sub' : 'userinfo has another sub than the ID token'
    return [
      finding(
        'fault',
        'sub-differs',
        'OpenID Connect Core §5.3.2',
        message,
        text,
        'use nothing of this answer',
      ),
    ]
  })
}

/** Judges ID tokens as a client has to (OpenID Connect Core §3.1.3.7), without their signatures, and userinfo by their sub. */
export const judgeIdToken: Judge = conversation => {
  const tokens = issuedJwts(conversation).filter(({ kind }) => kind === 'id_token')
  const [first] = tokens
  return [
    ...tokens.flatMap(token => [...judgeNames(token, conversation), ...judgeHashes(token, conversation)]),
    ...judgeMissing(conversation),
    ...(first ? judgeSubject(conversation, first.jwt.claims.sub) : []),
  ]
}

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
