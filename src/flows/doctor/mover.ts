import type { Exchange } from '../../http/exchange.js'
import type { NetworkPorts } from '../ports.js'
import type { Move } from '../tamper/move.js'
import { moves, whyNotIn } from '../tamper/moves.js'
import { proofMoves } from '../tamper/proof-moves.js'
import { codeShape } from '../tamper/shape.js'
import type { Facts } from './facts.js'
import type { Finding, Group } from './finding.js'
import { showToken } from './probe.js'
import { type Place, placesOf, type ServerUnderTest } from './server-under-test.js'
import { groupOf, type Trial, tryMove, untried } from './trial.js'

/** The unanswered moves in a row after which the server counts as unreachable. */
const PATIENCE = 3

/** The name of the answer that the token of a replayed code gets. */
export const AFTER_REPLAY = 'after-replay'

/** The start of all moves, and the place for their answers. */
export interface Session {
  readonly ports: NetworkPorts
  readonly server: ServerUnderTest
  readonly facts: Facts
  readonly answers: Map<string, Exchange>
  /** Ends the moves early. */
  readonly enough: AbortSignal
}

/** Makes the function that makes all wrong moves of a group. */
export function mover(session: Session): (group: Group) => AsyncGenerator<Finding, void, void> {
  const { ports, server, facts, answers, enough } = session
  const { metadata } = facts.publication
  const { steps } = facts.flow
  const issued = steps.some(({ name, token }) => name === 'token_request' && token !== undefined)
  let silent = 0

  /** The reason not to try a move at all. */
  function whyNot({ at }: Move): string | undefined {
    // Wrong requests are refused before anybody logs in; for all others a flow must get as far without them.
    if (!issued && at !== 'authorization_request') return 'the flow without any wrong move gets no token'
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

  async function* make(move: Move, place?: Place): AsyncGenerator<Finding, void, void> {
    const why = whyNot(move) ?? (place && whyNotShown(place))
    if (why !== undefined) {
      yield untried(move, why, place)
      return
    }
    const trial = await tryMove(move, ports, server, metadata, place)
    ports.signal.throwIfAborted()
    silent = trial.unreached ? silent + 1 : 0
    if (trial.exchange) answers.set(trial.finding.name, trial.exchange)
    if (move.name === 'reuse-code') await replayed(trial)
    yield trial.finding
  }

  return async function* makeMoves(group) {
    const places: readonly (Place | undefined)[] =
      group === 'resource' ? orNowhere(placesOf(server, metadata)) : [undefined]
    for (const place of places) {
      for (const move of moves) {
        // A changed answer tests our own client.
        if (groupOf(move) !== group || move.at === 'authorization_response' || !isForCode(move)) continue
        // Only resource servers judge the audience of a token.
        if (move.ask && place?.kind === 'userinfo' && places.length > 1) continue
        yield* make(move, place)
      }
    }
  }
}

/** True for a move in a code flow whose client has neither key nor pushed requests. */
function isForCode(move: Move): boolean {
  if (move.at === 'assertion' || (move.at === 'userinfo_request' && move.type !== undefined)) return false
  if (proofMoves.some(({ name }) => name === move.name)) return false
  if (move.at === 'authorization_request' && move.afterPush) return false
  return whyNotIn(move, codeShape) === undefined
}

/** The places, or one undefined place: each move then says why it cannot be made. */
function orNowhere(places: readonly Place[]): readonly (Place | undefined)[] {
  return places.length > 0 ? places : [undefined]
}
