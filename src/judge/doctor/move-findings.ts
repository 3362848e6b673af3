import { type Middleware, outgoing } from '../../flows/middleware/middleware.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { tokenRequest } from '../../protocol/oauth/token.js'
import { readTokenMessage, writeTokenMessage } from '../tamper/messages.js'
import type { Move, TokenMove } from '../tamper/move.js'
import { aboutCertificates } from '../tamper/moves/proofs.js'
import { moves, whyNotApplicable } from '../tamper/moves.js'
import type { Situation } from '../tamper/situation.js'
import { judge, observeToken } from '../tamper/verdict.js'
import type { Facts } from './facts.js'
import {
  type Finding,
  fault,
  type Group,
  type Judgement,
  NO_ANSWER,
  notApplicable,
  notTried,
  pass,
  remark,
} from './finding.js'
import {
  aboutAssertions,
  groupOf,
  moveFlowOf,
  needsOwnGrant,
  needsRefreshToken,
  type Readiness,
} from './move-flow.js'
import { showToken } from './probe.js'
import { reached } from './publication.js'
import { intoOwnGrant, readinessOf } from './readiness.js'
import type { Requester } from './requester.js'
import { type Place, placesOf, situationOf } from './server-under-test.js'
import { judgedMove, type Trial, tryMove } from './trial.js'

/** Moves that a server refuses whatever the code is, so that they can be made without a login. */
const CODELESS: ReadonlySet<string> = new Set([
  ...['guessed-code', 'both-credentials', 'no-credentials', 'wrong-secret', 'credentials-in-query'],
  ...['get-token-request', 'unknown-grant-type'],
])

/** True for a move that can be made with a code that nobody issued. */
function isCodeless(move: Move): move is TokenMove {
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
async function tryCodeless(
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

/** True for a move that the client has to notice: it says nothing about a server. */
const isForClient = (move: Move) => move.at === 'authorization_request' && move.until === 'keys_request'

/** The unanswered moves in a row after which the server counts as unreachable. */
const PATIENCE = 3

/** The name of the answer to the access token of a replayed code. */
export const AFTER_REPLAY = 'after-replay'

/**
 * Makes the function that makes all wrong moves of a group.
 * @param answers receives the answers to moves, by name
 * @param enough ends the moves early
 */
export function moveFindings(
  requester: Requester,
  facts: Facts,
  answers: Map<string, Exchange>,
  enough: AbortSignal,
): (group: Group) => AsyncGenerator<Finding, void, void> {
  const { ports, server, metadata } = requester
  const { steps } = facts.flow
  // The honest authorization request was answered, and by neither a login nor a code.
  const refusedAnyway =
    steps.some(({ name }) => name === 'login_form' || name === 'authorization_response') &&
    !steps.some(
      ({ name, exchange }) =>
        name === 'login' ||
        name === 'token_request' ||
        (name === 'login_form' && (exchange?.response?.status ?? 200) < 400),
    )
  const issued = steps.some(({ name, token }) => name === 'token_request' && token !== undefined)
  let silent = 0

  /** The reason not to try a move at all. */
  function whyNot(move: Move, group: Group): string | undefined {
    // Wrong requests are refused before anybody logs in; for all others a flow must get as far without them.
    const unauthorized = move.at === 'authorization_request' && move.needs !== 'secondUser'
    const needsToken = !unauthorized && group !== 'device' && group !== 'assertion'
    if (!issued && (needsToken || ('until' in move && move.until === 'token_request')))
      return 'the flow without any wrong move gets no token'
    // A server that refuses the honest request too shows nothing about the wrong part of a wrong one.
    if (unauthorized && refusedAnyway) return 'an honest request gets no further than this one'
    if (enough.aborted) return 'the examination took too long'
    return silent >= PATIENCE ? 'the server no longer answers' : undefined
  }

  async function replayed({ steps, finding }: Trial): Promise<void> {
    const token = steps.find(({ name }) => name === 'token_request')?.token?.value
    const url = metadata.userinfo_endpoint
    if (finding.result === 'not_applicable' || token === undefined || url === undefined) return
    const exchange = await showToken(ports, url, token)
    if (exchange) answers.set(AFTER_REPLAY, exchange)
  }

  /** The reason not to show a token at all. */
  function whyNotShown(place: Place): string | undefined {
    const status = facts.taken.get(place.kind)?.response?.status
    return status === 200 ? undefined : `an honest token is not taken there (${status ?? 'no answer'})`
  }

  async function* codeless(move: TokenMove): AsyncGenerator<Finding, void, void> {
    const situation = situationOf(server, metadata, server.client, undefined)
    const why = whyNotApplicable(move, situation)
    if (why !== undefined) {
      yield judgedMove(move, notApplicable(why))
      return
    }
    const { judgement, exchange } = await tryCodeless(move, requester, situation)
    silent = exchange ? 0 : silent + 1
    if (exchange) answers.set(move.name, exchange)
    yield judgedMove(move, judgement)
  }

  async function* make(
    move: Move,
    group: Group,
    { closed, options, situation }: Readiness,
    place?: Place,
  ): AsyncGenerator<Finding, void, void> {
    if (closed) {
      yield judgedMove(move, closed, place)
      return
    }
    if (!issued && isCodeless(move) && !enough.aborted && silent < PATIENCE) {
      yield* codeless(move)
      return
    }
    const why = whyNot(move, group) ?? (place && whyNotShown(place))
    if (why !== undefined) {
      yield judgedMove(move, notTried(why), place)
      return
    }
    const moveFlow = moveFlowOf(group, ports, server, move)
    const own = {
      ...moveFlow,
      options: { ...moveFlow.options, ...options },
      situation: { ...moveFlow.situation, ...situation },
    }
    const trial = await tryMove(move, ports, server, metadata, place, own)
    ports.signal.throwIfAborted()
    silent = trial.unreached ? silent + 1 : 0
    if (trial.exchange) answers.set(trial.finding.name, trial.exchange)
    if (move.name === 'reuse-code') await replayed(trial)
    yield trial.finding
  }

  /** A report is about the client that there is: without a certificate or a key, it is silent about them. */
  const applies = (move: Move) =>
    (server.certificate !== undefined || !aboutCertificates(move)) &&
    (server.client.proof === 'key' || !aboutAssertions(move)) &&
    !isForClient(move)

  return async function* makeMoves(group) {
    const ofGroup = moves.filter(move => groupOf(move) === group && applies(move))
    if (ofGroup.length === 0) return
    const readiness = enough.aborted ? {} : await readinessOf(group, requester)
    yield* readiness.findings ?? []
    for (const place of placesFor(group)) {
      for (const move of ofGroup) {
        const at = move.at === 'userinfo_request' ? place : undefined
        // Only resource servers judge the audience of a token.
        if (move.ask && place?.kind === 'userinfo' && placesFor(group).length > 1) continue
        yield* make(move, group, await readinessFor(move, group, readiness), at)
      }
    }
  }

  /** The way into a move: a group may be open, and the server issues no refresh token for one of its moves. */
  async function readinessFor(move: Move, group: Group, readiness: Readiness): Promise<Readiness> {
    const open = readiness.closed === undefined && !enough.aborted
    if (!open || group === 'refresh') return readiness
    if (needsRefreshToken(move)) return readinessOf('refresh', requester)
    return needsOwnGrant(move) ? intoOwnGrant(requester) : readiness
  }

  /** The places where tokens are shown. A key is shown at one, the resource server where there is one. */
  function placesFor(group: Group): readonly (Place | undefined)[] {
    const all = placesOf(requester)
    if (group === 'dpop') return [all.at(-1)]
    return group === 'resource' && all.length > 0 ? all : [undefined]
  }
}
