import type { FlowOptions } from '../../flows/options.js'
import type { FlowPorts } from '../../flows/ports.js'
import type { FlowRecord, PlannedStep } from '../../flows/step.js'

/** A flow that wrong moves can be made in. */
export interface Target {
  readonly plan: (wanted: FlowOptions) => PlannedStep[]
  readonly run: (ports: FlowPorts, wanted: FlowOptions) => AsyncGenerator<FlowRecord, void, void>
}
