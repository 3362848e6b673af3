import { afterwards, codeSteps, type PlanOptions, tokenStep } from './plan-parts.js'
import type { PlannedStep } from './step.js'

/** The steps of the code grant before they happen (RFC 6749 §4.1, figure 3). */
export function codePlan(options: PlanOptions): PlannedStep[] {
  return [...codeSteps(options), tokenStep(options), ...afterwards(options)]
}
