import type { TokenResponse } from '../protocol/oauth/token.js'
import type { FlowOptions } from './options.js'
import { codePlan } from './plans/code-plan.js'
import type { FlowPorts } from './ports.js'
import type { FlowRecord } from './step.js'
import { obtainByCode } from './steps/obtain-by-code.js'
import { callOrStepUp } from './steps/step-up.js'
import { concluded, createWalk, type Steps } from './walk.js'

export { codePlan } from './plans/code-plan.js'

export type CodeFlowOptions = FlowOptions

/** The authorization code grant (RFC 6749 §4.1). The last record is always the outcome. */
export function codeFlow(ports: FlowPorts, wanted: CodeFlowOptions): AsyncGenerator<FlowRecord, void, void> {
  return concluded(codeSteps(ports, wanted), ports.signal)
}

async function* codeSteps(ports: FlowPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const walk = createWalk(ports, codePlan(wanted))
  const { tokens } = yield* obtainByCode(walk, ports, wanted)
  return yield* callOrStepUp(walk, ports, wanted, tokens)
}
