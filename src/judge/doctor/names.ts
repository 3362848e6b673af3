import { moves } from '../tamper/moves.js'
import { announcedAlgorithmChecks, usedAlgorithmChecks } from './algorithm-checks.js'
import { answerChecks } from './answer-checks.js'
import { discoveryChecks } from './discovery-checks.js'
import { answerModeChecks, certificateChecks } from './endpoints/answer-mode-checks.js'
import { cibaChecks } from './endpoints/ciba-checks.js'
import { deviceChecks } from './endpoints/device-checks.js'
import type { EndpointCheck } from './endpoints/endpoint-check.js'
import { introspectionChecks } from './endpoints/introspection-checks.js'
import { parChecks } from './endpoints/par-checks.js'
import { responseJwtChecks } from './endpoints/response-jwt-checks.js'
import { revocationChecks } from './endpoints/revocation-checks.js'
import type { Finding } from './finding.js'
import { flowChecks } from './flow-checks.js'
import { keyChecks } from './key-checks.js'
import { logoutChecks } from './logout-checks.js'
import { conversationChecks } from './mcp/conversation-checks.js'
import { publicationChecks } from './mcp/publication-checks.js'
import { fapi2Checks, openIdChecks } from './profile-checks.js'
import { LEFT } from './registration/examine-registration.js'
import { managementChecks, registrationChecks } from './registration/registration-checks.js'
import { loginDemandChecks } from './session-checks.js'
import { oldOffers, tlsChecks } from './tls-checks.js'

/** Every check of an endpoint for clients. */
export const endpointChecks: readonly EndpointCheck[] = [
  ...answerModeChecks,
  ...certificateChecks,
  ...responseJwtChecks,
  ...deviceChecks,
  ...cibaChecks,
  ...parChecks,
  ...introspectionChecks,
  ...revocationChecks,
]

/** Returns the checks of the examination, apart from its wrong moves. */
export function doctorChecks(): readonly Pick<Finding, 'name' | 'rule'>[] {
  return [
    ...discoveryChecks,
    ...announcedAlgorithmChecks,
    ...keyChecks,
    ...tlsChecks,
    ...oldOffers,
    ...flowChecks,
    ...loginDemandChecks,
    ...logoutChecks,
    ...usedAlgorithmChecks,
    ...answerChecks,
    ...endpointChecks,
    ...registrationChecks,
    ...managementChecks,
    LEFT,
    ...publicationChecks,
    ...openIdChecks,
    ...fapi2Checks,
    ...conversationChecks,
  ]
}

/** Returns the name of every finding that an examination can report. */
export function findingNames(): ReadonlySet<string> {
  const made = moves.flatMap(({ name, at }) =>
    at === 'userinfo_request' ? [name, `resource-${name}`] : [name],
  )
  return new Set(['metadata', 'dpop-bound', ...doctorChecks().map(({ name }) => name), ...made])
}
