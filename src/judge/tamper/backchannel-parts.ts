import type { TokenMessage } from './token-message.js'

/** A changed backchannel authentication request (OpenID Connect CIBA Core §7.1). */
export interface WrongBackchannelRequest {
  readonly at: 'backchannel_authentication_request'
  readonly change: (message: TokenMessage, client: { readonly clientId: string }) => TokenMessage
}
