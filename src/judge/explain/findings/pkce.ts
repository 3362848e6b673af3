import type { Fields } from '../../../protocol/http/form.js'
import { verifierMatches, verifierProblem } from '../../../protocol/oauth/pkce.js'
import { isCut } from '../../../protocol/safe-output/mask.js'
import { otherChallenge } from '../../../protocol/second-reading.js'
import type { Conversation } from '../conversation.js'
import { type Finding, finding, type Judge } from '../finding.js'
import type { Message } from '../message.js'
import { askedFields, codeRequests, isAuthenticated } from './parts.js'

/** A login without PKCE. Only a client that authenticates, and binds its login by a nonce, has something in its place. */
function withoutChallenge(conversation: Conversation, fields: Fields, message: Message): Finding[] {
  const requests = codeRequests(conversation)
  const isPublic = requests.length > 0 && !requests.some(isAuthenticated)
  const verifying = requests.find(each => each.fields.has('code_verifier'))
  if (verifying) {
    const text = 'the token request has a code_verifier, but the authorization request had no code_challenge'
    const next = 'send code_challenge and code_challenge_method=S256 with the authorization request'
    return [finding('fault', 'verifier-without-challenge', 'RFC 9700 §4.8.2', verifying, text, next)]
  }
  if (!isPublic && fields.has('nonce')) return []
  const isNamed = conversation.messages.some(({ recorded }) =>
    recorded.report?.findings.some(({ name }) => name === 'verifier-without-challenge'),
  )
  if (isNamed) return []
  const who = isPublic ? 'a public client' : 'the client'
  const text = `${who} uses no PKCE: the authorization request has no code_challenge`
  const next = 'make a code_verifier for each login, and send its S256 code_challenge'
  return [finding(isPublic ? 'fault' : 'weakness', 'pkce-missing', 'RFC 9700 §2.1.1', message, text, next)]
}

function judgeVerifier(request: Message, asked: Fields): Finding[] {
  const verifier = request.fields.get('code_verifier')
  if (verifier === undefined) {
    const text = 'the token request has no code_verifier, but the authorization request had a code_challenge'
    const next = 'keep the code_verifier with the login until the callback arrives, and send it with the code'
    return [finding('fault', 'verifier-missing', 'RFC 7636 §4.5', request, text, next)]
  }
  if (isCut(verifier)) return []
  if (!verifierBelongs(request.fields, asked)) {
    const made = otherChallenge(verifier, asked.get('code_challenge') ?? '')
    const text = made
      ? `the code_challenge is made of the right code_verifier, but ${made}`
      : 'the code_verifier of the token request does not belong to the code_challenge of the authorization request'
    const next = made
      ? 'send BASE64URL(SHA256(verifier)) without padding: the 32 bytes of the digest in base64url, 43 characters'
      : 'send the verifier of the same login; the challenge is BASE64URL(SHA256(verifier)) without padding'
    return [finding('fault', 'verifier-differs', 'RFC 7636 §4.6', request, text, next)]
  }
  if (verifierProblem(verifier) === undefined) return []
  const text = 'the code_verifier does not have 43 to 128 unreserved characters'
  return [
    finding(
      'fault',
      'verifier-form',
      'RFC 7636 §4.1',
      request,
      text,
      'make it of 32 random bytes in base64url',
    ),
  ]
}

/** Judges PKCE: a challenge is sent, by S256, and the verifier belongs to it (RFC 7636). */
export const judgePkce: Judge = conversation => {
  const fields = askedFields(conversation)
  const { asked, kind } = conversation
  if (asked === undefined || fields === undefined || (kind !== 'code' && kind !== 'hybrid')) return []
  if (!fields.has('code_challenge')) return withoutChallenge(conversation, fields, asked.message)
  const requests = codeRequests(conversation)
  const wrong = requests.flatMap(request => judgeVerifier(request, fields))
  if (challengeMethod(fields) === 'S256') return wrong
  const named = fields.has('code_challenge_method') ? '' : ', because code_challenge_method is missing'
  const text = `the code_challenge is the verifier itself (plain)${named}: who reads the request can redeem the code`
  const plain = finding(
    'weakness',
    'pkce-plain',
    'RFC 7636 §4.2',
    asked.message,
    text,
    'send code_challenge_method=S256',
  )
  return [plain, ...wrong]
}

/** The method of a code_challenge; without one it is plain (RFC 7636 §4.3). */
function challengeMethod(asked: Fields): 'S256' | 'plain' {
  return asked.get('code_challenge_method') === 'S256' ? 'S256' : 'plain'
}

/** True when a token request has the code_verifier of the code_challenge that was asked with. */
export function verifierBelongs(token: Fields, asked: Fields): boolean {
  const verifier = token.get('code_verifier')
  const challenge = asked.get('code_challenge')
  if (verifier === undefined || challenge === undefined) return false
  return verifierMatches(verifier, challenge, challengeMethod(asked))
}
