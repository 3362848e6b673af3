import { UsageError } from '../errors.js'
import type { ClientExtras } from '../flows/client-wires.js'
import { type Flow, type FlowName, flows } from '../flows/flows.js'
import type { FlowOptions } from '../flows/options.js'
import type { AllPorts } from '../flows/ports.js'
import type { FlowRecord, PlannedStep } from '../flows/step.js'
import type { Move, Situation } from '../flows/tamper/move.js'
import { findMove, moves, whyNotHere, whyNotIn, whyNotWith } from '../flows/tamper/moves.js'
import { tamperedPlan } from '../flows/tamper/plan.js'
import { OTHER_AUDIENCE } from '../flows/tamper/presentation-moves.js'
import { shapeOf } from '../flows/tamper/shape.js'
import { type Target, tamperedFlow as tampered } from '../flows/tamper/tampered-flow.js'
import type { TamperPorts } from '../flows/tamper/wires.js'
import { nearest } from '../lab/nearest.js'
import type { LabUse } from '../targets/lab-target.js'
import { companionsOf } from './client-identity.js'
import type { FlowFlags } from './flow-flags.js'
import type { FlowTarget } from './flow-target.js'

/** A wrong move that was asked for. */
export interface Tampering {
  readonly move: Move
  /** How the move uses a lab: one that has to wait needs a lab whose clock can be set forward. */
  readonly labUse: Pick<LabUse, 'own'>
}

/** The wrong move of that name, ready to be made. @throws UsageError */
export function tamperingNamed(name: string): Tampering {
  const move = findMove(name)
  if (move) return { move, labUse: { own: move.wait !== undefined } }
  const near = nearest(
    name,
    moves.map(each => each.name),
  )
  throw new UsageError(`unknown wrong move ${JSON.stringify(name)}`, [
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
    'All of them:  oauth-lab tamper list',
  ])
}

/** A flow with a wrong move in it. */
export interface TamperedFlow {
  /** Of the move. */
  readonly name: string
  /** What the flow is told, as the move needs it. */
  adjust(wanted: FlowOptions): FlowOptions
  /** @throws UsageError where the move cannot be made there */
  plan(wanted: FlowOptions, extras: ClientExtras): PlannedStep[]
  run(
    ports: AllPorts & TamperPorts,
    wanted: FlowOptions,
    extras: ClientExtras,
  ): AsyncGenerator<FlowRecord, void, void>
}

/** Who is tampered with. */
export interface Victim {
  readonly name: FlowName
  readonly target: FlowTarget
  /** Who logs in; undefined where a person is asked. */
  readonly user: { readonly username: string; readonly password: string } | undefined
  /** Whether that is in a browser of their own. */
  readonly inBrowser: boolean
}

/**
 * Refuses a move that the flow has no place for, before any lab is started.
 * @throws UsageError
 */
export function checkTampering(
  { move }: Tampering,
  name: FlowName,
  {
    token,
    browser,
    dpop,
    par,
    tokenType,
    issuer,
  }: Pick<FlowFlags, 'token' | 'browser' | 'dpop' | 'par' | 'tokenType' | 'issuer'>,
): void {
  const shape = shapeOf(name, token === undefined ? {} : { accessToken: token })
  const flags = {
    ownBrowser: browser,
    pushed: par === true || issuer !== undefined,
    bound: dpop === true,
    mac: tokenType === 'mac',
  }
  const why = whyNotIn(move, shape) ?? whyNotWith(move, flags)
  if (why !== undefined) throw cannot(move, why)
}

/** Puts a wrong move into a flow. */
export function tamperedFlow(tampering: Tampering, victim: Victim): TamperedFlow {
  const { move } = tampering
  const flow: Flow = flows[victim.name]
  return {
    name: move.name,
    adjust: wanted => optionsFor(move, wanted, victim.name),
    plan: (wanted, extras) =>
      tamperedPlan(flow.plan(wanted), move, situationFor(tampering, wanted, extras, victim)),
    run: (ports, wanted, extras) => {
      const target: Target = {
        plan: flow.plan,
        run: (tampered, options) => flow.run({ ...ports, ...tampered }, options),
      }
      return tampered(ports, wanted, move, situationFor(tampering, wanted, extras, victim), target)
    },
  }
}

/** Whether a move shows its token to the resource server: whom a token is for, and how it is keyed, is its business. */
function isForResource(move: Move, name: FlowName): boolean {
  return (
    name !== 'code' || move.ask !== undefined || (move.at === 'userinfo_request' && move.type !== undefined)
  )
}

/** Moves with tokens want an id_token too; the wrong audience is for others to refuse than the client. */
function optionsFor(move: Move, wanted: FlowOptions, name: FlowName): FlowOptions {
  if (move.at !== 'userinfo_request') return wanted
  const { exchangeFor } = wanted
  return {
    ...(shapeOf(name, wanted).login && wanted.tokenType === undefined && { scope: 'openid' }),
    ...wanted,
    ...(move.ask && { foreignAccessTokens: true }),
    ...(move.ask && exchangeFor !== undefined && { exchangeFor: OTHER_AUDIENCE }),
  }
}

/** @throws UsageError */
function situationFor(
  { move }: Tampering,
  wanted: FlowOptions,
  extras: ClientExtras,
  { name, target, user, inBrowser }: Victim,
): Situation {
  const { clientId, clientSecret, auth, redirectUri, pkce, metadata, push = false } = wanted
  const { client, lab } = target
  const flow = shapeOf(name, wanted)
  const { other, publicClient } = lab ? companionsOf(client, lab.config.clients, flow.grants.at(-1)) : {}
  const resource = isForResource(move, name) ? wanted.resource : undefined
  // Whom a token is for is the business of resource servers; all else can be seen at the userinfo endpoint.
  const presentAt = resource ?? metadata.userinfo_endpoint
  const { scopes_supported: knownScopes } = metadata
  const situation: Situation = {
    flow,
    client: { clientId, auth, ...(clientSecret !== undefined && { clientSecret }) },
    signs: extras.key !== undefined,
    bound: extras.dpop !== undefined,
    pushed: push,
    ownBrowser: inBrowser,
    mac: wanted.tokenType === 'mac',
    redirectUri,
    pkce,
    challengeMethods: metadata.code_challenge_methods_supported ?? [],
    issPromised: metadata.authorization_response_iss_parameter_supported === true,
    resourceServer: resource !== undefined,
    ...(knownScopes && { knownScopes }),
    ...(lab && { responseTypes: client.response_types, lifetimes: lab.config.lifetimes }),
    ...(lab?.embedded && { advance: lab.embedded.clock.advance }),
    ...(other && { other }),
    ...(publicClient && { publicClient }),
    ...(presentAt !== undefined && { presentAt }),
    ...(user && { credentials: user }),
  }
  const why = whyNotHere(move, situation)
  if (why === undefined) return situation
  throw cannot(move, why)
}

function cannot(move: Move, why: string): UsageError {
  return new UsageError(`${move.name} cannot be tried here: ${why}`, hintsFor(move))
}

function hintsFor({ name, wait }: Move): string[] {
  if (wait !== undefined) return ['Leave --server out, and the command starts a lab whose clock it can set']
  if (name === 'no-challenge') return ['Choose a public client:  --client demo-spa']
  if (name === 'unregistered-response-type') return ['Choose another client:  --client demo-native']
  return ['Which moves there are, and for which flows:  oauth-lab tamper list']
}
