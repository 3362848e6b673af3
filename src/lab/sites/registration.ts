import type { RegistrationSettings } from '../../servers/authorization-server/settings.js'
import { STAGES } from '../../servers/authorization-server/stages/stages.js'
import type { LabConfig } from '../lab-file/config.js'
import { isLoopback } from '../lab-file/names.js'
import type { RegistrationMode } from '../schema/registration-modes.js'
import { loadJwks } from './assertion-issuers.js'

/** `off` where the stage or profile publishes no endpoint. */
function registrationMode(
  { registration, stage, profile }: Pick<LabConfig, 'registration' | 'stage' | 'profile'>,
  host: string | undefined,
): RegistrationMode {
  if (!STAGES[stage].published || profile === 'reference') return 'off'
  const usual = host === undefined || isLoopback(host) ? 'open' : 'off'
  return registration.mode ?? usual
}

/** Undefined for a lab without the endpoint. @throws UsageError for unreadable keys of software statements */
export async function registrationSettings(
  config: LabConfig,
  host: string | undefined,
): Promise<RegistrationSettings | undefined> {
  const mode = registrationMode(config, host)
  if (mode === 'off') return undefined
  const { tokens, statementIssuerFiles } = config.registration
  const statementIssuers = await Promise.all(
    statementIssuerFiles.map(async ({ issuer, jwksFile }) => ({ issuer, jwks: await loadJwks(jwksFile) })),
  )
  return { mode, tokens, statementIssuers, rate: config.rateLimits.registration }
}
