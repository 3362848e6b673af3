import type { FlowRecord, Outcome, Step } from '../../flows/step.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { defined } from '../../protocol/values.js'
import type { Move, Need } from '../tamper/move.js'
import { expectation, missingFor, whyNotApplicable } from '../tamper/moves.js'
import { isPublic, type Situation } from '../tamper/situation.js'
import { tamperedFlow } from '../tamper/tampered-flow.js'
import { type Finding, fault, type Judgement, notApplicable, notTried, pass, remark } from './finding.js'
import { groupOf, type MoveFlow, moveFlowOf } from './move-flow.js'
import type { DoctorPorts } from './ports.js'
import { withoutPublicClients } from './profile-checks.js'
import { clientFor, flowOptions, type Place, type ServerUnderTest, situationOf } from './server-under-test.js'

/** The result of one wrong move. */
export interface Trial {
  readonly finding: Finding
  readonly steps: readonly Step[]
  /** The answer to the move. */
  readonly exchange?: Exchange
  /** True when the server did not answer at all. */
  readonly unreached: boolean
}

/** Steps and outcome of a flow that is walked to its end. */
export async function walk(
  flow: AsyncIterable<FlowRecord>,
): Promise<{ steps: Step[]; outcome: Outcome | undefined }> {
  const steps: Step[] = []
  let outcome: Outcome | undefined
  for await (const record of flow) {
    if (record.type === 'step') steps.push(record)
    else outcome = record
  }
  return { steps, outcome }
}

/** The judgement on a move, by the end of the flow that it was made in. */
export function judgement(outcome: Outcome | undefined, { optional, ask }: Move): Judgement {
  const { tamper, expected, error } = outcome ?? {}
  if (tamper?.found !== undefined) {
    if (expected) return pass(tamper.found)
    const detail = `expected ${tamper.wanted}; got ${tamper.found}`
    if (outcome?.outcome === 'refused') return remark(`refused otherwise: ${detail}`)
    if (tamper.harmless === undefined) return fault(detail)
    const harmless = `${detail}; ${tamper.harmless}`
    return optional ? notApplicable(harmless) : remark(harmless)
  }
  if (error?.error === 'not_here') return notApplicable(error.error_description)
  if (error?.error === 'unreadable_page')
    return notTried(`the page cannot be read: ${error.error_description}`)
  if (error?.error === 'invalid_target' && ask !== undefined)
    return notApplicable('the server issues no token for another resource')
  return notTried(`the flow ended before: ${error?.error_description ?? 'no outcome'}`)
}

/** The finding for a move that was judged in another way than by a flow of its own. */
export function judgedMove(move: Move, judgement: Judgement, place?: Place): Finding {
  return { ...stated(move, place), ...judgement }
}

function stated(move: Move, place: Place | undefined): Pick<Finding, 'group' | 'name' | 'title' | 'rule'> {
  const { does, rule } = move
  const group = groupOf(move) ?? 'token'
  const name = place?.kind === 'resource' && group === 'resource' ? `resource-${move.name}` : move.name
  return { group, name, title: `refused: ${does} (${expectation(move)})`, rule }
}

/** The options that name what a move needs, at a server that is no lab. */
const naming: Readonly<Partial<Record<Need, string>>> = {
  other: '--second-client-id',
  publicClient: '--second-client-id',
  secondUser: '--second-user',
  credentials: '--user',
}

/** The judgement on a move that cannot be made; undefined where it can. */
function whyNot(
  move: Move,
  situation: Situation,
  metadata: AuthorizationServerMetadata,
): Judgement | undefined {
  const confidential = withoutPublicClients(metadata)
  if (move.publicOnly && !isPublic(situation.client)) {
    return confidential ?? notTried('no public client of this server is known: --second-client-id')
  }
  if (situation.ownBrowser && move.at === 'login') return notTried('your own browser sends the login form')
  const why = whyNotApplicable(move, situation)
  if (why !== undefined) return notApplicable(why)
  const missing = missingFor(move, situation)
  if (missing === undefined) return undefined
  if (move.needs === 'publicClient' && confidential !== undefined) return confidential
  // An option names no key of a second client, without which that is refused.
  if (move.needs === 'other' && confidential !== undefined) return notTried(`${missing} whose key is here`)
  const option = move.needs && naming[move.needs]
  return notTried(option === undefined ? missing : `${missing}: ${option}`)
}

/** Makes one wrong move, in a flow of its own. */
export async function tryMove(
  move: Move,
  ports: DoctorPorts,
  server: ServerUnderTest,
  metadata: AuthorizationServerMetadata,
  place?: Place,
  moveFlow: MoveFlow = moveFlowOf(groupOf(move) ?? 'token', ports, server, move),
): Promise<Trial> {
  const client = clientFor(move, server)
  const situation = { ...situationOf(server, metadata, client, place), now: ports.now, ...moveFlow.situation }
  const why = whyNot(move, situation, metadata)
  if (why !== undefined) return { finding: { ...stated(move, place), ...why }, steps: [], unreached: false }
  const wanted = { ...flowOptions(server, metadata, client), ...moveFlow.options }
  const prepared = await moveFlow.prepare?.(wanted)
  const here = { ...situation, ...prepared?.situation }
  const layers = prepared?.layers ?? (client.clientId === server.client.clientId ? ports.layers : undefined)
  const own = defined({ ...ports, layers })
  const flow = tamperedFlow(own, prepared?.wanted ?? wanted, move, here, moveFlow.target)
  const { steps, outcome } = await walk(flow).finally(prepared?.end)
  const exchange = steps.findLast(({ checks }) => checks?.some(({ name }) => name === 'tamper'))?.exchange
  return defined({
    finding: { ...stated(move, place), ...judgement(outcome, move) },
    steps,
    unreached: outcome?.outcome === 'failed' && outcome.error?.rule === undefined,
    exchange,
  })
}
