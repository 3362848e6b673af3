import type { PlannedStep, StepName } from '../../flows/step.js'
import { splitUrl } from '../../protocol/http/message.js'
import { planRule } from '../../protocol/rules/rule.js'
import type { Move } from './move.js'
import { expectation, grantFor } from './moves.js'
import { codeShape, stepOfGrant, verificationStep } from './shape.js'
import type { Situation } from './situation.js'

/** The step in which a token request of a move is shown. */
export function tokenStepOf(move: Move, { flow = codeShape }: Situation): StepName {
  return stepOfGrant(grantFor(move, flow), move.at === 'token_request' && move.again !== undefined)
}

/** The step that a move adds at the end; undefined where it changes one that is there. */
export function addedStep(
  move: Move,
  situation: Situation,
  plan: readonly PlannedStep[],
): PlannedStep | undefined {
  const rfc = planRule(move.rule)
  const why = `Tamper: the client ${move.does}. Expected: ${expectation(move)}.`
  if (move.at === 'token_request' && move.again) {
    const step = plan.find(({ name }) => name === tokenStepOf(move, situation))
    return step && { ...step, rfc, why }
  }
  // The MCP flow shows the token in its own next message.
  if (move.at !== 'userinfo_request' || situation.flow?.mcp) return undefined
  return {
    name: situation.resourceServer ? 'resource_request' : 'userinfo_request',
    from: 'client',
    to: situation.resourceServer ? 'resource_server' : 'authorization_server',
    title: `GET ${splitUrl(situation.presentAt ?? 'https://localhost/userinfo').path}`,
    rfc,
    why,
  }
}

/** The step after which the client has the token, and the keys where it fetches any. */
export function stepBeforeShown(plan: readonly PlannedStep[]): StepName {
  return plan.some(({ name }) => name === 'keys_request') ? 'keys_request' : 'resource_metadata_request'
}

/** The first message of an MCP client with its token. */
function firstMessage(plan: readonly PlannedStep[]): StepName {
  return plan.some(({ name }) => name === 'initialize_request') ? 'initialize_request' : 'tools_request'
}

function lastStep(move: Move, situation: Situation, plan: readonly PlannedStep[]): StepName {
  switch (move.at) {
    case 'authorization_request': {
      const later = move.until !== undefined && (situation.flow ?? codeShape).asks === 'code'
      return later && move.until ? move.until : 'authorization_response'
    }
    case 'login':
      return 'authorization_response'
    case 'authorization_response':
      if (move.jwt && plan.some(({ name }) => name === 'response_verification'))
        return 'response_verification'
      return move.holds ? verificationStep(situation.flow ?? codeShape) : 'authorization_response'
    case 'userinfo_request':
      return situation.flow?.mcp ? firstMessage(plan) : stepBeforeShown(plan)
    case 'tools_request':
      return firstMessage(plan)
    case 'resource_metadata_request':
    case 'discovery_request':
    case 'client_registration':
    case 'backchannel_authentication_request':
      return move.at
    case 'logout_request':
      return 'ended_session_check'
    case 'logout_response':
      return 'logout_response'
    default: {
      const step = tokenStepOf(move, situation)
      // A client that is pinged does not poll first.
      return plan.some(({ name }) => name === step) ? step : 'token_request'
    }
  }
}

/** The steps of a flow with a wrong move, before they happen: up to the one that is to be refused. */
export function tamperedPlan(plan: readonly PlannedStep[], move: Move, situation: Situation): PlannedStep[] {
  const last = lastStep(move, situation, plan)
  const kept = plan.slice(0, plan.findIndex(({ name }) => name === last) + 1)
  const added = addedStep(move, situation, plan)
  return added ? [...kept, added] : kept
}
