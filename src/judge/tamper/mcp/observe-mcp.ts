import { answerMembers } from '../../../flows/answers/answer-members.js'
import type { Outcome, Step } from '../../../flows/step.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import type { Move, RegistrationMove } from '../move.js'
import { observeClient, observeStep } from '../observe.js'
import { type Observed, observeResource, observeToken } from '../verdict.js'
import type { McpTampering, Met } from './mcp-tampering.js'

/** Errors of an authorization request without a resource (RFC 8707 §2). */
const TARGET_ERRORS = new Set(['invalid_target', 'invalid_request'])

/** Reads what the MCP server does with a token. A token without enough scope was taken as such (RFC 6750 §3.1). */
function observeShown(step: Step): Observed | undefined {
  const { exchange, repeats } = step
  if (exchange === undefined) return undefined
  const status = exchange.response?.status
  const observed = observeResource(exchange)
  const isAboutToken = status === 401 || status === 403 || (observed.kind === 'refused' && observed.error)
  // The server does not speak this revision, and the client goes on with another one.
  if (repeats && !isAboutToken) return undefined
  const taken = observed.kind === 'refused' && observed.error === 'insufficient_scope'
  return taken ? { kind: 'accepted', what: `the token, with too little scope (${status})` } : observed
}

/** Reads the refusal of the authorization server to issue a token without a resource. */
function observeTarget({ name, exchange }: Step, ended: Outcome | undefined): Observed | undefined {
  const { error, error_description: description } = ended?.error ?? {}
  if (name === 'authorization_response' && error !== undefined && TARGET_ERRORS.has(error))
    return { kind: 'refused', by: 'redirect', error, description }
  return name === 'token_request' && ended?.outcome === 'refused' && exchange
    ? observeToken(exchange)
    : undefined
}

/** Reads the answer to a registration. */
export function observeRegistration(exchange: Exchange, { kept }: RegistrationMove): Observed {
  const observed = observeToken(exchange)
  const members = answerMembers(exchange)
  if (observed.kind !== 'accepted' || members.client_id === undefined || kept(members)) return observed
  return { kind: 'ignored', what: 'the client is registered without the wrong value' }
}

/**
 * Reads the answer to the move from a step of the MCP flow. Returns undefined while there is none.
 * @param ended the outcome, where the step is the last one
 * @param made whether the changed message of the browser was sent
 */
export function observeMcp(
  step: Step,
  move: Move,
  tampering: McpTampering,
  ended: Outcome | undefined,
  made: boolean,
): Observed | undefined {
  const { exchange } = step
  switch (move.at) {
    case 'resource_metadata_request':
    case 'discovery_request':
    case 'tools_request':
      return tampering.carries(exchange) && !step.repeats ? observeClient(ended) : undefined
    case 'client_registration':
      return exchange && tampering.carries(exchange) ? observeRegistration(exchange, move) : undefined
    case 'userinfo_request':
      if (tampering.carries(exchange)) return observeShown(step)
      return move.leavesOut === undefined ? undefined : observeTarget(step, ended)
    default: {
      const met: Met | undefined = tampering.met()
      return met && observeStep(step, move, met.tampering, ended, made, met.situation.flow!)
    }
  }
}
