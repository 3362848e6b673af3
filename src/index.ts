/** The lab as a library: `import { startLab } from 'oauth-lab'`. */

export { TransportError, UsageError, UserError } from './errors.js'
export type { FlowRecord, Outcome, Step } from './flows/step.js'
export type { GrantType } from './lab/schema/grant-types.js'
export type { Duration, Instant, LabClock } from './library/clock.js'
export type { EventOf, EventType, LabEvent, LabEvents } from './library/events.js'
export type { FaultOf } from './library/faults.js'
export type { LabFetch } from './library/fetch.js'
export { FlowError } from './library/flow-error.js'
export type { FlowRequest, LabFlowName, Tokens } from './library/flow-request.js'
export type { Lab, SiteName, StartLabOptions } from './library/lab.js'
export type {
  ClientEntry,
  ClusterEntry,
  DnsEntry,
  DnsRecordEntry,
  LabFile,
  UserEntry,
} from './library/lab-file.js'
export type { ServerEntry } from './library/server-entry.js'
export { startLab } from './library/start-lab.js'
export type { WeakName } from './protocol/rules/weak-modes.js'
export type { FaultEndpoint } from './servers/authorization-server/endpoints/fault-list.js'
