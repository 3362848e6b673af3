import type { FormPairs } from '../../protocol/http/form.js'
import { detailsParameters, type FlowOptions } from '../options.js'
import type { BackchannelWish } from './backchannel-wish.js'

/** A backchannel request binds no code to a key (RFC 9449 §10). */
const BROWSER_ONLY = 'dpop_jkt'

/** @param token the bearer token for notifications */
export function backchannelParameters(
  wanted: FlowOptions,
  { hint, bindingMessage, requestedExpiry }: BackchannelWish,
  token?: string,
): FormPairs {
  const { scope, acrValues, authorizationParameters = [] } = wanted
  const optional: readonly (readonly [string, string | undefined])[] = [
    ['scope', scope],
    [hint.name, hint.value],
    ['binding_message', bindingMessage],
    ['requested_expiry', requestedExpiry === undefined ? undefined : String(requestedExpiry)],
    ['acr_values', acrValues],
    ['client_notification_token', token],
  ]
  return [
    ...optional.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    ...detailsParameters(wanted),
    ...authorizationParameters.filter(([name]) => name !== BROWSER_ONLY),
  ]
}
