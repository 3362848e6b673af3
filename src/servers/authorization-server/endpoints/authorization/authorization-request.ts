import { type FormPairs, pairsInOrder, readParameters } from '../../../../protocol/http/form.js'
import { registeredAlgorithms } from '../../../../protocol/oauth/algorithms.js'
import type { AuthorizationDetails } from '../../../../protocol/oauth/authorization-details.js'
import { type Client, redirectUriRules } from '../../../../protocol/oauth/client.js'
import { inLanguages } from '../../../../protocol/oauth/client-metadata.js'
import {
  AUTHORIZATION_ERRORS,
  type AuthorizationErrorCode,
  isRefusal,
  OAuthError,
} from '../../../../protocol/oauth/oauth-error.js'
import type { VerifiedRedirectUri } from '../../../../protocol/oauth/redirect-uri.js'
import { defined } from '../../../../protocol/values.js'
import { readDetails, refuseUnansweredDetails } from '../../parameters/authorization-details.js'
import type { Challenge } from '../../parameters/challenge.js'
import { type ClaimsRequest, NO_CLAIMS, readClaimsRequest } from '../../parameters/claims-request.js'
import { ignoredNames, refuseRepeated } from '../../parameters/form-body.js'
import {
  type AcrDemand,
  type LoginDemands,
  readAcrDemand,
  readLoginDemands,
} from '../../parameters/login-demands.js'
import { type KnownResources, namedResources, resourceSettings } from '../../parameters/resources.js'
import {
  findResponseType,
  type ModeRequest,
  partsOf,
  type ResponseMode,
  type ResponseType,
  responseModeOf,
  responseTypeError,
} from '../../parameters/response-type.js'
import { scopeBeside, withResourceScopes } from '../../parameters/scopes.js'
import type { BaseParts } from '../../parts.js'
import {
  forbiddenAddress,
  redirectRefusal,
  redirectsBySeeOther,
  refuseResponseType,
  requireRedirectUri,
} from '../../profiles/refusals.js'
import { STAGES } from '../../stages/stages.js'
import { knownClaims } from '../../tokens/user-claims.js'
import { refuseUnboundToken } from '../dpop.js'
import {
  effectiveParameters,
  knownClient,
  PARAMETERS,
  readThumbprint,
  refuseValues,
  requirePushed,
  unsupportedParameter,
} from './authorization-parameters.js'
import {
  type RegistrationHelp,
  registrationHelp,
  type UnknownClient,
  unknownClient,
  unregistered,
} from './registration-help.js'

/** The address of a response, with its client, and the state and the mode of every response. */
export interface ReturnAddress {
  readonly client: Client
  readonly redirectUri: VerifiedRedirectUri
  readonly state: string | undefined
  readonly mode: ResponseMode
  /** True where a redirect has the status 303, not 302. */
  readonly seeOther: boolean
}

/** An error that is shown to the person, because no address is verified. */
export interface ShownError {
  readonly channel: 'page'
  readonly error: OAuthError<AuthorizationErrorCode>
  readonly clientId?: string
  /** For a redirect_uri that is not registered. */
  readonly help?: RegistrationHelp
  /** For a client_id that is not registered. */
  readonly unknown?: UnknownClient
}

/** An error that is sent to the client. */
export interface RedirectedError {
  readonly channel: 'redirect'
  readonly error: OAuthError<AuthorizationErrorCode>
  readonly to: ReturnAddress
  readonly clientId: string
}

/** A valid request, which a login can answer. */
export interface AcceptedRequest extends LoginDemands {
  readonly channel: 'login'
  readonly client: Client
  readonly to: ReturnAddress
  readonly redirectUriSent: boolean
  readonly responseType: ResponseType
  readonly scope: readonly string[]
  readonly scopeSent: boolean
  readonly nonce: string | undefined
  readonly challenge: Challenge | undefined
  readonly resources: readonly string[]
  readonly dpopJkt: string | undefined
  readonly claims: ClaimsRequest
  /** Undefined: the request has none. */
  readonly details: AuthorizationDetails | undefined
  readonly acr: AcrDemand
  readonly claimNames: readonly string[]
  readonly loginHint: string | undefined
  readonly idTokenHint: string | undefined
  /** All known parameters, in a fixed order, because the order in which they were sent has no meaning. */
  readonly pairs: FormPairs
  /** Names of parameters that have no effect (RFC 6749 §3.1); undefined for none. */
  readonly ignored: readonly string[] | undefined
}

/** The result of judging an authorization request. Its type says if an error is shown or redirected. */
export type Judgement = ShownError | RedirectedError | AcceptedRequest

/** The circumstances of an authorization request. */
interface Circumstances {
  readonly known: KnownResources
  /** True for a request that was pushed, or is being pushed. */
  readonly pushed: boolean
  /** The error for parameters that could not be decoded, or for a bad request object. */
  readonly unread?: OAuthError<AuthorizationErrorCode> | undefined
}

/** Longest request, in characters. Its state comes back in a header, and servers limit headers. */
const MAX_REQUEST = 12 * 1024

/** @throws OAuthError `invalid_request` */
export function limitRequest(length: number): void {
  if (length <= MAX_REQUEST) return
  throw new OAuthError('invalid_request', {
    description: `the request is longer than ${MAX_REQUEST} characters`,
    rule: 'RFC 6749 §4.1.2.1',
  })
}

/**
 * Judges an authorization request. Client and address come first: an unverified address must not get a redirect
 * (RFC 6749 §4.1.2.1).
 */
export function judgeAuthorizationRequest(
  pairs: FormPairs,
  { registry, settings, defences }: Pick<BaseParts, 'registry' | 'settings' | 'defences'>,
  { known, pushed, unread }: Circumstances,
): Judgement {
  const { values, repeated } = readParameters(pairs, PARAMETERS)
  let client: Client
  try {
    refuseRepeated(
      repeated.filter(name => name === 'client_id' || name === 'redirect_uri'),
      'RFC 6749 §3.1',
    )
    client = knownClient(values.client_id, registry)
  } catch (error) {
    if (unread !== undefined) return { channel: 'page', error: unread }
    const refused = asRefusal(error)
    const { client_id: id = '', redirect_uri: address } = values
    // A disabled client is known, and a problem of a client has its own cure.
    const isUnknown = registry.client(id) === undefined && registry.problem(id) === undefined
    const unknown =
      refused.code === 'unauthorized_client' && isUnknown ? unknownClient(id, address, registry) : undefined
    return defined({ channel: 'page', error: refused, unknown })
  }
  const clientId = client.client_id
  const unsupported = unsupportedParameter(values)
  const rules = redirectUriRules(client)
  const redirectUri = defences.matchRedirectUri(values.redirect_uri, client.redirect_uris, rules)
  if (typeof redirectUri !== 'string') {
    const earlier = unread ?? unsupported
    if (earlier !== undefined) return { channel: 'page', error: earlier, clientId }
    const help = registrationHelp(client, values.redirect_uri)
    return { channel: 'page', error: unregistered(redirectUri, help), clientId, help }
  }
  const forbidden = redirectRefusal(client, redirectUri)
  if (forbidden !== undefined) return { channel: 'page', error: forbiddenAddress(forbidden), clientId }
  const asked: ModeRequest = {
    responseType: values.response_type,
    asked: values.response_mode,
    signs: STAGES[settings.stage].published,
    encrypted: registeredAlgorithms(client, 'authorization').encryption !== undefined,
  }
  const to: ReturnAddress = {
    client,
    redirectUri,
    state: values.state,
    mode: responseModeOf(asked),
    seeOther: redirectsBySeeOther(client),
  }
  try {
    if (unread !== undefined) throw unread
    requirePushed(client, { pushed, requirePushed: settings.requirePushed })
    requireRedirectUri(client, values.redirect_uri)
    refuseRepeated(repeated, 'RFC 6749 §3.1')
    if (unsupported !== undefined) throw unsupported
    const responseType = findResponseType(values.response_type)
    if (responseType === undefined) {
      const error = responseTypeError(values.response_type)
      if (settings.responseTypeErrors === 'page') return { channel: 'page', error, clientId }
      throw error
    }
    refuseResponseType(client, settings.profile, responseType)
    refuseUnregisteredType(responseType, client)
    refuseUnboundToken(responseType, client)
    refuseValues(values, asked)
    const details = readDetails(values.authorization_details, client, settings.detailTypes)
    refuseUnansweredDetails(details, responseType)
    const asking = withResourceScopes(client, namedResources(pairs), settings, known)
    const scope = answerableScope(scopeBeside(details, values.scope, asking, settings), responseType)
    refuseBareIdToken(responseType, scope, values.nonce)
    const resources = defences.readResources(pairs, resourceSettings(settings, known))
    const claims = scope.includes('openid') ? readClaimsRequest(values.claims) : NO_CLAIMS
    refuseUnmetClaims(claims, responseType)
    const { code = false } = partsOf(responseType)
    const challenge = code ? defences.readChallenge(values, client) : undefined
    const openId = scope.includes('openid')
    const effective = effectiveParameters({ openId, code, challenged: challenge !== undefined })
    return {
      channel: 'login',
      client: inLanguages(client, values.ui_locales),
      to,
      redirectUriSent: values.redirect_uri !== undefined,
      responseType,
      scope,
      scopeSent: values.scope !== undefined,
      nonce: values.nonce,
      challenge,
      resources,
      dpopJkt: readThumbprint(values.dpop_jkt),
      claims,
      details,
      claimNames: knownClaims(claims, client, settings),
      acr: readAcrDemand(values.acr_values, claims, client),
      ...readLoginDemands(values.prompt, values.max_age, client),
      loginHint: values.login_hint,
      idTokenHint: values.id_token_hint,
      pairs: [...pairsInOrder(values, PARAMETERS), ...resources.map(each => ['resource', each] as const)],
      ignored: ignoredNames(pairs, effective),
    }
  } catch (error) {
    return { channel: 'redirect', error: asRefusal(error), to, clientId }
  }
}

/** Returns an error of the authorization endpoint. @throws every other error, which is an internal error */
function asRefusal(error: unknown): OAuthError<AuthorizationErrorCode> {
  if (isRefusal(error, AUTHORIZATION_ERRORS)) return error
  throw error
}

function refuseUnregisteredType(responseType: ResponseType, client: Client): void {
  if (client.response_types.some(each => findResponseType(each) === responseType)) return
  throw new OAuthError('unauthorized_client', {
    description: `this client is not registered for response_type ${responseType}`,
    rule: 'RFC 6749 §4.1.2.1',
  })
}

/** Drops offline_access without a code, because there is no refresh token then (OpenID Connect Core §11). */
function answerableScope(scope: readonly string[], responseType: ResponseType): readonly string[] {
  if (partsOf(responseType).code) return scope
  const remaining = scope.filter(token => token !== 'offline_access')
  if (remaining.length > 0) return remaining
  throw new OAuthError('invalid_scope', {
    description: 'offline_access needs a response_type with code',
    rule: 'OpenID Connect Core §11',
  })
}

/**
 * Refuses an id_token through the browser without a nonce or without the scope openid (OpenID Connect Core §3.2.2.1,
 * §3.3.2.11).
 */
function refuseBareIdToken(
  responseType: ResponseType,
  scope: readonly string[],
  nonce: string | undefined,
): void {
  const { code, idToken } = partsOf(responseType)
  if (!idToken) return
  const rule = code ? 'OpenID Connect Core §3.3.2.11' : 'OpenID Connect Core §3.2.2.1'
  if (!scope.includes('openid')) {
    const description = `the scope openid is needed for response_type ${responseType}`
    throw new OAuthError('invalid_request', { description, rule })
  }
  if (nonce === undefined) {
    const description = `nonce is missing; response_type ${responseType} needs one`
    throw new OAuthError('invalid_request', { description, rule })
  }
}

/** Refuses claims that no answer can have (OpenID Connect Core §5.5). */
function refuseUnmetClaims({ userinfo }: ClaimsRequest, responseType: ResponseType): void {
  const { code, token } = partsOf(responseType)
  if (userinfo.size > 0 && !code && !token) {
    throw new OAuthError('invalid_request', {
      description: `claims asks for userinfo, but response_type ${responseType} gets no access token for it`,
      rule: 'OpenID Connect Core §5.5',
    })
  }
}
