import type { Step, StepName } from '../../../src/flows/step.js'

/** A step that a test makes, with the members that it is about. */
export function madeStep(name: StepName, more: Partial<Step> = {}): Step {
  return {
    type: 'step',
    n: 1,
    of: 1,
    name,
    from: 'client',
    to: 'authorization_server',
    title: '',
    rfc: '6749 §4.1.3',
    why: '',
    ...more,
  }
}
