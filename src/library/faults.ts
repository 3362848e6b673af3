import { FAULTS, type Fault, type FaultEndpoint } from '../authorization-server/endpoints/fault-list.js'
import { UsageError } from '../errors.js'

/** The errors that an endpoint can be made to answer. */
export type FaultOf<Endpoint extends FaultEndpoint> = (typeof FAULTS)[Endpoint][number]

/** @throws UsageError, for those who write JavaScript */
export function checkedFault(endpoint: FaultEndpoint, error: string, times: number): Fault {
  const errors: readonly string[] = Object.hasOwn(FAULTS, endpoint) ? FAULTS[endpoint] : []
  if (!errors.includes(error)) {
    throw new UsageError(`${endpoint} cannot be made to answer ${JSON.stringify(error)}`, [
      errors.length === 0
        ? `Endpoints: ${Object.keys(FAULTS).join(', ')}`
        : `It can answer: ${errors.join(', ')}`,
    ])
  }
  if (!(times > 0)) throw new UsageError(`${times} is not how often a request can fail`)
  return { endpoint, error, times }
}
