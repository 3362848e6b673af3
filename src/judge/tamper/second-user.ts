import type { UserAgent } from '../../client/user-agent.js'
import { outgoing } from '../../flows/middleware/middleware.js'
import type { FlowOptions } from '../../flows/options.js'
import { outcomeOf } from '../../flows/outcome.js'
import type { NetworkPorts } from '../../flows/ports.js'
import type { Outcome, Step } from '../../flows/step.js'
import { concluded, notHere } from './conclusion.js'
import { withOpenId } from './messages.js'
import type { Move } from './move.js'
import type { Target } from './target.js'

function idTokenIn({ token, tokens = [] }: Step): string | undefined {
  return [token, ...tokens].find(each => each?.kind === 'id_token')?.value
}

/**
 * Gets an ID token by a flow without any wrong move.
 * @param userAgent the browser of the person who logs in
 * @returns the ID token, or else the outcome of the flow
 */
async function honestIdToken(
  ports: NetworkPorts,
  userAgent: UserAgent,
  wanted: FlowOptions,
  { run }: Target,
): Promise<string | Outcome> {
  const { now, random, signal } = ports
  const { client: send } = outgoing(ports.send, ports.layers)
  const options = { ...wanted, scope: withOpenId(wanted.scope) }
  try {
    for await (const record of run({ send, userAgent, now, random, signal }, options)) {
      if (record.type === 'outcome') return record
      const idToken = idTokenIn(record)
      if (idToken !== undefined) return idToken
    }
  } catch (error) {
    return outcomeOf(error, signal)
  }
  return { type: 'outcome', outcome: 'failed' }
}

/** Logs the second user in. Returns an ID token about this user, or the end of the flow where none is issued. */
export async function secondIdToken(
  ports: NetworkPorts,
  wanted: FlowOptions,
  move: Move,
  target: Target,
): Promise<{ readonly idToken: string } | { readonly ended: Outcome }> {
  const { browser } = outgoing(ports.send, ports.layers)
  const agent = ports.secondAgentWith?.(browser)
  if (agent === undefined) return { ended: notHere(move, 'no second user of this server is known') }
  const idToken = await honestIdToken(ports, agent, wanted, target)
  if (typeof idToken === 'string') return { idToken }
  if (idToken.outcome === 'granted') return { ended: notHere(move, 'the server issues no ID token') }
  const { error = 'no_token', error_description: why = 'no outcome', rule = move.rule } = idToken.error ?? {}
  const error_description = `the second user got no ID token: ${why}`
  const ended: Outcome = { type: 'outcome', outcome: 'failed', error: { error, error_description, rule } }
  return { ended: concluded(ended, move, false) }
}

/** True when the first user can log in where nothing is wrong with the request. */
export async function canLogIn(ports: NetworkPorts, wanted: FlowOptions, target: Target): Promise<boolean> {
  const { browser } = outgoing(ports.send, ports.layers)
  return typeof (await honestIdToken(ports, ports.agentWith(browser), wanted, target)) === 'string'
}
