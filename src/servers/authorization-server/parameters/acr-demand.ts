import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { type Acr, isAsStrong, isKnownAcr } from '../logins/authentication.js'
import type { ClaimsRequest } from './claims-request.js'

/** The demand of a request on the strength of the login behind its answer. */
export interface AcrDemand {
  /** The classes that the client accepts, in its order, as far as the server knows them. Empty: any class. */
  readonly wanted: readonly Acr[]
  /** True when an answer with another class must not be given (OpenID Connect Core §5.5.1.1). */
  readonly essential: boolean
}

const RULE = 'OpenID Connect Core §5.5.1.1'

/**
 * Reads the demand from the claim acr of `claims`, else from `acr_values`, else from the client's default (OpenID
 * Connect Core §3.1.2.1, §5.5.1.1). Classes that the server does not know are left out.
 * @throws OAuthError `unmet_authentication_requirements` when an essential acr has no class that the server knows
 */
export function readAcrDemand(
  acrValues: string | undefined,
  { idToken }: ClaimsRequest,
  client: Client,
): AcrDemand {
  const claim = idToken.get('acr')
  const essential = claim?.essential === true && claim.values !== undefined
  const values = claim?.values ?? acrValues?.split(' ') ?? client.default_acr_values ?? []
  const wanted = [...new Set(values.filter(isKnownAcr))]
  if (essential && wanted.length === 0) {
    throw unmetDemand('claims demands an authentication context (acr) that this server does not know')
  }
  return { wanted, essential }
}

/** The next step for a demand: answer, ask for a second factor, or refuse. */
export type AcrStep =
  | { readonly kind: 'met' }
  | { readonly kind: 'ask' }
  | {
      readonly kind: 'refuse'
      readonly error: OAuthError<'unmet_authentication_requirements' | 'interaction_required'>
    }

const MET = { kind: 'met' } as const

/** The login that a demand is compared with. */
export interface PresentLogin {
  readonly acr: Acr
  /** True when the user can be asked for a second factor. */
  readonly canAddFactor: boolean
  /** True when the request allows pages. */
  readonly mayAsk: boolean
}

/**
 * Compares a login with a demand. The client's first class counts: a person with a second factor is asked for it even
 * where the client would accept a password (OpenID Connect Core §3.1.2.1). Where nothing can be asked, any of the
 * client's classes is enough.
 */
export function decideAcr(
  { wanted, essential }: AcrDemand,
  { acr, canAddFactor, mayAsk }: PresentLogin,
): AcrStep {
  const [first = acr] = wanted
  if (isAsStrong(acr, first)) return MET
  if (canAddFactor && mayAsk) return { kind: 'ask' }
  if (wanted.some(each => isAsStrong(acr, each))) return MET
  if (canAddFactor) {
    const description = 'prompt is none, and the login is weaker than the acr that the request wants'
    const rule = 'OpenID Connect Core §3.1.2.6'
    return { kind: 'refuse', error: new OAuthError('interaction_required', { description, rule }) }
  }
  if (!essential) return MET
  return {
    kind: 'refuse',
    error: unmetDemand('this user has no second factor, which the demanded acr needs'),
  }
}

/**
 * Returns the class that an answer names: that of the login, or a weaker one that the client asked for in its place
 * (OpenID Connect Core §5.5.1.1: the value matches one of the requested values).
 */
export function acrForAnswer({ wanted }: AcrDemand, acr: Acr): Acr {
  return wanted.includes(acr) ? acr : (wanted.find(each => isAsStrong(acr, each)) ?? acr)
}

function unmetDemand(description: string): OAuthError<'unmet_authentication_requirements'> {
  return new OAuthError('unmet_authentication_requirements', { description, rule: RULE })
}
