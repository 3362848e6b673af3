import { unknownName } from '../../../../protocol/events.js'
import { AUTHORIZATION_PARAMETERS } from '../../../../protocol/oauth/authorization-request.js'
import type { Client } from '../../../../protocol/oauth/client.js'
import { type AuthorizationErrorCode, OAuthError } from '../../../../protocol/oauth/oauth-error.js'
import { type ModeRequest, responseModeError } from '../../parameters/response-type.js'
import { clauseOf } from '../../profiles/profiles.js'
import type { Registry } from '../../stores/registry.js'

/** The parameters of an authorization request that the endpoint reads. */
export const PARAMETERS = [
  ...AUTHORIZATION_PARAMETERS,
  'response_mode',
  'prompt',
  'max_age',
  'acr_values',
  'login_hint',
  'id_token_hint',
  'ui_locales',
  'dpop_jkt',
  'claims',
  'authorization_details',
  'request',
  'request_uri',
  'registration',
] as const

/** Values by parameter. A missing or empty parameter is absent. */
type RequestValues = { readonly [Name in (typeof PARAMETERS)[number]]?: string }

const MAX_NONCE = 512

/** Returns the parameters that the endpoint reads in a request: no others have an effect. */
export function effectiveParameters(answer: {
  readonly openId: boolean
  readonly code: boolean
  readonly challenged: boolean
}): readonly string[] {
  const without = [
    ...(answer.openId ? [] : ['claims', 'nonce']),
    ...(answer.code ? [] : ['dpop_jkt']),
    ...(answer.challenged ? [] : ['code_challenge', 'code_challenge_method']),
  ]
  return [...PARAMETERS, 'resource'].filter(name => !without.includes(name))
}

/** Returns the error for an unsupported parameter that changes the meaning of the whole request. */
export function unsupportedParameter(values: RequestValues): OAuthError<AuthorizationErrorCode> | undefined {
  if (values.registration === undefined) return undefined
  return new OAuthError('registration_not_supported', {
    description: 'registration is not supported; clients are registered before they send requests',
    rule: 'OpenID Connect Core §3.1.2.6',
  })
}

/** Refuses values that the server does not support. @throws OAuthError `invalid_request` */
export function refuseValues(values: RequestValues, mode: ModeRequest): void {
  const modeError = responseModeError(mode)
  if (modeError) throw modeError
  if (values.nonce !== undefined && values.nonce.length > MAX_NONCE) {
    throw new OAuthError('invalid_request', {
      description: `nonce is longer than ${MAX_NONCE} characters`,
      rule: 'RFC 6749 §4.1.2.1',
    })
  }
}

/** @throws OAuthError `invalid_request` for a value that is not a SHA-256 thumbprint (RFC 9449 §10) */
export function readThumbprint(dpopJkt: string | undefined): string | undefined {
  if (dpopJkt === undefined || /^[A-Za-z0-9_-]{43}$/.test(dpopJkt)) return dpopJkt
  throw new OAuthError('invalid_request', {
    description: 'dpop_jkt is not the SHA-256 thumbprint of a key',
    rule: 'RFC 9449 §10',
  })
}

/**
 * Returns the client of an authorization request. Its errors are shown, because no address is verified (RFC 6749 §4.1.2.1).
 * @throws OAuthError `invalid_request`, `unauthorized_client`
 */
export function knownClient(id: string | undefined, registry: Registry): Client {
  const rule = 'RFC 6749 §4.1.2.1'
  if (id === undefined) throw new OAuthError('invalid_request', { description: 'client_id is missing', rule })
  const refused = registry.problem(id)
  if (refused !== undefined) {
    const { problem: description, rule: broken } = refused
    throw new OAuthError('unauthorized_client', { description, rule: broken, evidence: unknownName(id) })
  }
  const client = registry.client(id)
  if (client === undefined) {
    throw new OAuthError('unauthorized_client', {
      description: 'client_id is unknown: no such client is registered here',
      rule,
      evidence: unknownName(id),
    })
  }
  if (!client.enabled) {
    throw new OAuthError('unauthorized_client', {
      description: 'client_id is refused: this client is disabled',
      rule,
      evidence: client.client_id,
    })
  }
  return client
}

/** The facts that decide whether a request has to be pushed. */
interface PushedNeed {
  /** True for a request that was pushed, or is being pushed. */
  readonly pushed: boolean
  /** True when every client of the server pushes its requests (RFC 9126 §5). */
  readonly requirePushed?: boolean | undefined
}

/** @throws OAuthError `invalid_request` for a request that had to be pushed (RFC 9126 §5, §6) */
export function requirePushed(client: Client, { pushed, requirePushed: always = false }: PushedNeed): void {
  if (pushed) return
  const own = client.require_pushed_authorization_requests === true
  if (!own && !always) return
  const who = own ? 'this client' : 'this server'
  throw new OAuthError('invalid_request', {
    description: `${who} takes pushed authorization requests only: send the parameters to /par, and its request_uri here`,
    rule: clauseOf(client, 'pushed', own ? 'RFC 9126 §6' : 'RFC 9126 §5'),
  })
}
