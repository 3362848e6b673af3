import { z } from 'zod'

/** The members of a client about the login of its users (OpenID Connect Registration §2). */
export const authenticationMembers = {
  default_max_age: z
    .number()
    .int()
    .min(0)
    .max(9_999_999_999)
    .optional()
    .describe('Highest age of a login in seconds, for requests without max_age'),
  require_auth_time: z.boolean().optional().describe('auth_time in id_tokens; they have it anyway'),
  default_acr_values: z
    .array(z.string().regex(/^[^\s]+$/, { error: 'an acr value has no spaces' }))
    .optional()
    .describe('Authentication context classes for requests without acr_values'),
}
