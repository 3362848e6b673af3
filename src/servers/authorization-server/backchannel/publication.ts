import { ASYMMETRIC_ALGORITHMS } from '../../../protocol/oauth/algorithms.js'
import { DELIVERY_MODES, type DeliveryMode } from '../../../protocol/oauth/client.js'
import { AUTHENTICATION_PATH } from './paths.js'

/** Returns the modes of a server: without calls of clients, it pings nobody. */
export function deliveryModes(callsClients: boolean): readonly DeliveryMode[] {
  return DELIVERY_MODES.filter(mode => callsClients || mode !== 'ping')
}

/** Returns the metadata about backchannel authentication (OpenID Connect CIBA Core §4). */
export function backchannelMetadata(issuer: string, callsClients: boolean) {
  return {
    backchannel_authentication_endpoint: `${issuer}${AUTHENTICATION_PATH}`,
    backchannel_token_delivery_modes_supported: deliveryModes(callsClients),
    backchannel_authentication_request_signing_alg_values_supported: ASYMMETRIC_ALGORITHMS,
    backchannel_user_code_parameter_supported: false,
  }
}
