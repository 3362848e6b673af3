import { mcpFlow } from '../../../flows/mcp/flow.js'
import type { McpOptions, McpPorts } from '../../../flows/mcp/options.js'
import { mcpPlan } from '../../../flows/mcp/plan.js'
import type { McpClient } from '../../../flows/mcp/register.js'
import { outgoing } from '../../../flows/middleware/middleware.js'
import { outcomeOf } from '../../../flows/outcome.js'
import type { NetworkPorts } from '../../../flows/ports.js'
import type { FlowRecord, PlannedStep, Step } from '../../../flows/step.js'
import { announcedResources, type PublishedMetadata } from '../../../protocol/oauth/metadata.js'
import { concluded, notHere, outcomeFor, unreadablePage } from '../conclusion.js'
import { NOT_ASKED, wasNotRead } from '../document-moves.js'
import { judgedStep, mayBeLast, messageOf } from '../judged-step.js'
import type { Move, Situation } from '../move.js'
import { endsUnread, observeEnd } from '../observe.js'
import { addedStep, tamperedPlan, tokenStepOf } from '../plan.js'
import { judge, observeToken } from '../verdict.js'
import { mcpShape } from './mcp-shape.js'
import { type McpTampering, tamperWithMcp } from './mcp-tampering.js'
import { observeMcp } from './observe-mcp.js'

/** The facts about a run that the flow does not learn by itself. */
export type McpFacts = Pick<Situation, 'credentials' | 'ownBrowser' | 'documentAsked'>

/** The circumstances of a move before the flow has found its authorization server. */
export function earlySituation(wanted: McpOptions, { credentials, ownBrowser }: McpFacts): Situation {
  const { url, redirectUri, dpop, key } = wanted
  return {
    ...(credentials && { credentials }),
    ...(ownBrowser && { ownBrowser }),
    flow: mcpShape(wanted),
    client: { clientId: '', auth: 'none' },
    redirectUri,
    pkce: true,
    challengeMethods: [],
    issPromised: false,
    bound: dpop !== undefined,
    ...(dpop && { dpop }),
    ...(key && { key }),
    presentAt: url,
    resourceServer: true,
  }
}

/** The circumstances of a move at an authorization server. */
function situationAt(
  metadata: PublishedMetadata,
  { clientId, clientSecret, auth }: McpClient,
  wanted: McpOptions,
  facts: McpFacts,
): Situation {
  const pushed = metadata.require_pushed_authorization_requests === true
  return {
    ...earlySituation(wanted, facts),
    client: {
      clientId,
      auth,
      ...(clientSecret !== undefined && { clientSecret }),
      ...(wanted.key && { proof: 'key' }),
    },
    issuer: metadata.issuer,
    pushed,
    pushRequired: pushed,
    challengeMethods: metadata.code_challenge_methods_supported ?? [],
    issPromised: metadata.authorization_response_iss_parameter_supported === true,
    documents: metadata.client_id_metadata_document_supported === true,
    detailTypes: metadata.authorization_details_types_supported ?? [],
    knownResources: announcedResources(metadata),
    ...(metadata.scopes_supported && { knownScopes: metadata.scopes_supported }),
  }
}

/** The steps of the MCP flow with a wrong move, before they happen. */
export function tamperedMcpPlan(wanted: McpOptions, move: Move): PlannedStep[] {
  return tamperedPlan(mcpPlan(wanted), move, earlySituation(wanted, {}))
}

/** The step with the address that was really opened. */
function asSent(step: Step, move: Move, tampering: McpTampering): Step {
  const met = tampering.met()
  if (met === undefined || step.name !== 'authorization_request' || step.url === undefined) return step
  const note = `tamper ${move.name}: ${move.does}`
  return { ...step, url: met.tampering.changedUrl(step.url), note }
}

/**
 * The MCP flow with one wrong move in it. It ends where the move is refused, or should have been.
 * @param ports `become` gets what the flow learns about its server and its client
 */
export async function* tamperedMcpFlow(
  ports: NetworkPorts & Pick<McpPorts, 'become'>,
  wanted: McpOptions,
  asked: Move,
  facts: McpFacts,
): AsyncGenerator<FlowRecord, void, void> {
  const { signal, now, random } = ports
  const tampering = tamperWithMcp(asked, wanted.url, now)
  const { client, browser } = outgoing(ports.send, { ...ports.layers, tampering: tampering.layers })
  const wrong = asked.at === 'authorization_request' ? asked.does : undefined
  const whole = mcpPlan(wanted)
  const plan = tamperedMcpPlan(wanted, asked)
  const records = mcpFlow(
    {
      send: client,
      userAgent: tampering.follow(ports.agentWith(browser, wrong)),
      now,
      random,
      signal,
      become(metadata, extras, own) {
        tampering.meet(metadata, situationAt(metadata, own, wanted, facts))
        ports.become(metadata, extras, own)
      },
    },
    wanted,
  )
  let last = 0
  let made = false
  let issued: string | undefined
  let ahead: IteratorResult<FlowRecord, void> | undefined
  const situation = (): Situation => ({
    ...(tampering.met()?.situation ?? earlySituation(wanted, facts)),
    ...(issued !== undefined && { issued }),
  })
  try {
    for (;;) {
      const { value, done } = ahead ?? (await records.next())
      ahead = undefined
      if (done) return
      const move = tampering.met()?.move ?? asked
      if (value.type === 'outcome') {
        const seen = observeEnd(value, move, made)
        if (seen) yield outcomeFor(judge(move, seen, situation()))
        else yield endsUnread(value) ? unreadablePage(value, move) : concluded(value, move, false)
        return
      }
      if (mayBeLast(value)) ahead = await records.next()
      const ended = ahead?.value?.type === 'outcome' ? ahead.value : undefined
      const of = Math.max(value.n, value.of + plan.length - whole.length)
      const step = asSent({ ...value, of }, move, tampering)
      last = step.n
      made ||= step.name === messageOf(move)
      if (step.token?.kind === 'access_token') issued = step.token.value
      const notMade = tampering.notMade()
      if (notMade !== undefined) {
        yield step
        yield notHere(move, notMade)
        return
      }
      const seen = observeMcp(step, move, tampering, ended, made)
      if (seen && wasNotRead(move, facts)) {
        yield step
        yield notHere(move, NOT_ASKED)
        return
      }
      if (seen) {
        const verdict = judge(move, seen, situation())
        yield judgedStep(step, verdict)
        yield outcomeFor(verdict)
        return
      }
      yield step
      const again = move.at === 'token_request' && move.again !== undefined
      if (again && step.token && step.name === tokenStepOf(move, situation())) {
        const exchange = await tampering.met()!.tampering.sendAgain(signal)
        if ('problem' in exchange) {
          yield notHere(move, exchange.problem)
          return
        }
        const verdict = judge(move, observeToken(exchange), situation())
        const added = addedStep(move, situation(), whole)!
        yield judgedStep({ type: 'step', n: last + 1, of: last + 1, ...added, exchange }, verdict)
        yield outcomeFor(verdict)
        return
      }
    }
  } catch (error) {
    yield concluded(outcomeOf(error, signal), asked, false)
  } finally {
    await records.return()
  }
}
