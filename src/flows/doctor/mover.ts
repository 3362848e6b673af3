import type { Exchange } from '../../http/exchange.js'
import type { NetworkPorts } from '../ports.js'
import type { Move } from '../tamper/move.js'
import { moves, whyNotIn } from '../tamper/moves.js'
import { proofMoves } from '../tamper/proof-moves.js'
import { codeShape } from '../tamper/shape.js'
import type { Facts } from './facts.js'
import type { Finding, Group } from './finding.js'
import { type Patient, type Place, placesOf } from './patient.js'
import { showToken } from './probe.js'
import { groupOf, type Trial, tryMove, untried } from './trial.js'

/** After so many moves in a row without any answer, the server is taken to be gone. */
const PATIENCE = 3

/** The name under which the answer is kept that the token of a replayed code gets. */
export const AFTER_REPLAY = 'after-replay'

/** What the moves start from, and where their answers go. */
export interface Session {
  readonly ports: NetworkPorts
  readonly patient: Patient
  readonly facts: Facts
  readonly answers: Map<string, Exchange>
  /** Ends the moves early. */
  readonly enough: AbortSignal
}

/** Makes the function that makes all wrong moves of a group. */
export function mover(session: Session): (group: Group) => AsyncGenerator<Finding, void, void> {
  const { ports, patient, facts, answers, enough } = session
  const { metadata } = facts.publication
  const { steps } = facts.flow
  const issued = steps.some(({ name, token }) => name === 'token_request' && token !== undefined)
  let silent = 0

  /** Why a move is not even tried. */
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

  /** Why a token is not even shown. */
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
    const trial = await tryMove(move, ports, patient, metadata, place)
    ports.signal.throwIfAborted()
    silent = trial.unreached ? silent + 1 : 0
    if (trial.exchange) answers.set(trial.finding.name, trial.exchange)
    if (move.name === 'reuse-code') await replayed(trial)
    yield trial.finding
  }

  return async function* makeMoves(group) {
    const places: readonly (Place | undefined)[] =
      group === 'resource' ? orNowhere(placesOf(patient, metadata)) : [undefined]
    for (const place of places) {
      for (const move of moves) {
        // Who changes an answer tests our own client.
        if (groupOf(move) !== group || move.at === 'authorization_response' || !isForCode(move)) continue
        // Whom a token is for is the business of resource servers.
        if (move.ask && place?.kind === 'userinfo' && places.length > 1) continue
        yield* make(move, place)
      }
    }
  }
}

/** Whether a move is for a code flow whose client has neither key nor pushed requests. */
function isForCode(move: Move): boolean {
  if (move.at === 'assertion' || (move.at === 'userinfo_request' && move.type !== undefined)) return false
  if (proofMoves.some(({ name }) => name === move.name)) return false
  if (move.at === 'authorization_request' && move.afterPush) return false
  return whyNotIn(move, codeShape) === undefined
}

/** Nowhere is a place too: each move then says why it cannot be made. */
function orNowhere(places: readonly Place[]): readonly (Place | undefined)[] {
  return places.length > 0 ? places : [undefined]
}
