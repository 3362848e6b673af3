import { z } from 'zod'

/** The members of a client about the `sub` by which it knows a person (OpenID Connect Registration §2). */
export const subjectMembers = {
  subject_type: z
    .enum(['public', 'pairwise'])
    .optional()
    .describe('pairwise: a sub of its own for each sector in place of the username; default public'),
  sector_identifier_uri: z
    .string()
    .min(1)
    .optional()
    .describe('Address of a JSON list of redirect_uris that form one sector; https, fetched at first use'),
}
