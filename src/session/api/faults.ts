import { UsageError } from '../../protocol/errors.js'
import {
  FAULTS,
  type Fault,
  type FaultEndpoint,
  isFaultOf,
} from '../../servers/authorization-server/endpoints/fault-list.js'

/** The errors that an endpoint can be made to answer. */
export type FaultOf<Endpoint extends FaultEndpoint> = (typeof FAULTS)[Endpoint][number]

/** @throws UsageError, for those who write JavaScript */
export function checkedFault(endpoint: FaultEndpoint, error: string, times: number): Fault {
  const refuse = (hint: string) =>
    new UsageError(`${endpoint} cannot be made to answer ${JSON.stringify(error)}`, [hint])
  if (!Object.hasOwn(FAULTS, endpoint)) throw refuse(`Endpoints: ${Object.keys(FAULTS).join(', ')}`)
  if (!isFaultOf(endpoint, error)) throw refuse(`It can answer: ${FAULTS[endpoint].join(', ')}`)
  if (!(times > 0)) throw new UsageError(`${times} is not how often a request can fail`)
  return { endpoint, error, times }
}
