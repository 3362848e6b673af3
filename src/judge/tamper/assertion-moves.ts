import { decodeIfJwt } from '../../flows/answers/verify-tokens.js'
import type { AssertionWords } from '../../flows/requests/assertion-source.js'
import { alterToken, unsignedToken } from './forged-tokens.js'
import { altered, STRANGER, withValue } from './messages.js'
import type { AssertionMove, Refusal, TokenMove } from './move.js'
import type { TokenMessage } from './token-message.js'

const invalidGrant: Refusal = { by: 'token', errors: ['invalid_grant'] }

/** The audience of the assertion of `other-audience-assertion`. */
const ELSEWHERE = 'https://elsewhere.example/'

const HOUR = 3_600_000

function withAssertion(message: TokenMessage, change: (assertion: string) => string): TokenMessage {
  return { ...message, pairs: withValue(message.pairs, 'assertion', change) }
}

/** The XML of a SAML assertion, changed (RFC 7522 §2.1). */
function changeSaml(assertion: string, change: (xml: string) => string): string {
  return Buffer.from(change(Buffer.from(assertion, 'base64url').toString('utf8')), 'utf8').toString(
    'base64url',
  )
}

function withOtherSubject(assertion: string): string {
  if (decodeIfJwt(assertion)) return alterToken(assertion)
  return changeSaml(assertion, xml =>
    xml.replace(
      /(<(?:\w+:)?NameID[^>]*>)([^<]*)/,
      (_whole, tag: string, name: string) => tag + altered(name),
    ),
  )
}

function withoutSignature(assertion: string): string {
  const unsigned = unsignedToken(assertion)
  if (typeof unsigned === 'string') return unsigned
  return changeSaml(assertion, xml => xml.replace(/<(\w+:)?Signature\b[\s\S]*?<\/\1Signature>/, ''))
}

/** Assertions with a wrong claim, signed by their issuer. */
const wordMoves: readonly AssertionMove[] = [
  {
    name: 'expired-assertion',
    at: 'assertion',
    does: 'signs an assertion that expired an hour ago',
    risk: 'an assertion that leaks once is good for ever',
    rule: 'RFC 7521 §5.2',
    expects: [invalidGrant],
    change: words => ({ ...words, issuedAt: words.issuedAt - 2 * HOUR, expiresAt: words.issuedAt - HOUR }),
  },
  {
    name: 'other-audience-assertion',
    at: 'assertion',
    does: 'signs an assertion that is for another server',
    risk: 'another server passes on what it was shown, and acts as the person here',
    rule: 'RFC 7521 §5.2',
    expects: [invalidGrant],
    change: (words: AssertionWords) => ({ ...words, audience: ELSEWHERE, recipient: `${ELSEWHERE}token` }),
  },
  {
    name: 'unknown-issuer-assertion',
    at: 'assertion',
    does: 'signs an assertion in the name of an issuer that nobody registered',
    risk: 'everybody can say who the person is',
    rule: 'RFC 7521 §5.2',
    expects: [invalidGrant],
    change: words => ({ ...words, issuer: `https://${STRANGER}` }),
  },
]

const sentMoves: readonly TokenMove[] = [
  {
    name: 'altered-assertion',
    at: 'token_request',
    grants: ['assertion'],
    does: 'changes the subject in the assertion and keeps the signature',
    risk: 'everybody can say who the person is',
    rule: 'RFC 7521 §5.2',
    expects: [invalidGrant],
    change: message => withAssertion(message, withOtherSubject),
  },
  {
    name: 'unsigned-assertion',
    at: 'token_request',
    grants: ['assertion'],
    does: 'takes the signature off the assertion',
    risk: 'everybody can say who the person is',
    rule: 'RFC 7521 §5.2',
    expects: [invalidGrant],
    change: message => withAssertion(message, withoutSignature),
  },
  {
    name: 'replayed-assertion',
    at: 'token_request',
    grants: ['assertion'],
    does: 'sends the same assertion a second time',
    risk: 'anyone who finds an assertion in a log has a token',
    rule: 'RFC 7521 §5.2',
    expects: [invalidGrant],
    again: 'anew',
    change: message => message,
  },
]

/** Wrong assertions. */
export const assertionMoves: readonly (AssertionMove | TokenMove)[] = [...wordMoves, ...sentMoves]
