import { documentLieOf, type Move, type Need, type Refusal } from './move.js'
import { answerMoves, answerTokenMoves, responseJwtMoves } from './moves/answers.js'
import { assertionMoves, assertionProofMoves, clientAssertionMoves } from './moves/assertions.js'
import { authorizationMoves, loginDemandMoves } from './moves/authorization.js'
import { documentMoves } from './moves/documents.js'
import { logoutMoves, logoutTokenMoves } from './moves/logout.js'
import { lieMoves, registrationMoves } from './moves/mcp.js'
import { objectMoves } from './moves/objects.js'
import { mcpTokenMoves, presentationMoves } from './moves/presentations.js'
import {
  bindingMoves,
  boundTokenMoves,
  certificateMoves,
  keyedMoves,
  tokenHashMoves,
  tokenProofMoves,
} from './moves/proofs.js'
import {
  backchannelMoves,
  codeMoves,
  grantMoves,
  refreshMoves,
  requestMoves,
} from './moves/token-requests.js'
import { codeShape, type FlowShape, type Grant } from './shape.js'
import type { Situation } from './situation.js'

/** Every named wrong move, in the order of a flow. */
export const moves: readonly Move[] = [
  ...authorizationMoves,
  ...objectMoves,
  ...answerMoves,
  ...answerTokenMoves,
  ...responseJwtMoves,
  ...loginDemandMoves,
  ...codeMoves,
  ...refreshMoves,
  ...grantMoves,
  ...backchannelMoves,
  ...assertionMoves,
  ...requestMoves,
  ...assertionProofMoves,
  ...bindingMoves,
  ...tokenProofMoves,
  ...clientAssertionMoves,
  ...presentationMoves,
  ...keyedMoves,
  ...tokenHashMoves,
  ...certificateMoves,
  ...boundTokenMoves,
  ...logoutMoves,
  ...logoutTokenMoves,
  ...lieMoves,
  ...registrationMoves,
  ...documentMoves,
  ...mcpTokenMoves,
]

/** The move of that name. */
export function findMove(name: string): Move | undefined {
  return moves.find(each => each.name === name)
}

/** The grant in whose token request a move is made; undefined where the flow has no such request. */
export function grantFor(move: Move, { grants }: FlowShape): Grant | undefined {
  if (move.at === 'assertion') return grants.find(each => each === 'assertion')
  if (move.at !== 'token_request') return undefined
  return move.grants ? grants.find(each => move.grants?.includes(each)) : grants.at(-1)
}

/** Why the answer of a flow lacks a part that a move is about; undefined where it has every part. */
function partMissing(move: Move, { brings = [] }: FlowShape): string | undefined {
  const wanted =
    move.at === 'authorization_response'
      ? move.holds
      : move.at === 'authorization_request' && move.brings !== undefined
        ? [move.brings]
        : undefined
  const missing = wanted?.find(part => !brings.includes(part))
  if (missing === undefined) return undefined
  return `no ${missing === 'access_token' ? 'access token' : missing} comes through the browser in this flow`
}

/** Why the flow of an MCP client cannot make a move; undefined where it can. */
function whyNotInMcp(move: Move): string | undefined {
  const { at, needs, wait } = move
  if (wait !== undefined) return missing.advance
  if (needs !== undefined && needs !== 'credentials') return missing[needs]
  if (at === 'assertion') return 'the assertion of this flow comes from elsewhere'
  if (at === 'userinfo_request' && move.type !== undefined)
    return 'proofs for a resource are wrong in another flow: flow resource'
  const isObject = at === 'authorization_request' && move.needsObject !== undefined
  return isObject ? 'this flow sends no request object' : undefined
}

/** Why a flow has no message for a move to change; undefined where it has one. */
export function whyNotIn(move: Move, shape: FlowShape): string | undefined {
  if (move.only === 'mcp' && !shape.mcp) return 'only an MCP client sends this message: flow mcp'
  const unfit = shape.mcp && whyNotInMcp(move)
  if (unfit) return unfit
  switch (move.at) {
    case 'authorization_request':
    case 'login':
    case 'authorization_response':
      if (shape.asks === undefined) return 'this flow has no authorization request'
      if (move.at === 'authorization_request' && move.codeOnly && shape.asks !== 'code')
        return 'this flow asks for no code'
      if (documentLieOf(move) !== undefined && shape.brings?.some(part => part !== 'code'))
        return 'the client with a document asks for a code alone'
      return partMissing(move, shape)
    case 'backchannel_authentication_request':
      return shape.grants.includes('ciba') ? undefined : 'this flow has no backchannel authentication request'
    case 'logout_request':
    case 'logout_response':
    case 'logout_token':
      return shape.logsOut ? undefined : 'this flow has no logout request'
    case 'userinfo_request':
      return move.idToken && !shape.login ? 'this flow gives no id_token' : undefined
    case 'resource_metadata_request':
    case 'discovery_request':
    case 'tools_request':
      return undefined
    case 'client_registration':
      return shape.asks === undefined ? 'the client of this grant is registered before' : undefined
    default:
      return grantFor(move, shape) === undefined ? 'this flow has no such token request' : undefined
  }
}

/** True for a move of a logout. */
function isLogout({ at }: Move): boolean {
  return at === 'logout_request' || at === 'logout_response' || at === 'logout_token'
}

/** Why a move is impossible with the keys and the browser of a client; undefined where it is possible. */
export function whyNotWith(
  move: Move,
  { ownBrowser, pushed, bound, mac, requestObject, responseJwt = false, flow }: Partial<Situation>,
): string | undefined {
  if (ownBrowser && isLogout(move)) return 'the logout of your own browser is not ours to change'
  if (ownBrowser && move.at === 'login') return 'the form that your own browser sends is not ours to change'
  if (move.at === 'authorization_request' && move.afterPush && !pushed) return 'no request is pushed: --par'
  if (documentLieOf(move) !== undefined && requestObject !== undefined)
    return 'the client with a document has no key: leave --request-object out'
  if (move.at === 'authorization_request' && move.needsObject !== undefined) {
    if (requestObject === undefined) return 'the request is no request object: --request-object signed'
    if (requestObject === 'unsigned' && move.needsObject === 'signed')
      return 'the request object is not signed'
  }
  if (move.at === 'authorization_response' && (move.jwt === true) !== responseJwt) {
    return responseJwt
      ? 'the answer is a signed JWT, and this move changes a plain one: leave --response-mode out'
      : 'the answer is no JWT: --response-mode jwt'
  }
  if (move.at !== 'userinfo_request') return undefined
  if (flow?.mcp && bound && move.ask === undefined && move.leavesOut === undefined)
    return 'the proof of a bound token names the token, so both would be wrong: leave --dpop out'
  if (move.type === 'mac' && !mac) return 'tokens are not of type mac: flow resource --token-type mac'
  if (move.type !== 'mac' && mac)
    return 'a token of type mac is a name alone: there is nothing in it to change'
  return move.type === 'dpop' && !bound ? 'tokens are bound to no key: --dpop' : undefined
}

const missing: Readonly<Record<Need, string>> = {
  other: 'no second client of this server is known',
  publicClient: 'no public client of this server is known',
  credentials: 'it is not known who logs in',
  secondUser: 'no second user of this server is known',
  responseTypes: 'it is not known what the client is registered for',
  advance: 'the clock of this server is not ours to set',
}

/** The thing that a move needs and that is missing here, as text; undefined where nothing is. */
export function missingFor({ needs, wait }: Move, situation: Situation): string | undefined {
  if (needs !== undefined && situation[needs] === undefined) return missing[needs]
  if (wait === undefined) return undefined
  const { advance, lifetimes } = situation
  // The server states these lifetimes itself.
  const isStated = wait === 'deviceCode' || wait === 'authReqId' || wait === 'requestUri'
  const lifetime = isStated ? lifetimes && 0 : lifetimes?.[wait]
  return advance === undefined || lifetime === undefined ? missing.advance : undefined
}

/** Why a move cannot be made here; undefined where it can. */
export function whyNotHere(move: Move, situation: Situation): string | undefined {
  return whyNotApplicable(move, situation) ?? missingFor(move, situation)
}

/** Why the rule of a move does not apply here, whatever options are added; undefined where it applies. */
export function whyNotApplicable(move: Move, situation: Situation): string | undefined {
  const why = whyNotIn(move, situation.flow ?? codeShape) ?? whyNotWith(move, situation)
  if (why !== undefined) return why
  if (move.at === 'logout_token' && !situation.relyingParty) {
    return 'only the issuer signs logout tokens: it takes the demo client of a lab of yours'
  }
  if (move.at === 'userinfo_request' && situation.presentAt === undefined) {
    return 'there is no userinfo endpoint to show a token at'
  }
  return move.notHere?.(situation)
}

function written({ by, status, errors: [code] }: Refusal): string {
  switch (by) {
    case 'page':
      return 'an error page, and no redirect'
    case 'question':
      return 'a question before the logout'
    case 'redirect':
      return `${code}, by redirect`
    case 'client':
      return `${code}, by the client`
    default:
      return code ?? (status ?? []).join(' or ')
  }
}

/** The refusal that a move expects, for people: `invalid_grant`, `an error page, and no redirect`. */
export function expectation({ expects }: Move): string {
  return [...new Set(expects.map(written))].join('; or ')
}
