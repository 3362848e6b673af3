import type { ASYMMETRIC_ALGORITHMS } from './asymmetric-algorithms.js'

/** The ways in which a client learns of a decision. Push is not one: tokens never leave by a request of the server. */
export const DELIVERY_MODES = ['poll', 'ping'] as const

/** The way in which a client learns of a decision (OpenID Connect CIBA Core §5). */
export type DeliveryMode = (typeof DELIVERY_MODES)[number]

/** The members of a client about backchannel authentication (OpenID Connect CIBA Core §4). */
export interface ClientBackchannel {
  readonly backchannel_token_delivery_mode?: DeliveryMode
  /** Receives a message by POST as soon as the person has decided, in the mode ping. */
  readonly backchannel_client_notification_endpoint?: string
  /** The only algorithm of signed requests, which the client then always sends. */
  readonly backchannel_authentication_request_signing_alg?: (typeof ASYMMETRIC_ALGORITHMS)[number]
  /** The server has no user codes. */
  readonly backchannel_user_code_parameter?: false
}
