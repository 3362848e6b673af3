import { z } from 'zod'

/** The member of the lab about clients whose id is the address of their document. */
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
