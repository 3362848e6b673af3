import { z } from 'zod'
import { isUrl } from '../../protocol/http/address.js'

const text = z.string().min(1)

export const demoClient = z.strictObject({
  issuers: z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(/^(?!lab$)[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/, {
            error: 'a name has lower-case letters, digits and -, and is not lab',
          })
          .describe('Part of the redirect address: /callback/NAME'),
        issuer: z.string().refine(value => /^https:\/\/[^/?#]+[^?#]*$/.test(value) && isUrl(value), {
          error: 'an issuer is an https address without query and fragment (RFC 8414 §2)',
        }),
        client_id: text,
        client_secret: text.optional().describe('Left out: a public client'),
      }),
    )
    .optional()
    .describe('Authorization servers to log in with, beside this lab'),
})
