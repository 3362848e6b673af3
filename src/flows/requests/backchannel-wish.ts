/** The choices of people in a backchannel authentication request (OpenID Connect CIBA Core §7.1). */
export interface BackchannelWish {
  readonly hint: { readonly name: 'login_hint' | 'id_token_hint'; readonly value: string }
  /** Both client and authentication device show it. */
  readonly bindingMessage?: string
  /** Seconds. */
  readonly requestedExpiry?: number
  /** Notifications of the decision (OpenID Connect CIBA Core §10.2). Absent: the client polls. */
  readonly notificationEndpoint?: string
  /** `ignore`: the request expires. Absent: the person approves. */
  readonly decision?: 'deny' | 'ignore'
}
