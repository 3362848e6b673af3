import type { PlannedStep } from '../step.js'
import { macResourceSteps, macTokenWords } from './mac-plan.js'
import { afterwards, codeSteps, type PlanOptions, tokenStep } from './plan-parts.js'

/** The steps of the code grant before they happen (RFC 6749 §4.1, figure 3). */
export function codePlan(options: PlanOptions): PlannedStep[] {
  const before = codeSteps(options)
  if (options.tokenType !== 'mac') return [...before, tokenStep(options), ...afterwards(options)]
  const { resource: _, ...verified } = options
  return [...before, tokenStep(options, macTokenWords), ...afterwards(verified), ...macResourceSteps(options)]
}
