/** The parts of a backchannel authentication request that people choose (OpenID Connect CIBA Core §7.1). */
export interface BackchannelWish {
  /** The one hint that names the person. */
  readonly hint: { readonly name: 'login_hint' | 'id_token_hint'; readonly value: string }
  /** A short text that client and authentication device both show. */
  readonly bindingMessage?: string
  /** The wanted life of the request, in seconds. */
  readonly requestedExpiry?: number
  /** The address at which the server is to notify the client of the decision (OpenID Connect CIBA Core §10.2). Absent: the client polls. */
  readonly notificationEndpoint?: string
  /** `ignore`: nobody answers, and the request expires. Absent: the person approves. */
  readonly decision?: 'deny' | 'ignore'
}
