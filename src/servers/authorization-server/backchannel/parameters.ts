import type { FormPairs } from '../../../protocol/http/form.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { CREDENTIAL_PARAMETERS } from '../../../protocol/oauth/client-auth.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { HINTS } from './hinted-user.js'

/** The parameters that the endpoint reads, beside `resource`, `request` and those of the client (OpenID Connect CIBA Core §7.1). */
export const PARAMETERS = [
  'scope',
  'client_notification_token',
  'acr_values',
  ...HINTS,
  'binding_message',
  'requested_expiry',
  'authorization_details',
] as const

const RULE = 'OpenID Connect CIBA Core §7.1'

/** Most names of ignored parameters that are reported. */
const MAX_IGNORED = 20

/** Longest binding message, in characters: two devices show it, and a person compares it. */
const MAX_MESSAGE = 128

/** Longest notification token, in characters, and its least entropy, in bits. */
const MAX_TOKEN = 1024
const LEAST_BITS = 128

/** Returns the names of parameters that have no effect, without duplicates. */
export function ignoredNames(pairs: FormPairs, client: Client): readonly string[] {
  const known = new Set<string>([...PARAMETERS, ...CREDENTIAL_PARAMETERS, 'resource', 'request'])
  if (client.backchannel_token_delivery_mode !== 'ping') known.delete('client_notification_token')
  const names = new Set(
    pairs.filter(([name, value]) => value !== '' && !known.has(name)).map(([name]) => name),
  )
  return [...names].slice(0, MAX_IGNORED)
}

/** @throws OAuthError `invalid_binding_message` for a text that is long, or that a page would show as another one */
export function readBindingMessage(sent: string | undefined): string | undefined {
  if (sent === undefined) return undefined
  const refuse = (description: string) =>
    new OAuthError('invalid_binding_message', { description, rule: 'OpenID Connect CIBA Core §13' })
  if (sent.length > MAX_MESSAGE) throw refuse(`binding_message is longer than ${MAX_MESSAGE} characters`)
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(sent)) {
    throw refuse('binding_message has characters that people cannot see, such as line ends')
  }
  if (sent.trim() === '') throw refuse('binding_message has nothing that people can see')
  return sent
}

/**
 * Returns the lifetime of a request, in milliseconds.
 * @throws OAuthError `invalid_request`
 */
export function readExpiry(sent: string | undefined, longest: number): number {
  if (sent === undefined) return longest
  if (/^[1-9]\d{0,8}$/.test(sent)) return Math.min(longest, Number(sent) * 1000)
  const description = 'requested_expiry is no positive whole number of seconds'
  throw new OAuthError('invalid_request', { description, rule: RULE })
}

/** Returns the most bits that a text of this length can hold, by the letters that it uses. */
function entropyOf(token: string): number {
  const letters = /^\d+$/.test(token) ? 10 : /^[0-9a-f]+$/i.test(token) ? 16 : 64
  return new Set(token).size < 8 ? 0 : token.length * Math.log2(letters)
}

/**
 * Returns the token for the notification endpoint of a client; undefined for a client that polls alone.
 * @throws OAuthError `invalid_request` for a missing token, and for one that is no bearer token or easy to guess
 */
export function readNotificationToken(sent: string | undefined, client: Client): string | undefined {
  if (client.backchannel_token_delivery_mode !== 'ping') return undefined
  const refuse = (description: string) => new OAuthError('invalid_request', { description, rule: RULE })
  if (sent === undefined) throw refuse('client_notification_token is missing; this client is pinged')
  if (sent.length > MAX_TOKEN) {
    throw refuse(`client_notification_token is longer than ${MAX_TOKEN} characters`)
  }
  if (!/^[\w.~+/-]+=*$/.test(sent)) {
    throw refuse('client_notification_token has characters that no bearer token has (RFC 6750 §2.1)')
  }
  if (entropyOf(sent.split('=', 1)[0]!) < LEAST_BITS) {
    throw refuse(
      `client_notification_token can be guessed: it needs ${LEAST_BITS} random bits, such as 22 characters of base64url`,
    )
  }
  return sent
}
