import { type CallbackListener, listenForCallback } from '../../client/callback-listener.js'
import type { KnownUser } from '../../client/known-login.js'
import { offerCodings } from '../../client/offer-codings.js'
import { defined } from '../../defined.js'
import { namedFailures } from '../../flows/advice/named-failures.js'
import { mcpFlow } from '../../flows/mcp/flow.js'
import { lateClient } from '../../flows/mcp/late-client.js'
import type { McpOptions } from '../../flows/mcp/options.js'
import { mcpPlan } from '../../flows/mcp/plan.js'
import { gateLayer } from '../../flows/middleware/gate.js'
import { outgoing } from '../../flows/middleware/middleware.js'
import { outcomeOf } from '../../flows/outcome.js'
import type { FlowRecord, PlannedStep } from '../../flows/step.js'
import { documentLieOf } from '../../judge/tamper/document-moves.js'
import { type McpFacts, tamperedMcpFlow, tamperedMcpPlan } from '../../judge/tamper/mcp/tampered-mcp.js'
import type { Move } from '../../judge/tamper/move.js'
import type { Send } from '../../protocol/http/exchange.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import type { McpTarget } from '../targets/mcp-target.js'
import type { WalkOptions } from './flow-session.js'
import { type OwnDocument, serveOwnDocument } from './own-document.js'
import type { People } from './people.js'
import { optionsForMove } from './tampered-mcp-run.js'

/** An MCP flow whose server and options are known. */
export interface McpSetup {
  readonly target: McpTarget
  readonly options: McpOptions
  /** The state folder. */
  readonly home: string
  readonly network: Send
  readonly people: Omit<People, 'ask' | 'say'>
}

/** An MCP flow that is ready to be walked, any number of times. */
export interface McpSession {
  readonly plan: readonly PlannedStep[]
  walk(walk: WalkOptions): AsyncGenerator<FlowRecord, void, void>
  /** The same flow with a wrong move in it. @throws UsageError where the move has no place in it */
  with(move: Move): McpSession
}

/** The user to suggest at a login form: the one who was named, else the first of the lab whose password is known. */
export function suggestedMcpUser({
  people,
  target,
}: Pick<McpSetup, 'people' | 'target'>): KnownUser | undefined {
  if (people.user) return people.user
  const first = target.users.find(({ password }) => password !== undefined)
  return first?.password === undefined ? undefined : { username: first.username, password: first.password }
}

/** Serves the document of a client that wants one and names none. */
async function documentOf(
  { grant, register, document, info, redirectUri: name }: McpOptions,
  { home }: McpSetup,
  redirectUri: string | undefined,
  move: Move | undefined,
): Promise<OwnDocument | undefined> {
  if (grant !== 'authorization_code' || register !== 'document' || document !== undefined) return undefined
  const lie = move && documentLieOf(move)
  return serveOwnDocument({ home, name: info.name, redirectUri: redirectUri ?? name, lie })
}

/** Prepares an MCP flow, or the same flow with a wrong move in it. @throws UsageError where the move has no place in it */
export function mcpSession(setup: McpSetup, move?: Move): McpSession {
  const { target, network, people } = setup
  const known: McpFacts = defined({ ownBrowser: people.inBrowser, credentials: suggestedMcpUser(setup) })
  const options = move ? optionsForMove(move, setup.options, known) : setup.options
  return {
    plan: move ? tamperedMcpPlan(options, move) : mcpPlan(options),
    with: other => mcpSession(setup, other),
    async *walk({ ask, say, signal, gate }) {
      const { now, random } = target
      // Loaded with the first step, because it loads a parser of HTML pages.
      const { peoplePorts } = await import('./people.js')
      const client = lateClient(target)
      let callback: CallbackListener | undefined
      let own: OwnDocument | undefined
      try {
        callback =
          options.grant === 'authorization_code' ? await listenForCallback(options.redirectUri) : undefined
        own = await documentOf(options, setup, callback?.redirectUri, move)
        const { agentWith, ...world } = peoplePorts(
          { ...people, ask, say: line => say(makeSafe(line)) },
          { now, random, signal },
          callback,
        )
        const layers = defined({
          client: client.layers,
          codings: offerCodings,
          gate: gate && gateLayer(gate),
        })
        const through = namedFailures(network)
        const ways = outgoing(through, layers)
        const { become } = client
        const here = {
          ...options,
          redirectUri: callback?.redirectUri ?? options.redirectUri,
          ...(own && { document: own.clientId }),
        }
        const facts = { ...known, ...(own && { documentAsked: own.asked }) }
        const records = move
          ? tamperedMcpFlow({ ...world, send: through, layers, agentWith, become }, here, move, facts)
          : mcpFlow({ ...world, send: ways.client, userAgent: agentWith(ways.browser), become }, here)
        yield* client.annotate(records)
      } catch (error) {
        yield outcomeOf(error, signal)
      } finally {
        await own?.stop()
        await callback?.close()
      }
    },
  }
}
