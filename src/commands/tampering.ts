import { UsageError } from '../errors.js'
import type { FlowOptions } from '../flows/options.js'
import type { FlowRecord, PlannedStep } from '../flows/step.js'
import type { Move, Situation } from '../flows/tamper/move.js'
import { findMove, moves, whyNotHere } from '../flows/tamper/moves.js'
import { tamperedPlan } from '../flows/tamper/plan.js'
import { tamperedCodeFlow } from '../flows/tamper/tampered-flow.js'
import type { TamperPorts } from '../flows/tamper/wires.js'
import { nearest } from '../lab/nearest.js'
import { companionsOf } from './client-identity.js'
import type { FlowTarget } from './flow-target.js'
import type { LabUse } from './lab-in-use.js'
import { type MovableClock, movableClock } from './movable-clock.js'

/** A wrong move that was asked for, and the clock that an embedded lab then has. */
export interface Tampering {
  readonly move: Move
  readonly clock: MovableClock
  /** The lab it needs: one whose clock is ours, where it has to wait. */
  readonly labUse: Pick<LabUse, 'now' | 'own'>
}

/** The wrong move of that name, ready to be made. @throws UsageError */
export function tamperingNamed(name: string): Tampering {
  const move = findMove(name)
  if (move) {
    const clock = movableClock()
    return { move, clock, labUse: { now: clock.now, own: move.wait !== undefined } }
  }
  const near = nearest(
    name,
    moves.map(each => each.name),
  )
  throw new UsageError(`unknown wrong move ${JSON.stringify(name)}`, [
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
    'All of them:  oauth-lab tamper list',
  ])
}

/** The code flow with a wrong move in it. */
export interface TamperedFlow {
  readonly name: string
  /** What the flow is told, as the move needs it. */
  adjust(wanted: FlowOptions): FlowOptions
  /** @throws UsageError where the move cannot be made there */
  plan(wanted: FlowOptions): PlannedStep[]
  run(ports: TamperPorts, wanted: FlowOptions): AsyncGenerator<FlowRecord, void, void>
}

/** Who is tampered with. */
export interface Victim {
  readonly target: FlowTarget
  /** Who logs in; undefined where a person is asked. */
  readonly user: { readonly username: string; readonly password: string } | undefined
}

/** Puts a wrong move into the code flow. */
export function tamperedFlow(tampering: Tampering, victim: Victim): TamperedFlow {
  const { move } = tampering
  return {
    name: move.name,
    adjust: wanted => optionsFor(move, wanted),
    plan: wanted => tamperedPlan(wanted, move, situationFor(tampering, wanted, victim)),
    run: (ports, wanted) => tamperedCodeFlow(ports, wanted, move, situationFor(tampering, wanted, victim)),
  }
}

/** Moves with tokens want an id_token too; the wrong audience is for others to refuse than the client. */
function optionsFor(move: Move, wanted: FlowOptions): FlowOptions {
  if (move.at !== 'userinfo_request') return wanted
  return { scope: 'openid', ...wanted, ...(move.ask && { foreignAccessTokens: true }) }
}

/** @throws UsageError */
function situationFor({ move, clock }: Tampering, wanted: FlowOptions, { target, user }: Victim): Situation {
  const { clientId, clientSecret, auth, redirectUri, pkce, metadata } = wanted
  const { client, lab } = target
  const { other } = lab ? companionsOf(client, lab.config.clients) : {}
  // Whom a token is for is the business of resource servers; all else can be seen at the userinfo endpoint.
  const resource = move.ask ? wanted.resource : undefined
  const presentAt = resource ?? metadata.userinfo_endpoint
  const situation: Situation = {
    client: { clientId, auth, ...(clientSecret !== undefined && { clientSecret }) },
    redirectUri,
    pkce,
    challengeMethods: metadata.code_challenge_methods_supported ?? [],
    issPromised: metadata.authorization_response_iss_parameter_supported === true,
    resourceServer: resource !== undefined,
    ...(lab && { responseTypes: client.response_types, lifetimes: lab.config.lifetimes }),
    ...(lab?.embedded && { advance: clock.advance }),
    ...(other && { other }),
    ...(presentAt !== undefined && { presentAt }),
    ...(user && { credentials: user }),
  }
  const why = wanted.push ? 'the server takes pushed requests alone' : whyNotHere(move, situation)
  if (why === undefined) return situation
  throw new UsageError(`${move.name} cannot be tried here: ${why}`, hintsFor(move))
}

function hintsFor({ name, wait }: Move): string[] {
  if (wait !== undefined) return ['Leave --server out, and the command starts a lab whose clock it can set']
  if (name === 'no-challenge') return ['Choose a public client:  --client demo-spa']
  if (name === 'unregistered-response-type') return ['Choose another client:  --client demo-native']
  return ['Which moves there are:  oauth-lab tamper list']
}
