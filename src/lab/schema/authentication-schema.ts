import { z } from 'zod'

const AGE = 9_999_999_999

/** The members of a route about the login behind a token (RFC 9470 §3). */
export const loginDemands = {
  acr_values: z
    .string()
    .regex(/^[!#-[\]-~]+( [!#-[\]-~]+)*$/, { error: 'write acr values with one space between them' })
    .optional()
    .describe('Authentication context classes, of which the token must have one'),
  max_age: z.number().int().min(1).max(AGE).optional().describe('Highest age of the login in seconds'),
}

/** The members of a client about the login of its users (OpenID Connect Registration §2). */
export const authenticationMembers = {
  default_max_age: z
    .number()
    .int()
    .min(0)
    .max(AGE)
    .optional()
    .describe('Highest age of a login in seconds, for requests without max_age'),
  require_auth_time: z.boolean().optional().describe('auth_time in id_tokens; they have it anyway'),
  default_acr_values: z
    .array(z.string().regex(/^[^\s]+$/, { error: 'an acr value has no spaces' }))
    .optional()
    .describe('Authentication context classes for requests without acr_values'),
}
