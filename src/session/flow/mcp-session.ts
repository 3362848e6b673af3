import { type CallbackListener, listenForCallback } from '../../client/callback-listener.js'
import { offerCodings } from '../../client/offer-codings.js'
import { namedFailures } from '../../flows/advice/named-failures.js'
import { mcpFlow } from '../../flows/mcp/flow.js'
import { lateClient } from '../../flows/mcp/late-client.js'
import type { McpOptions, McpPorts } from '../../flows/mcp/options.js'
import { mcpPlan } from '../../flows/mcp/plan.js'
import { gateLayer } from '../../flows/middleware/gate.js'
import { outgoing } from '../../flows/middleware/middleware.js'
import { outcomeOf } from '../../flows/outcome.js'
import type { DocumentLie, FlowRun, NetworkPorts } from '../../flows/ports.js'
import type { FlowRecord, PlannedStep } from '../../flows/step.js'
import type { Send } from '../../protocol/http/exchange.js'
import type { PublishedMetadata } from '../../protocol/oauth/metadata.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { defined } from '../../protocol/values.js'
import type { People } from '../people/people.js'
import type { McpTarget } from '../targets/mcp.js'
import type { WalkOptions } from './flow-session.js'
import { type OwnDocument, serveOwnDocument } from './own-document.js'

/** An MCP flow whose server and options are known. */
export interface McpSetup {
  readonly target: McpTarget
  readonly options: McpOptions
  /** The state folder. */
  readonly home: string
  /** Called with the metadata of each server that the client becomes a client of. */
  readonly learned?: (metadata: PublishedMetadata) => void
  readonly network: Send
  readonly people: Omit<People, 'ask' | 'say'>
}

/** An MCP flow that is ready to be walked, any number of times. */
export interface McpSession {
  readonly plan: readonly PlannedStep[]
  walk(walk: WalkOptions): AsyncGenerator<FlowRecord, void, void>
  /** The same flow, changed on purpose. @throws UsageError where the change has no place in it */
  with(change: McpChange): McpSession
}

/** Changes the flow on purpose, by a wrong move. @throws UsageError where the change has no place in it */
export type McpChange = (setup: McpSetup) => FlowRun<McpOptions, NetworkPorts & Pick<McpPorts, 'become'>>

/** The flow as it is. */
const unchanged: McpChange = ({ options }) => ({
  options,
  plan: mcpPlan,
  walk({ agentWith, send, layers, ...ports }, of) {
    const ways = outgoing(send, layers)
    return mcpFlow({ ...ports, send: ways.client, userAgent: agentWith(ways.browser) }, of)
  },
})

/** Serves the document of a client that wants one and names none. */
async function documentOf(
  { grant, register, document, info, redirectUri: name }: McpOptions,
  { home }: McpSetup,
  redirectUri: string | undefined,
  lie: DocumentLie | undefined,
): Promise<OwnDocument | undefined> {
  if (grant !== 'authorization_code' || register !== 'document' || document !== undefined) return undefined
  return serveOwnDocument({ home, name: info.name, redirectUri: redirectUri ?? name, lie })
}

/** Prepares an MCP flow. @throws UsageError where it cannot be changed so */
export function mcpSession(setup: McpSetup, change: McpChange = unchanged): McpSession {
  const { target, network, people } = setup
  const { options, document: lie, plan, walk } = change(setup)
  return {
    plan: plan(options),
    with: other => mcpSession(setup, other),
    async *walk({ ask, say, signal, gate }) {
      const { now, random } = target
      // Loaded with the first step, because it loads a parser of HTML pages.
      const { peoplePorts } = await import('../people/people.js')
      const client = lateClient(target)
      let callback: CallbackListener | undefined
      let own: OwnDocument | undefined
      try {
        callback =
          options.grant === 'authorization_code' ? await listenForCallback(options.redirectUri) : undefined
        own = await documentOf(options, setup, callback?.redirectUri, lie)
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
        const here = {
          ...options,
          redirectUri: callback?.redirectUri ?? options.redirectUri,
          ...(own && { document: own.clientId }),
        }
        const become: McpPorts['become'] = (metadata, extras) => {
          setup.learned?.(metadata)
          client.become(metadata, extras)
        }
        const ports = { ...world, send: namedFailures(network), layers, agentWith, become }
        yield* client.annotate(walk(ports, here, own?.asked))
      } catch (error) {
        yield outcomeOf(error, signal)
      } finally {
        await own?.stop()
        await callback?.close()
      }
    },
  }
}
