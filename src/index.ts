/** The lab as a library: `import { startLab } from 'oauth-lab'`. */

export type { FlowRecord, Outcome, Step } from './flows/step.js'
export type { GrantType } from './lab/schema/grant-types.js'
export type {
  ClientEntry,
  ClusterEntry,
  DnsEntry,
  DnsRecordEntry,
  LabFile,
  ServerEntry,
  UserEntry,
} from './lab/schema/lab-file-schema.js'
export { TransportError, UsageError, UserError } from './protocol/errors.js'
export type { WeakName } from './protocol/rules/weak-modes.js'
export type { FaultEndpoint } from './servers/authorization-server/endpoints/fault-list.js'
export type { Duration, Instant, LabClock } from './session/api/clock.js'
export type { EventOf, EventType, LabEvent, LabEvents } from './session/api/events.js'
export type { FaultOf } from './session/api/faults.js'
export type { LabFetch } from './session/api/fetch.js'
export { FlowError } from './session/api/flow-error.js'
export type { FlowRequest, LabFlowName, Tokens } from './session/api/flow-request.js'
export type { Lab, SiteName, StartLabOptions } from './session/api/lab.js'
export { startLab } from './session/api/start-lab.js'
