import { z } from 'zod'
import { SECURITY_PROFILES } from '../../protocol/oauth/client.js'

const pushedAlone = z.boolean().optional()

/** The members of a client that switch single rules on or off. */
export const clientSwitches = {
  profile: z
    .enum(SECURITY_PROFILES)
    .optional()
    .describe(
      'Sets the switches that OAuth 2.1 or the FAPI 2.0 Security Profile demand; default: as the lab',
    ),
  dpop_bound_access_tokens: z
    .boolean()
    .optional()
    .describe('Refuses token requests without a DPoP proof (RFC 9449 §5.2); default false'),
  require_pushed_authorization_requests: pushedAlone.describe(
    'Refuses authorization requests of the client that were not pushed (RFC 9126 §6); default false',
  ),
  refresh_token_rotation: z
    .enum(['on', 'off'])
    .optional()
    .describe('off: a refresh token stays the same; for confidential clients and bound tokens; default on'),
  strict_assertion_audience: z
    .boolean()
    .optional()
    .describe('Accepts client assertions for the issuer alone, as a string; default false'),
} as const

/** The switch of the whole server. */
export const serverSwitches = {
  require_pushed_authorization_requests: pushedAlone.describe(
    'Refuses authorization requests that were not pushed (RFC 9126 §5); default false',
  ),
} as const
