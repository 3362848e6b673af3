import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { type Acr, isAsStrong, isKnownAcr } from '../logins/authentication.js'
import type { ClaimsRequest } from './claims-request.js'

const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const

/** The values of `prompt` that the metadata lists. */
export const PROMPTS_SUPPORTED: readonly string[] = PROMPTS

type Prompt = (typeof PROMPTS)[number]

/** A request's conditions on the login behind its answer (OpenID Connect Core §3.1.2.1). */
export interface LoginDemands {
  readonly prompts: readonly Prompt[]
  /** Highest age of the login, in milliseconds. Undefined: any age. */
  readonly maxAge: number | undefined
}

/**
 * Reads `prompt` and `max_age`. A client can have a default for `max_age` (OpenID Connect Registration §2).
 * @throws OAuthError `invalid_request`
 */
export function readLoginDemands(
  prompt: string | undefined,
  maxAge: string | undefined,
  { default_max_age: defaultMaxAge }: Pick<Client, 'default_max_age'> = {},
): LoginDemands {
  const rule = 'OpenID Connect Core §3.1.2.1'
  const asked = prompt?.split(' ').filter(each => each !== '') ?? []
  const unknown = asked.find(each => !PROMPTS.some(known => known === each))
  if (unknown !== undefined) {
    throw new OAuthError('invalid_request', {
      description: `prompt is not supported; this server knows: ${PROMPTS.join(', ')}`,
      rule,
      evidence: unknown,
    })
  }
  if (asked.includes('none') && asked.length > 1) {
    throw new OAuthError('invalid_request', {
      description: 'prompt none cannot be combined with another value',
      rule,
    })
  }
  if (maxAge !== undefined && !/^\d{1,10}$/.test(maxAge)) {
    throw new OAuthError('invalid_request', {
      description: 'max_age is not a number of seconds',
      rule,
      evidence: maxAge,
    })
  }
  const seconds = maxAge === undefined ? defaultMaxAge : Number(maxAge)
  return { prompts: asked as Prompt[], maxAge: seconds === undefined ? undefined : seconds * 1000 }
}

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
type AcrStep =
  | { readonly kind: 'met' }
  | { readonly kind: 'ask' }
  | {
      readonly kind: 'refuse'
      readonly error: OAuthError<'unmet_authentication_requirements' | 'interaction_required'>
    }

const MET = { kind: 'met' } as const

/** The login that a demand is compared with. */
interface PresentLogin {
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
    const error = new OAuthError('interaction_required', {
      description,
      rule: 'OpenID Connect Core §3.1.2.6',
    })
    return { kind: 'refuse', error }
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
