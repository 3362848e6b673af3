import { type CallbackListener, listenForCallback } from '../client/callback-listener.js'
import type { KnownUser } from '../client/known-login.js'
import { offerCodings } from '../client/offer-codings.js'
import { defined } from '../defined.js'
import { gateLayer } from '../flows/gate.js'
import { mcpFlow } from '../flows/mcp/flow.js'
import { lateClient } from '../flows/mcp/late-client.js'
import type { McpOptions } from '../flows/mcp/options.js'
import { mcpPlan } from '../flows/mcp/plan.js'
import { outgoing } from '../flows/middleware.js'
import { namedFailures } from '../flows/named-failures.js'
import { outcomeOf } from '../flows/outcome.js'
import type { FlowRecord, PlannedStep } from '../flows/step.js'
import type { Send } from '../http/exchange.js'
import { makeSafe } from '../render/text.js'
import type { McpTarget } from '../targets/mcp-target.js'
import type { WalkOptions } from './flow-session.js'
import type { People } from './people.js'

/** An MCP flow whose server and options are known. */
export interface McpSetup {
  readonly target: McpTarget
  readonly options: McpOptions
  readonly network: Send
  readonly people: Omit<People, 'ask' | 'say'>
}

/** An MCP flow that is ready to be walked, any number of times. */
export interface McpSession {
  readonly plan: readonly PlannedStep[]
  walk(walk: WalkOptions): AsyncGenerator<FlowRecord, void, void>
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

/** Prepares an MCP flow. */
export function mcpSession({ target, options, network, people }: McpSetup): McpSession {
  return {
    plan: mcpPlan(options),
    async *walk({ ask, say, signal, gate }) {
      const { now, random } = target
      // Loaded with the first step, because it loads a parser of HTML pages.
      const { peoplePorts } = await import('./people.js')
      const client = lateClient(target)
      let callback: CallbackListener | undefined
      try {
        callback =
          options.grant === 'authorization_code' ? await listenForCallback(options.redirectUri) : undefined
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
        const ways = outgoing(namedFailures(network), layers)
        const ports = {
          ...world,
          send: ways.client,
          userAgent: agentWith(ways.browser),
          become: client.become,
        }
        const here = { ...options, redirectUri: callback?.redirectUri ?? options.redirectUri }
        yield* client.annotate(mcpFlow(ports, here))
      } catch (error) {
        yield outcomeOf(error, signal)
      } finally {
        await callback?.close()
      }
    },
  }
}
