import { z } from 'zod'
import { ASYMMETRIC_ALGORITHMS } from '../../protocol/oauth/algorithms.js'
import { DELIVERY_MODES } from '../../protocol/oauth/client.js'

/** The members of a client about backchannel authentication (CIBA). */
export const clientBackchannel = {
  backchannel_token_delivery_mode: z
    .enum(DELIVERY_MODES)
    .optional()
    .describe('How a client with the grant ciba learns of a decision; it needs one'),
  backchannel_client_notification_endpoint: z
    .string()
    .min(1)
    .optional()
    .describe('Receives a message by POST after the decision, in the mode ping'),
  backchannel_authentication_request_signing_alg: z
    .enum(ASYMMETRIC_ALGORITHMS)
    .optional()
    .describe('The only algorithm of its requests, which are always signed then'),
  backchannel_user_code_parameter: z.literal(false).optional().describe('The server has no user codes'),
}
