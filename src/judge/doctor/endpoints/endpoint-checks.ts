import { answerModeChecks } from './answer-mode-checks.js'
import { cibaChecks } from './ciba-checks.js'
import { deviceChecks } from './device-checks.js'
import type { EndpointCheck } from './endpoint-check.js'
import { introspectionChecks } from './introspection-checks.js'
import { parChecks } from './par-checks.js'
import { responseJwtChecks } from './response-jwt-checks.js'
import { revocationChecks } from './revocation-checks.js'

/** Every check of an endpoint for clients. */
export const endpointChecks: readonly EndpointCheck[] = [
  ...answerModeChecks,
  ...responseJwtChecks,
  ...deviceChecks,
  ...cibaChecks,
  ...parChecks,
  ...introspectionChecks,
  ...revocationChecks,
]
