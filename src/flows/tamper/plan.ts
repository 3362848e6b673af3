import { splitUrl } from '../../http/message.js'
import { type CodeFlowOptions, codePlan } from '../code.js'
import type { PlannedStep } from '../step.js'
import type { Move, Situation } from './move.js'
import { expectation } from './moves.js'

/** The step that a move adds at the end; undefined where it changes one that is there. */
export function addedStep(
  move: Move,
  situation: Situation,
  plan: readonly PlannedStep[],
): PlannedStep | undefined {
  const rfc = move.rule.replace(/^RFC /, '')
  const why = `Tamper: the client ${move.does}. Expected: ${expectation(move)}.`
  if (move.at === 'token_request' && move.again) {
    const step = plan.find(({ name }) => name === 'token_request')
    return step && { ...step, rfc, why }
  }
  if (move.at !== 'userinfo_request') return undefined
  return {
    name: situation.resourceServer ? 'resource_request' : 'userinfo_request',
    from: 'client',
    to: situation.resourceServer ? 'resource_server' : 'authorization_server',
    title: `GET ${splitUrl(situation.presentAt ?? 'https://localhost/userinfo').path}`,
    rfc,
    why,
  }
}

const lastStep = {
  authorization_request: 'authorization_response',
  login: 'authorization_response',
  authorization_response: 'authorization_response',
  token_request: 'token_request',
  userinfo_request: 'keys_request',
} as const

/** The steps of a code flow with a wrong move, before they happen: up to the one that is to be refused. */
export function tamperedPlan(wanted: CodeFlowOptions, move: Move, situation: Situation): PlannedStep[] {
  const plan = codePlan(wanted)
  const last = move.at === 'authorization_request' && move.until ? move.until : lastStep[move.at]
  const kept = plan.slice(0, plan.findIndex(({ name }) => name === last) + 1)
  const added = addedStep(move, situation, plan)
  return added ? [...kept, added] : kept
}
