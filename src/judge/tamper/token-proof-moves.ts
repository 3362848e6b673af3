import { randomBytes } from 'node:crypto'
import { resourceRequest } from '../../flows/steps/resource-step.js'
import { type DpopProofFor, makeDpopProof } from '../../protocol/tokens/dpop.js'
import { altered, without } from './messages.js'
import type { NotMade, PresentationMove, Refusal, Situation, TokenMove } from './move.js'
import { foreignProof, needsBinding, nonceIn, proofBy, withoutProof, withProof } from './proofs.js'
import type { TokenMessage } from './token-message.js'

const refusedProof: Refusal = { by: 'token', errors: ['invalid_dpop_proof'] }
const refusedNonce: Refusal = { by: 'token', errors: ['use_dpop_nonce', 'invalid_dpop_proof'] }

/** An hour, in milliseconds: longer than any server takes a proof for new. */
const HOUR = 3_600_000

const KEY_UNKNOWN: NotMade = { problem: 'the key of the client is not known here' }
const NO_NONCE: NotMade = { problem: 'the server asks for no nonce in proofs' }

/** The request with a proof of the client’s own key that is wrong in one point. */
async function proved(
  message: TokenMessage,
  { dpop, now = Date.now }: Situation,
  wrong: Partial<DpopProofFor> & { readonly age?: number },
): Promise<TokenMessage | NotMade> {
  if (dpop === undefined) return KEY_UNKNOWN
  const { age = 0, ...point } = wrong
  const { method, url, headers } = message
  const proof = await proofBy(dpop, { method, url, ...point }, headers, () => now() - age)
  return { ...message, headers: withProof(headers, proof) }
}

/** Proofs at the token endpoint that are wrong in one point (RFC 9449 §4.3). */
export const tokenProofMoves: readonly TokenMove[] = [
  {
    name: 'no-proof-for-bound-client',
    at: 'token_request',
    does: 'leaves the proof out, though the client is registered for bound tokens alone',
    risk: 'the client gets a token that everybody can use who finds it',
    rule: 'RFC 9449 §5.2',
    expects: [{ by: 'token', errors: ['invalid_dpop_proof', 'invalid_request'] }],
    notHere: situation =>
      needsBinding(situation) ??
      (situation.boundClient ? undefined : 'the client is not registered for bound tokens alone'),
    // The code itself is bound to no key then, so that only the registration speaks against the request.
    authorize: pairs => without(pairs, 'dpop_jkt'),
    change: message => ({ ...message, headers: withoutProof(message.headers) }),
  },
  {
    name: 'other-method-proof',
    at: 'token_request',
    does: 'sends a proof that was made for another method (htm)',
    risk: 'a proof of one request is good for others',
    rule: 'RFC 9449 §4.3',
    expects: [refusedProof],
    notHere: needsBinding,
    change: (message, situation) => proved(message, situation, { method: 'GET' }),
  },
  {
    name: 'stale-proof',
    at: 'token_request',
    does: 'sends a proof that was made an hour ago (iat)',
    risk: 'anyone who finds a proof in a log can use it later',
    rule: 'RFC 9449 §11.1',
    expects: [refusedProof],
    notHere: needsBinding,
    change: async (message, situation) =>
      nonceIn(message.headers) === undefined
        ? proved(message, situation, { age: HOUR })
        : { problem: 'the nonce of the server says how old a proof is, and not its iat (RFC 9449 §4.3)' },
  },
  {
    name: 'other-key-proof',
    at: 'token_request',
    grants: ['code'],
    does: 'redeems a code with a proof by another key than the authorization request named (dpop_jkt)',
    risk: 'a stolen code can be redeemed by somebody else, with a key of their own',
    rule: 'RFC 9449 §10',
    expects: [{ by: 'token', errors: ['invalid_grant', 'invalid_dpop_proof'] }],
    notHere: needsBinding,
    async change(message, { now = Date.now }) {
      const { method, url, headers } = message
      return { ...message, headers: withProof(headers, await foreignProof({ method, url }, headers, now)) }
    },
  },
  {
    name: 'no-nonce-proof',
    at: 'token_request',
    does: 'leaves the nonce of the server out of the proof',
    risk: 'proofs can be made in advance, and used when the attacker likes',
    rule: 'RFC 9449 §8',
    expects: [refusedNonce],
    notHere: needsBinding,
    async change(message, { dpop, now = Date.now }) {
      const { method, url, headers } = message
      if (dpop === undefined) return KEY_UNKNOWN
      if (nonceIn(headers) === undefined) return NO_NONCE
      const proof = await makeDpopProof(dpop, { method, url }, { now, random: randomBytes })
      return { ...message, headers: withProof(headers, proof) }
    },
  },
  {
    name: 'foreign-nonce-proof',
    at: 'token_request',
    does: 'sends a proof with a nonce that the server never gave',
    risk: 'proofs can be made in advance, and used when the attacker likes',
    rule: 'RFC 9449 §8',
    expects: [refusedNonce],
    notHere: needsBinding,
    change: async (message, situation) => {
      const nonce = nonceIn(message.headers)
      return nonce === undefined ? NO_NONCE : proved(message, situation, { nonce: altered(nonce) })
    },
  },
  {
    name: 'replayed-token-proof',
    at: 'token_request',
    // Other grants trade something that is good once, and would be refused for that.
    grants: ['client-credentials', 'password'],
    does: 'sends the same request with the same proof a second time (jti)',
    risk: 'anyone who reads a request can send it again',
    rule: 'RFC 9449 §11.1',
    expects: [refusedProof],
    notHere: situation =>
      needsBinding(situation) ??
      (situation.client.proof === 'key'
        ? 'the client assertion beside the proof is good once as well'
        : undefined),
    again: 'same',
    change: message => message,
  },
]

/** A bound token beside a proof that was made for another token. */
export const tokenHashMoves: readonly PresentationMove[] = [
  {
    name: 'proof-for-another-token',
    at: 'userinfo_request',
    type: 'dpop',
    how: 'bare',
    does: 'shows a token with a proof that was made for another token (ath)',
    risk: 'a proof that was made for one token opens the way for another that was stolen',
    rule: 'RFC 9449 §7',
    expects: [{ by: 'resource', status: [401], errors: ['invalid_dpop_proof', 'invalid_token'] }],
    async present({ endpoint: url, tokens: { access_token: token }, now, nonce, dpop }) {
      if (dpop === undefined) return KEY_UNKNOWN
      const asked = { method: 'GET', url, accessToken: altered(token), ...(nonce !== undefined && { nonce }) }
      const request = resourceRequest(url)
      const proof = await makeDpopProof(dpop, asked, { now, random: randomBytes })
      return {
        ...request,
        headers: withProof([...request.headers, ['authorization', `DPoP ${token}`]], proof),
      }
    },
  },
]
