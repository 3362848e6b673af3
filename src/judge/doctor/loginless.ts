import { type Middleware, outgoing } from '../../flows/middleware/middleware.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { tokenRequest } from '../../protocol/oauth/token.js'
import { readTokenMessage, writeTokenMessage } from '../tamper/messages.js'
import type { Move, TokenMove } from '../tamper/move.js'
import type { Situation } from '../tamper/situation.js'
import { judge, observeToken } from '../tamper/verdict.js'
import { fault, type Judgement, NO_ANSWER, notApplicable, notTried, pass, remark } from './finding.js'
import { reached } from './publication.js'
import type { Requester } from './requester.js'

/** Moves that a server refuses whatever the code is, so that they can be made without a login. */
const CODELESS: ReadonlySet<string> = new Set([
  ...['guessed-code', 'both-credentials', 'no-credentials', 'wrong-secret', 'credentials-in-query'],
  ...['get-token-request', 'unknown-grant-type'],
])

/** True for a move that can be made with a code that nobody issued. */
export function isCodeless(move: Move): move is TokenMove {
  return move.at === 'token_request' && CODELESS.has(move.name)
}

const unchanged: Middleware = next => next

/** A token request with a code that nobody issued. */
function madeUp({ server: { client, redirectUri }, metadata }: Requester) {
  const { token_endpoint: endpoint } = metadata
  if (endpoint === undefined) return undefined
  const parameters = [
    ['code', 'oauth-lab-nobody-issued-this-code'],
    ['redirect_uri', redirectUri],
    ['code_verifier', 'oauth-lab-doctor-asks-and-redeems-nothing-00'],
  ] as const
  return readTokenMessage(tokenRequest({ endpoint, ...client, grantType: 'authorization_code', parameters }))
}

/** Makes a move with a code that nobody issued, and compares the answer with that to an honest request with such a code. */
export async function tryCodeless(
  move: TokenMove,
  requester: Requester,
  situation: Situation,
): Promise<{ readonly judgement: Judgement; readonly exchange?: Exchange }> {
  const message = madeUp(requester)
  if (!message) return { judgement: notTried('the server announces no token endpoint') }
  const { ports } = requester
  let problem: string | undefined
  // A wrong move changes the request behind the proofs of the client.
  const change: Middleware = next => async (request, options) => {
    if (move.name === 'guessed-code') return next(request, options)
    const changed = await move.change(readTokenMessage(request), situation, {})
    if (!('problem' in changed)) return next(writeTokenMessage(changed), options)
    problem = changed.problem
    return next(request, options)
  }
  const tampering = { watch: unchanged, change, browse: unchanged }
  const send = outgoing(ports.send, { ...ports.layers, tampering }).client
  const { signal } = ports
  const exchange = await reached(send(writeTokenMessage(message), { signal }), signal)
  if (problem !== undefined) return { judgement: notApplicable(problem) }
  if (!exchange?.response) return { judgement: notTried(NO_ANSWER) }
  const observed = observeToken(exchange)
  const { expected, found } = judge(move, observed, situation)
  if (observed.kind !== 'refused') return { exchange, judgement: fault(`not refused: ${found}`) }
  if (move.name !== 'guessed-code') {
    const honest = await requester.send(writeTokenMessage(message))
    const plain = honest && judge(move, observeToken(honest), situation).found
    if (plain === found) {
      const why = `unknown without a login: a made-up code alone is answered with ${found}`
      return { exchange, judgement: notTried(why) }
    }
  }
  return { exchange, judgement: expected ? pass(found) : remark(`refused otherwise: got ${found}`) }
}
