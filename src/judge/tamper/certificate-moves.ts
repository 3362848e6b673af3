import { decodeIfJwt } from '../../flows/answers/verify-tokens.js'
import { resourceRequest } from '../../flows/steps/resource-step.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import { boundCertificate } from '../../protocol/tokens/confirmation.js'
import type { Move, NotMade, PresentationMove, Refusal, Situation, TokenMove } from './move.js'
import type { Presentable } from './presentable.js'

const refusedClient: Refusal = { by: 'token', errors: ['invalid_client'] }
const refusedToken: Refusal = { by: 'resource', status: [401], errors: ['invalid_token'] }

function needsAuthentication({ certificate }: Situation): string | undefined {
  return certificate === 'authenticates'
    ? undefined
    : 'the client does not authenticate by certificate: --cert'
}

function needsCertificate({ certificate }: Situation): string | undefined {
  return certificate === undefined ? 'the client shows no certificate: --cert' : undefined
}

/** Token requests without the certificate by which a client authenticates. */
export const certificateMoves: readonly TokenMove[] = [
  {
    name: 'no-certificate',
    at: 'token_request',
    does: 'sends the token request without the certificate of the client',
    risk: 'everybody can act as the client, because its client_id is no secret',
    rule: 'RFC 8705 §2',
    expects: [refusedClient],
    notHere: needsAuthentication,
    change: message => ({ ...message, identity: 'none' }),
  },
  {
    name: 'other-certificate',
    at: 'token_request',
    does: 'sends the token request with a certificate that a stranger made',
    risk: 'everybody can act as the client: anyone can make a certificate',
    rule: 'RFC 8705 §2',
    expects: [refusedClient],
    notHere: needsAuthentication,
    change: message => ({ ...message, identity: 'stranger' }),
  },
]

/** Shows a bound token over a connection without its certificate. */
function shows(
  { endpoint, tokens }: Presentable,
  identity: NonNullable<HttpRequest['identity']>,
): HttpRequest | NotMade {
  const { access_token: token } = tokens
  const decoded = decodeIfJwt(token)
  if (decoded === undefined)
    return { problem: 'the client cannot read if the token is bound to a certificate' }
  if (boundCertificate(decoded.claims.cnf) === undefined) {
    return { problem: 'the token is bound to no certificate' }
  }
  return { ...resourceRequest(endpoint, token), identity }
}

/** Bound tokens that are shown without their certificate. */
export const boundTokenMoves: readonly PresentationMove[] = [
  {
    name: 'bound-without-certificate',
    at: 'userinfo_request',
    does: 'shows a token that is bound to a certificate over a connection without one',
    risk: 'anyone who finds the token can use it',
    rule: 'RFC 8705 §3',
    expects: [refusedToken],
    notHere: needsCertificate,
    present: what => shows(what, 'none'),
  },
  {
    name: 'bound-with-other-certificate',
    at: 'userinfo_request',
    does: 'shows a token that is bound to a certificate with the certificate of a stranger',
    risk: 'anyone who finds the token can use it, with a certificate of their own',
    rule: 'RFC 8705 §3',
    expects: [refusedToken],
    notHere: needsCertificate,
    present: what => shows(what, 'stranger'),
  },
]

/** True for a move that only a client with a certificate can make. */
export function aboutCertificates(move: Move): boolean {
  return [...certificateMoves, ...boundTokenMoves].some(each => each === move)
}
