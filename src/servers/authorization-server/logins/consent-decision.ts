import { isNative } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import type { LoginDemands } from '../parameters/login-demands.js'
import { type AskedAccess, type Consents, isProven } from './consents.js'

/**
 * The reason for asking: the request wants it, a native client, a client without consent, a wider scope, or authorization
 * details.
 */
export type ConsentReason = 'prompt' | 'native' | 'client' | 'scope' | 'details'

/** The next step for the request of a logged-in person: answer it, show the consent page, or refuse. */
export type ConsentDecision =
  /**
   * `source`: the session kept an earlier consent, the client is registered with `consent: granted`, or a weak mode asks
   * nobody.
   */
  | { readonly kind: 'granted'; readonly source: 'session' | 'client' | 'weak' }
  | { readonly kind: 'ask'; readonly reason: ConsentReason; readonly rule: Citation }
  | { readonly kind: 'refuse'; readonly error: OAuthError<'consent_required'> }

/** A request for access by a client. */
export interface AccessRequest extends AskedAccess, Pick<LoginDemands, 'prompts'> {
  /** True for a request with authorization details. An earlier consent never covers them: the same payment may be another one. */
  readonly hasDetails: boolean
}

/**
 * Decides whether a session answers a request without asking the person (OpenID Connect Core §3.1.2.4, RFC 6749 §10.2).
 * A native client is always asked for, because nothing proves its identity (RFC 8252 §8.6).
 */
export function decideConsent(request: AccessRequest, consents: Consents): ConsentDecision {
  const { client, redirectUri, prompts, hasDetails } = request
  if (prompts.includes('consent')) {
    return { kind: 'ask', reason: 'prompt', rule: 'OpenID Connect Core §3.1.2.1' }
  }
  if (client.consent === 'granted') return { kind: 'granted', source: 'client' }
  const covered = consents.covers(request)
  if (covered === 'all' && !hasDetails) return { kind: 'granted', source: 'session' }
  if (prompts.includes('none')) {
    return {
      kind: 'refuse',
      error: new OAuthError('consent_required', {
        description: hasDetails
          ? 'prompt is none, and the resource owner is asked about authorization details each time'
          : 'prompt is none, and the resource owner has not allowed this client or scope in this session',
        rule: 'OpenID Connect Core §3.1.2.6',
      }),
    }
  }
  if (isNative(client, redirectUri)) return { kind: 'ask', reason: 'native', rule: 'RFC 8252 §8.6' }
  if (hasDetails) return { kind: 'ask', reason: 'details', rule: 'RFC 9396 §3.1' }
  if (covered === 'part') return { kind: 'ask', reason: 'scope', rule: 'OpenID Connect Core §3.1.2.4' }
  const rule = isProven(request) ? 'OpenID Connect Core §3.1.2.4' : 'RFC 6749 §10.2'
  return { kind: 'ask', reason: 'client', rule }
}
