import { randomBytes } from 'node:crypto'
import { resourceRequest } from '../../../flows/steps/resource-step.js'
import { bytes, type HeaderList, type HttpRequest, header } from '../../../protocol/http/message.js'
import { MAC_DRAFT, macAuthorization } from '../../../protocol/oauth/mac.js'
import { boundCertificate } from '../../../protocol/tokens/confirmation.js'
import { decodeIfJwt } from '../../../protocol/tokens/decode.js'
import {
  type DpopKey,
  type DpopProofFor,
  generateDpopKey,
  makeDpopProof,
} from '../../../protocol/tokens/dpop.js'
import { defined } from '../../../protocol/values.js'
import { altered, STRANGER, type TokenMessage, without, withoutHeader } from '../messages.js'
import {
  atEndpoint,
  atResource,
  type Move,
  type NotMade,
  type Presentable,
  presentationTable,
  tokenTable,
} from '../move.js'
import { isPublic, type Situation } from '../situation.js'

/** Why no proof can be wrong; undefined where tokens are bound to a key. */
function needsBinding({ bound }: Situation): string | undefined {
  return bound ? undefined : 'tokens are bound to no key: --dpop'
}

/** An hour, in milliseconds: longer than any server takes a proof for new. */
const HOUR = 3_600_000

const KEY_UNKNOWN: NotMade = { problem: 'the key of the client is not known here' }
const NO_NONCE: NotMade = { problem: 'the server asks for no nonce in proofs' }

/** The headers with another proof. */
function withProof(headers: HeaderList, proof: string): HeaderList {
  return [...withoutHeader(headers, 'dpop'), ['dpop', proof]]
}

/** The nonce of the server in the proof of a request; undefined where there is none. */
function nonceIn(headers: HeaderList): string | undefined {
  const nonce = decodeIfJwt(header({ headers }, 'dpop') ?? '')?.claims.nonce
  return typeof nonce === 'string' ? nonce : undefined
}

/** The request with a proof by a key, which holds the nonce of the honest proof unless `point` names one. */
async function proved(
  message: TokenMessage,
  key: DpopKey,
  now: () => number,
  point: Partial<DpopProofFor> = {},
): Promise<TokenMessage> {
  const { method, url, headers } = message
  const made = defined({ nonce: nonceIn(headers), method, url, ...point })
  const proof = await makeDpopProof(key, made, { now, random: randomBytes })
  return { ...message, headers: withProof(headers, proof) }
}

/** The request with a proof by a new key, which nothing is bound to. */
async function provedByStranger(message: TokenMessage, { now = Date.now }: Situation): Promise<TokenMessage> {
  return proved(message, await generateDpopKey(), now)
}

/** The request with a proof of the client’s own key that is wrong in one point. */
async function wronglyProved(
  message: TokenMessage,
  { dpop, now = Date.now }: Situation,
  { age = 0, ...point }: Partial<DpopProofFor> & { readonly age?: number },
): Promise<TokenMessage | NotMade> {
  return dpop === undefined ? KEY_UNKNOWN : proved(message, dpop, () => now() - age, point)
}

/** Wrong proofs to hold the key that tokens are bound to (RFC 9449). */
export const bindingMoves = tokenTable(
  { grants: ['code'], expects: [atEndpoint('invalid_dpop_proof', 'invalid_grant')], notHere: needsBinding },
  [
    {
      name: 'no-proof',
      does: 'redeems a code that is bound to a key without proving to hold it',
      risk: 'a stolen code can be redeemed by somebody else',
      rule: 'RFC 9449 §10',
      expects: [atEndpoint('invalid_grant', 'invalid_dpop_proof', 'invalid_request')],
      change: message => ({ ...message, headers: withoutHeader(message.headers, 'dpop') }),
    },
    {
      name: 'misdirected-proof',
      does: 'redeems a code with a proof that was made for another server',
      risk: 'a server that receives a proof can use it elsewhere',
      rule: 'RFC 9449 §4.3',
      change: async (message, { dpop, now = Date.now }) =>
        proved(message, dpop ?? (await generateDpopKey()), now, { url: `https://${STRANGER}/token` }),
    },
    {
      name: 'refresh-with-other-key',
      grants: ['refresh'],
      does: 'uses a refresh token that is bound to a key with a proof by another key',
      risk: 'anyone who steals the refresh token can use it, with a key of their own',
      rule: 'RFC 9449 §5',
      expects: [atEndpoint('invalid_grant', 'invalid_dpop_proof')],
      publicOnly: true,
      notHere: situation =>
        isPublic(situation.client)
          ? needsBinding(situation)
          : 'only the refresh tokens of a public client must be bound to a key',
      change: provedByStranger,
    },
  ],
)

const refusedNonce = [atEndpoint('use_dpop_nonce', 'invalid_dpop_proof')] as const

/** Proofs at the token endpoint that are wrong in one point (RFC 9449 §4.3). */
export const tokenProofMoves = tokenTable(
  { expects: [atEndpoint('invalid_dpop_proof')], notHere: needsBinding },
  [
    {
      name: 'no-proof-for-bound-client',
      does: 'leaves the proof out, though the client is registered for bound tokens alone',
      risk: 'the client gets a token that everybody can use who finds it',
      rule: 'RFC 9449 §5.2',
      expects: [atEndpoint('invalid_dpop_proof', 'invalid_request')],
      notHere: situation =>
        needsBinding(situation) ??
        (situation.boundClient ? undefined : 'the client is not registered for bound tokens alone'),
      // The code itself is bound to no key then, so that only the registration speaks against the request.
      authorize: pairs => without(pairs, 'dpop_jkt'),
      change: message => ({ ...message, headers: withoutHeader(message.headers, 'dpop') }),
    },
    {
      name: 'other-method-proof',
      does: 'sends a proof that was made for another method (htm)',
      risk: 'a proof of one request is good for others',
      rule: 'RFC 9449 §4.3',
      change: (message, situation) => wronglyProved(message, situation, { method: 'GET' }),
    },
    {
      name: 'stale-proof',
      does: 'sends a proof that was made an hour ago (iat)',
      risk: 'anyone who finds a proof in a log can use it later',
      rule: 'RFC 9449 §11.1',
      change: async (message, situation) =>
        nonceIn(message.headers) === undefined
          ? wronglyProved(message, situation, { age: HOUR })
          : { problem: 'the nonce of the server says how old a proof is, and not its iat (RFC 9449 §4.3)' },
    },
    {
      name: 'other-key-proof',
      grants: ['code'],
      does: 'redeems a code with a proof by another key than the authorization request named (dpop_jkt)',
      risk: 'a stolen code can be redeemed by somebody else, with a key of their own',
      rule: 'RFC 9449 §10',
      expects: [atEndpoint('invalid_grant', 'invalid_dpop_proof')],
      change: provedByStranger,
    },
    {
      name: 'no-nonce-proof',
      does: 'leaves the nonce of the server out of the proof',
      risk: 'proofs can be made in advance, and used when the attacker likes',
      rule: 'RFC 9449 §8',
      expects: refusedNonce,
      async change(message, situation) {
        if (situation.dpop === undefined) return KEY_UNKNOWN
        if (nonceIn(message.headers) === undefined) return NO_NONCE
        return wronglyProved({ ...message, headers: withoutHeader(message.headers, 'dpop') }, situation, {})
      },
    },
    {
      name: 'foreign-nonce-proof',
      does: 'sends a proof with a nonce that the server never gave',
      risk: 'proofs can be made in advance, and used when the attacker likes',
      rule: 'RFC 9449 §8',
      expects: refusedNonce,
      change: async (message, situation) => {
        const nonce = nonceIn(message.headers)
        return nonce === undefined ? NO_NONCE : wronglyProved(message, situation, { nonce: altered(nonce) })
      },
    },
    {
      name: 'replayed-token-proof',
      // Other grants trade something that is good once, and would be refused for that.
      grants: ['client-credentials', 'password'],
      does: 'sends the same request with the same proof a second time (jti)',
      risk: 'anyone who reads a request can send it again',
      rule: 'RFC 9449 §11.1',
      notHere: situation =>
        needsBinding(situation) ??
        (situation.client.proof === 'key'
          ? 'the client assertion beside the proof is good once as well'
          : undefined),
      again: 'same',
    },
  ],
)

/** A request that shows a bound token, with a proof by some key for some token. */
async function showsProved(
  { endpoint: url, tokens: { access_token: token }, now, nonce }: Presentable,
  key: DpopKey,
  accessToken = token,
): Promise<HttpRequest> {
  const { headers, ...request } = resourceRequest(url)
  const made = defined({ method: 'GET', url, accessToken, nonce })
  const proof = await makeDpopProof(key, made, { now, random: randomBytes })
  return { ...request, headers: [...headers, ['authorization', `DPoP ${token}`], ['dpop', proof]] }
}

/** Makes a request with a MAC for the honest request. `change` makes the request that is sent, `sign` the header. */
function withMac(
  { endpoint, mac }: Presentable,
  nonce: string,
  change: (request: HttpRequest) => HttpRequest = request => request,
  sign: typeof macAuthorization = macAuthorization,
): HttpRequest | NotMade {
  if (!mac) return { problem: 'the token is not of type mac' }
  const bare: HttpRequest = { method: 'GET', url: endpoint, headers: [], body: new Uint8Array() }
  const sent = change(bare)
  const authorization = sign(bare, mac, { nonce: `0:${nonce}` })
  return {
    ...sent,
    headers: [['accept', 'application/json'], ...sent.headers, ['authorization', authorization]],
  }
}

function alteredMac(...signed: Parameters<typeof macAuthorization>): string {
  const value = /mac="([^"]*)"/
  return macAuthorization(...signed).replace(value, (_whole, mac: string) => `mac="${altered(mac)}"`)
}

/** Tokens with a key, shown as a thief without the key could show them. */
export const keyedMoves = presentationTable(
  { expects: [atResource('invalid_token', 'invalid_dpop_proof')] },
  [
    {
      name: 'bound-token-as-bearer',
      type: 'dpop',
      how: 'bare',
      does: 'shows a token that is bound to a key as a Bearer token, without a proof',
      risk: 'anyone who steals the token can use it',
      rule: 'RFC 9449 §7.2',
      present: ({ endpoint, tokens }) => resourceRequest(endpoint, tokens.access_token),
    },
    {
      name: 'replayed-proof',
      type: 'dpop',
      how: 'twice',
      does: 'shows the token with a proof that was used before',
      risk: 'anyone who reads a request can send it again',
      rule: 'RFC 9449 §11.1',
      present: ({ endpoint, tokens }) => resourceRequest(endpoint, tokens.access_token),
    },
    {
      name: 'proof-of-another-key',
      type: 'dpop',
      how: 'bare',
      does: 'shows a token that is bound to a key with a proof by another key',
      risk: 'anyone who steals the token can use it, with a key of their own',
      rule: 'RFC 9449 §7.1',
      present: async what => showsProved(what, await generateDpopKey()),
    },
    {
      name: 'replayed-mac',
      type: 'mac',
      how: 'twice',
      does: 'sends a request with a MAC a second time',
      risk: 'anyone who reads a request can send it again',
      rule: `${MAC_DRAFT} §3.1`,
      expects: [atResource()],
      present: what => withMac(what, 'replayed-mac'),
    },
    {
      name: 'altered-mac',
      type: 'mac',
      does: 'changes the MAC of a request',
      risk: 'everybody who knows the name of a key can use it',
      rule: `${MAC_DRAFT} §4`,
      expects: [atResource()],
      present: what => withMac(what, 'altered-mac', undefined, alteredMac),
    },
    {
      name: 'mac-of-another-path',
      type: 'mac',
      does: 'sends the MAC of one path with a request for another',
      risk: 'anyone who reads a request can turn it into another',
      rule: `${MAC_DRAFT} §3.3.1`,
      expects: [atResource()],
      present: what =>
        withMac(what, 'mac-of-another-path', request => ({ ...request, url: `${request.url}?all=1` })),
    },
    {
      name: 'mac-without-body',
      type: 'mac',
      does: 'sends a body that the MAC does not cover',
      risk: 'anyone between the two can put in another body',
      rule: `${MAC_DRAFT} §3.2`,
      expects: [atResource()],
      present: what =>
        withMac(what, 'mac-without-body', request => ({
          ...request,
          headers: [['content-type', 'text/plain']],
          body: bytes('[1]'),
        })),
    },
  ],
)

/** A bound token beside a proof that was made for another token. */
export const tokenHashMoves = presentationTable({}, [
  {
    name: 'proof-for-another-token',
    type: 'dpop',
    how: 'bare',
    does: 'shows a token with a proof that was made for another token (ath)',
    risk: 'a proof that was made for one token opens the way for another that was stolen',
    rule: 'RFC 9449 §7',
    expects: [atResource('invalid_dpop_proof', 'invalid_token')],
    present: async what =>
      what.dpop === undefined ? KEY_UNKNOWN : showsProved(what, what.dpop, altered(what.tokens.access_token)),
  },
])

/** Token requests without the certificate by which a client authenticates. */
export const certificateMoves = tokenTable(
  {
    expects: [atEndpoint('invalid_client')],
    notHere: ({ certificate }) =>
      certificate === 'authenticates' ? undefined : 'the client does not authenticate by certificate: --cert',
  },
  [
    {
      name: 'no-certificate',
      does: 'sends the token request without the certificate of the client',
      risk: 'everybody can act as the client, because its client_id is no secret',
      rule: 'RFC 8705 §2',
      change: message => ({ ...message, identity: 'none' }),
    },
    {
      name: 'other-certificate',
      does: 'sends the token request with a certificate that a stranger made',
      risk: 'everybody can act as the client: anyone can make a certificate',
      rule: 'RFC 8705 §2',
      change: message => ({ ...message, identity: 'stranger' }),
    },
  ],
)

/** Shows a bound token over a connection without its certificate. */
function showsOver(
  { endpoint, tokens: { access_token: token } }: Presentable,
  identity: NonNullable<HttpRequest['identity']>,
): HttpRequest | NotMade {
  const decoded = decodeIfJwt(token)
  if (decoded === undefined)
    return { problem: 'the client cannot read if the token is bound to a certificate' }
  if (boundCertificate(decoded.claims.cnf) === undefined) {
    return { problem: 'the token is bound to no certificate' }
  }
  return { ...resourceRequest(endpoint, token), identity }
}

/** Bound tokens that are shown without their certificate. */
export const boundTokenMoves = presentationTable(
  {
    rule: 'RFC 8705 §3',
    expects: [atResource('invalid_token')],
    notHere: ({ certificate }: Situation) =>
      certificate === undefined ? 'the client shows no certificate: --cert' : undefined,
  },
  [
    {
      name: 'bound-without-certificate',
      does: 'shows a token that is bound to a certificate over a connection without one',
      risk: 'anyone who finds the token can use it',
      present: what => showsOver(what, 'none'),
    },
    {
      name: 'bound-with-other-certificate',
      does: 'shows a token that is bound to a certificate with the certificate of a stranger',
      risk: 'anyone who finds the token can use it, with a certificate of their own',
      present: what => showsOver(what, 'stranger'),
    },
  ],
)

/** True for a move that only a client with a certificate can make. */
export function aboutCertificates(move: Move): boolean {
  return [...certificateMoves, ...boundTokenMoves].some(each => each === move)
}
