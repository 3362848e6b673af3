import { resourceRequest } from '../../flows/steps/resource-step.js'
import { bytes, type HeaderList, type HttpRequest } from '../../protocol/http/message.js'
import { MAC_DRAFT, type MacCredentials, macAuthorization } from '../../protocol/oauth/mac.js'
import { defined } from '../../protocol/values.js'
import { altered, STRANGER, withValue } from './messages.js'
import {
  isPublic,
  type NotMade,
  type PresentationMove,
  type Refusal,
  type Situation,
  type TokenMove,
} from './move.js'
import type { Presentable } from './presentable.js'
import { foreignProof, needsBinding, proofBy, withoutProof, withProof } from './proofs.js'

const invalidClient: Refusal = { by: 'token', errors: ['invalid_client'] }
const refusedToken: Refusal = {
  by: 'resource',
  status: [401],
  errors: ['invalid_token', 'invalid_dpop_proof'],
}
const refusedMac: Refusal = { by: 'resource', status: [401], errors: [] }

function needsKey({ client }: Situation): string | undefined {
  return client.proof === 'key' ? undefined : 'the client signs no assertion: --client-key'
}

/** Wrong proofs of a client with a key. */
export const assertionProofMoves: readonly TokenMove[] = [
  {
    name: 'altered-client-assertion',
    at: 'token_request',
    does: 'changes the assertion by which the client proves who it is',
    risk: 'everybody can act as the client',
    rule: 'RFC 7523 §3.2',
    expects: [invalidClient],
    notHere: needsKey,
    change: message => ({
      ...message,
      pairs: withValue(message.pairs, 'client_assertion', altered),
    }),
  },
  {
    name: 'replayed-client-assertion',
    at: 'token_request',
    does: 'sends the same request with the same client assertion a second time',
    risk: 'anyone who finds a request in a log can act as the client',
    rule: 'RFC 7523 §3',
    expects: [{ by: 'token', errors: ['invalid_client', 'invalid_grant'] }],
    notHere: needsKey,
    again: 'same',
    change: message => message,
  },
]

/** Wrong proofs to hold the key that tokens are bound to (RFC 9449). */
export const bindingMoves: readonly TokenMove[] = [
  {
    name: 'no-proof',
    at: 'token_request',
    grants: ['code'],
    does: 'redeems a code that is bound to a key without proving to hold it',
    risk: 'a stolen code can be redeemed by somebody else',
    rule: 'RFC 9449 §10',
    expects: [{ by: 'token', errors: ['invalid_grant', 'invalid_dpop_proof', 'invalid_request'] }],
    notHere: needsBinding,
    change: message => ({ ...message, headers: withoutProof(message.headers) }),
  },
  {
    name: 'misdirected-proof',
    at: 'token_request',
    grants: ['code'],
    does: 'redeems a code with a proof that was made for another server',
    risk: 'a server that receives a proof can use it elsewhere',
    rule: 'RFC 9449 §4.3',
    expects: [{ by: 'token', errors: ['invalid_dpop_proof', 'invalid_grant'] }],
    notHere: needsBinding,
    async change({ method, headers, ...message }, { dpop, now = Date.now }) {
      const request = { method, url: `https://${STRANGER}/token` }
      const proof = await (dpop ? proofBy(dpop, request, headers, now) : foreignProof(request, headers, now))
      return { ...message, method, headers: withProof(headers, proof) }
    },
  },
  {
    name: 'refresh-with-other-key',
    at: 'token_request',
    grants: ['refresh'],
    does: 'uses a refresh token that is bound to a key with a proof by another key',
    risk: 'anyone who steals the refresh token can use it, with a key of their own',
    rule: 'RFC 9449 §5',
    expects: [{ by: 'token', errors: ['invalid_grant', 'invalid_dpop_proof'] }],
    publicOnly: true,
    notHere: situation =>
      isPublic(situation.client)
        ? needsBinding(situation)
        : 'only the refresh tokens of a public client must be bound to a key',
    async change(message, { now = Date.now }) {
      const { method, url } = message
      const proof = await foreignProof({ method, url }, message.headers, now)
      return { ...message, headers: withProof(message.headers, proof) }
    },
  },
]

/** Wrong proofs beside a token request. */
export const proofMoves: readonly TokenMove[] = [...assertionProofMoves, ...bindingMoves]

/** Makes a request with a MAC. `sign` signs the honest request, `change` makes the one that is sent. */
function withMac(
  { endpoint, mac }: Presentable,
  change: (request: HttpRequest) => HttpRequest,
  sign: (request: HttpRequest, key: MacCredentials) => string,
): HttpRequest | NotMade {
  if (!mac) return { problem: 'the token is not of type mac' }
  const bare: HttpRequest = { method: 'GET', url: endpoint, headers: [], body: new Uint8Array() }
  const sent = change(bare)
  return {
    ...sent,
    headers: [['accept', 'application/json'], ...sent.headers, ['authorization', sign(bare, mac)]],
  }
}

const as = (request: HttpRequest): HttpRequest => request

const signed =
  (nonce: string) =>
  (request: HttpRequest, key: MacCredentials): string =>
    macAuthorization(request, key, { nonce: `0:${nonce}` })

/** Tokens with a key, shown as a thief without the key could show them. */
export const keyedMoves: readonly PresentationMove[] = [
  {
    name: 'bound-token-as-bearer',
    at: 'userinfo_request',
    type: 'dpop',
    how: 'bare',
    does: 'shows a token that is bound to a key as a Bearer token, without a proof',
    risk: 'anyone who steals the token can use it',
    rule: 'RFC 9449 §7.2',
    expects: [refusedToken],
    present: ({ endpoint, tokens }) => resourceRequest(endpoint, tokens.access_token),
  },
  {
    name: 'replayed-proof',
    at: 'userinfo_request',
    type: 'dpop',
    how: 'twice',
    does: 'shows the token with a proof that was used before',
    risk: 'anyone who reads a request can send it again',
    rule: 'RFC 9449 §11.1',
    expects: [refusedToken],
    present: ({ endpoint, tokens }) => resourceRequest(endpoint, tokens.access_token),
  },
  {
    name: 'proof-of-another-key',
    at: 'userinfo_request',
    type: 'dpop',
    how: 'bare',
    does: 'shows a token that is bound to a key with a proof by another key',
    risk: 'anyone who steals the token can use it, with a key of their own',
    rule: 'RFC 9449 §7.1',
    expects: [refusedToken],
    async present({ endpoint: url, tokens: { access_token: accessToken }, now, nonce }) {
      const request = resourceRequest(url)
      const asked = defined({ method: 'GET', url, accessToken, nonce })
      const proof = await foreignProof(asked, [], now)
      const headers: HeaderList = [...request.headers, ['authorization', `DPoP ${accessToken}`]]
      return { ...request, headers: withProof(headers, proof) }
    },
  },
  {
    name: 'replayed-mac',
    at: 'userinfo_request',
    type: 'mac',
    how: 'twice',
    does: 'sends a request with a MAC a second time',
    risk: 'anyone who reads a request can send it again',
    rule: `${MAC_DRAFT} §3.1`,
    expects: [refusedMac],
    present: what => withMac(what, as, signed('replayed-mac')),
  },
  {
    name: 'altered-mac',
    at: 'userinfo_request',
    type: 'mac',
    does: 'changes the MAC of a request',
    risk: 'everybody who knows the name of a key can use it',
    rule: `${MAC_DRAFT} §4`,
    expects: [refusedMac],
    present: what =>
      withMac(what, as, (request, key) =>
        signed('altered-mac')(request, key).replace(
          /mac="([^"]*)"/,
          (_whole, mac: string) => `mac="${altered(mac)}"`,
        ),
      ),
  },
  {
    name: 'mac-of-another-path',
    at: 'userinfo_request',
    type: 'mac',
    does: 'sends the MAC of one path with a request for another',
    risk: 'anyone who reads a request can turn it into another',
    rule: `${MAC_DRAFT} §3.3.1`,
    expects: [refusedMac],
    present: what =>
      withMac(what, request => ({ ...request, url: `${request.url}?all=1` }), signed('mac-of-another-path')),
  },
  {
    name: 'mac-without-body',
    at: 'userinfo_request',
    type: 'mac',
    does: 'sends a body that the MAC does not cover',
    risk: 'anyone between the two can put in another body',
    rule: `${MAC_DRAFT} §3.2`,
    expects: [refusedMac],
    present: what =>
      withMac(
        what,
        request => ({ ...request, headers: [['content-type', 'text/plain']], body: bytes('[1]') }),
        signed('mac-without-body'),
      ),
  },
]
