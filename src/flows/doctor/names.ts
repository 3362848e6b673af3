import { moves } from '../tamper/moves.js'
import { answerChecks } from './answer-checks.js'
import { discoveryChecks } from './discovery-checks.js'
import { endpointChecks } from './endpoints/endpoint-checks.js'
import { flowChecks } from './flow-checks.js'
import { keyChecks } from './key-checks.js'
import { oldVersions, tlsChecks } from './tls-checks.js'

/** Returns the name of every finding that an examination can report. */
export function findingNames(): ReadonlySet<string> {
  const checks = [
    discoveryChecks,
    keyChecks,
    tlsChecks,
    oldVersions,
    flowChecks,
    answerChecks,
    endpointChecks,
  ].flatMap(table => table.map(({ name }) => name))
  const made = moves.flatMap(({ name, at }) =>
    at === 'userinfo_request' ? [name, `resource-${name}`] : [name],
  )
  return new Set(['metadata', 'dpop-bound', ...checks, ...made])
}
