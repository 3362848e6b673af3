import { z } from 'zod'
import { oneOf } from './members.js'
import { REGISTRATION_MODES } from './registration-modes.js'

/** RFC 7591. */
export const registration = {
  registration: oneOf(
    REGISTRATION_MODES,
    'Clients that register themselves: anyone (open), or with one of registration_tokens; default open on this computer, off for a lab that others reach',
  ),
  registration_tokens: z
    .array(
      z.string().regex(/^[A-Za-z0-9\-._~+/]{16,}=*$/, {
        error:
          'a token has 16 or more letters, digits and -._~+/ (RFC 6750 §2.1), such as: openssl rand -hex 32',
      }),
    )
    .optional()
    .describe('Initial access tokens for registration: token'),
  software_statement_issuers: z
    .array(
      z.strictObject({
        issuer: z.string().min(1),
        jwks_file: z.string().min(1).describe('JWK Set that signs its software statements'),
      }),
    )
    .optional()
    .describe('Issuers whose software statements count (RFC 7591 §2.3); default none'),
} as const

export const clientIdDocuments = {
  client_id_documents: z
    .union([
      z.literal('off'),
      z.strictObject({
        allow: z
          .array(
            z.string().regex(/^([a-z0-9.-]+|[0-9a-f:]+)$/, {
              error: 'write a host in lower case without its port, such as localhost or client.internal',
            }),
          )
          .optional()
          .describe(
            'Hosts that may be at private addresses; default localhost, or none for a lab that others reach',
          ),
      }),
    ])
    .optional()
    .describe(
      'Clients whose client_id is the address of their document; off for none; default on for this computer, off for a lab that others reach',
    ),
} as const
