import type { FlowOptions } from '../options.js'
import type { FlowPorts } from '../ports.js'
import type { FlowRecord, PlannedStep } from '../step.js'

/** A flow that wrong moves can be made in. */
export interface Target {
  readonly plan: (wanted: FlowOptions) => PlannedStep[]
  readonly run: (ports: FlowPorts, wanted: FlowOptions) => AsyncGenerator<FlowRecord, void, void>
}
