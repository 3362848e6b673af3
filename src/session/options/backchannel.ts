import type { BackchannelWish } from '../../flows/requests/backchannel-wish.js'
import { UsageError } from '../../protocol/errors.js'
import { isUrl } from '../../protocol/http/address.js'
import type { Client } from '../../protocol/oauth/client.js'
import { defined } from '../../protocol/values.js'

/** The options of a backchannel authentication, as they were typed. */
export interface BackchannelOptions {
  /** The person who is to log in, in a form that the server knows. */
  readonly loginHint?: string
  readonly idTokenHint?: string
  readonly bindingMessage?: string
  readonly requestedExpiry?: string
  /** The way in which the client learns of the decision. */
  readonly mode?: 'poll' | 'ping'
  /** The address of this computer that the server notifies, as it is registered there. */
  readonly notificationEndpoint?: string
  /** The person says no. */
  readonly deny?: true
  /** Nobody answers. */
  readonly ignore?: true
  readonly user?: string
}

/** Longest binding message: a person has to compare it on two small screens (OpenID Connect CIBA Core §7.1). */
const MAX_MESSAGE = 200

/** Refuses options that contradict each other, before anything is read. @throws UsageError */
export function checkBackchannel(options: BackchannelOptions): void {
  const { loginHint, idTokenHint, bindingMessage, requestedExpiry, deny, ignore } = options
  if (loginHint !== undefined && idTokenHint !== undefined) {
    throw new UsageError(
      '--login-hint and --id-token-hint both name the person (OpenID Connect CIBA Core §7.1)',
      ['Leave one out; to see two hints refused:  --tamper two-hints'],
    )
  }
  if (loginHint?.trim() === '') {
    throw new UsageError('--login-hint names nobody', ['It looks like:  --login-hint alice'])
  }
  if (deny && ignore) throw new UsageError('--deny and --ignore are two answers', ['Leave one out'])
  if (bindingMessage !== undefined && (bindingMessage.trim() === '' || bindingMessage.length > MAX_MESSAGE)) {
    throw new UsageError(`--binding-message: 1 to ${MAX_MESSAGE} characters that a person can compare`, [
      'It looks like:  --binding-message W4SCT',
    ])
  }
  if (requestedExpiry !== undefined && !/^[1-9]\d{0,8}$/.test(requestedExpiry)) {
    throw new UsageError(`--requested-expiry ${requestedExpiry} is no positive number of seconds`, [
      'It looks like:  --requested-expiry 120',
    ])
  }
}

/**
 * The backchannel request that the options ask for.
 * @param client the registration of a client of the lab
 * @param first the user of the lab who logs in where the options name nobody
 * @throws UsageError where nobody is named
 */
export function backchannelWish(
  options: BackchannelOptions,
  idToken: string | undefined,
  client: Pick<Client, 'backchannel_token_delivery_mode' | 'backchannel_client_notification_endpoint'>,
  first: string | undefined,
): BackchannelWish {
  const { user, loginHint, bindingMessage, requestedExpiry, deny, ignore } = options
  const endpoint = endpointOf(options, client)
  const named = loginHint ?? user?.split(':', 1)[0] ?? first
  if (idToken === undefined && named === undefined) {
    throw new UsageError('flow ciba needs the person who is to log in', [
      'Name the person:  --login-hint NAME',
    ])
  }
  return defined({
    hint: hintOf(idToken, named),
    bindingMessage,
    requestedExpiry: requestedExpiry === undefined ? undefined : Number(requestedExpiry),
    notificationEndpoint: endpoint,
    decision: deny ? 'deny' : ignore ? 'ignore' : undefined,
  } as const)
}

function hintOf(idToken: string | undefined, named = ''): BackchannelWish['hint'] {
  return idToken === undefined
    ? { name: 'login_hint', value: named }
    : { name: 'id_token_hint', value: idToken }
}

/** The address at which the client is notified; undefined for a client that polls. @throws UsageError */
function endpointOf(
  { mode: given, notificationEndpoint }: BackchannelOptions,
  { backchannel_token_delivery_mode: registered, ...client }: Parameters<typeof backchannelWish>[2],
): string | undefined {
  const mode = given ?? registered
  const endpoint = notificationEndpoint ?? client.backchannel_client_notification_endpoint
  if (mode !== 'ping') {
    if (notificationEndpoint === undefined) return undefined
    throw new UsageError('--notification-endpoint is for --mode ping', ['Add --mode ping'])
  }
  if (endpoint === undefined) {
    throw new UsageError('--mode ping needs the notification endpoint that the client is registered with', [
      'Name it:  --notification-endpoint https://localhost:9443/ping',
    ])
  }
  if (!isUrl(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw new UsageError(`--notification-endpoint ${endpoint}: it is no web address`, [
      'It looks like:  --notification-endpoint https://localhost:9443/ping',
    ])
  }
  return endpoint
}
