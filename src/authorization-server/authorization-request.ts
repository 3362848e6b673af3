import { type FormPairs, readParameters } from '../http/form.js'
import { AUTHORIZATION_PARAMETERS } from '../oauth/authorization.js'
import type { Client } from '../oauth/client.js'
import { OAuthError } from '../oauth/oauth-error.js'
import { type ChallengeMethod, challengeProblem } from '../oauth/pkce.js'
import { matchRedirectUri, type VerifiedRedirectUri } from '../oauth/redirect-uri.js'
import { bounded } from './events.js'
import { refuseRepeated } from './form-body.js'
import type { Registry } from './registry.js'
import { grantedScope } from './scopes.js'
import type { AuthorizationServerSettings } from './settings.js'

/** Parameters of an authorization request that the endpoint looks at. */
const PARAMETERS = [
  ...AUTHORIZATION_PARAMETERS,
  'response_mode',
  'prompt',
  'request',
  'request_uri',
  'registration',
] as const

/** Values by parameter; a missing or empty one is absent. */
export type RequestValues = { readonly [Name in (typeof PARAMETERS)[number]]?: string }

/** What the server can answer with. */
export const RESPONSE_TYPES = ['code'] as const

const MAX_NONCE = 512

/** What a code_verifier will be held against. */
export interface Challenge {
  readonly value: string
  readonly method: ChallengeMethod
}

/** Where an answer may go, and what goes with every answer. */
export interface ReturnAddress {
  readonly redirectUri: VerifiedRedirectUri
  readonly state: string | undefined
}

/** An error for the person's eyes: it has no address to send them to. */
export interface ShownError {
  readonly channel: 'page'
  readonly error: OAuthError
  readonly clientId?: string
}

/** An error that the client may be told. */
export interface RedirectedError {
  readonly channel: 'redirect'
  readonly error: OAuthError
  readonly to: ReturnAddress
  readonly clientId: string
}

/** A request to which a login can answer. */
export interface AcceptedRequest {
  readonly channel: 'login'
  readonly client: Client
  readonly to: ReturnAddress
  readonly redirectUriSent: boolean
  readonly scope: readonly string[]
  readonly scopeSent: boolean
  readonly nonce: string | undefined
  readonly challenge: Challenge | undefined
  readonly values: RequestValues
}

/** The judgement on an authorization request; whether an error is shown or redirected is part of its type. */
export type Judgement = ShownError | RedirectedError | AcceptedRequest

/** What a judgement depends on. */
export type JudgementSettings = Pick<
  AuthorizationServerSettings,
  'scopes' | 'defaultScope' | 'responseTypeErrors'
>

/** Judges an authorization request: client and address first, since without them nothing may be redirected. */
export function judgeAuthorizationRequest(
  pairs: FormPairs,
  registry: Registry,
  settings: JudgementSettings,
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
    return { channel: 'page', error: asOAuthError(error) }
  }
  const clientId = client.client_id
  const redirectUri = matchRedirectUri(values.redirect_uri, client.redirect_uris)
  if (typeof redirectUri !== 'string') {
    const { problem, rule } = redirectUri
    const description = `redirect_uri is refused: ${problem}`
    return { channel: 'page', error: new OAuthError('invalid_request', { description, rule }), clientId }
  }
  const to: ReturnAddress = { redirectUri, state: values.state }
  try {
    refuseRepeated(repeated, 'RFC 6749 §3.1')
    const responseTypeError = responseTypeProblem(values.response_type)
    if (responseTypeError && settings.responseTypeErrors === 'page') {
      return { channel: 'page', error: responseTypeError, clientId }
    }
    if (responseTypeError) throw responseTypeError
    refuseUnregisteredType(values.response_type, client)
    refuseUnsupported(values)
    const scope = grantedScope(values.scope, client, settings)
    const challenge = readChallenge(values, client)
    refusePrompt(values.prompt)
    return {
      channel: 'login',
      client,
      to,
      redirectUriSent: values.redirect_uri !== undefined,
      scope,
      scopeSent: values.scope !== undefined,
      nonce: values.nonce,
      challenge,
      values,
    }
  } catch (error) {
    return { channel: 'redirect', error: asOAuthError(error), to, clientId }
  }
}

function asOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error
  throw error
}

function knownClient(id: string | undefined, registry: Registry): Client {
  const rule = 'RFC 6749 §4.1.2.1'
  if (id === undefined) throw new OAuthError('invalid_request', { description: 'client_id is missing', rule })
  const client = registry.client(id)
  if (client === undefined) {
    throw new OAuthError('unauthorized_client', {
      description: 'client_id is unknown: no such client is registered here',
      rule,
      evidence: bounded(id),
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

function responseTypeProblem(responseType: string | undefined): OAuthError | undefined {
  const rule = 'RFC 6749 §3.1.1'
  if (responseType === undefined) {
    return new OAuthError('invalid_request', { description: 'response_type is missing', rule })
  }
  if (RESPONSE_TYPES.some(each => each === responseType)) return undefined
  return new OAuthError('unsupported_response_type', {
    description: `response_type is not supported; this server knows: ${RESPONSE_TYPES.join(', ')}`,
    rule,
    evidence: bounded(responseType),
  })
}

function refuseUnregisteredType(responseType: string | undefined, client: Client): void {
  if (responseType !== undefined && client.response_types.includes(responseType)) return
  throw new OAuthError('unauthorized_client', {
    description: `this client is not registered for response_type ${responseType}`,
    rule: 'RFC 6749 §4.1.2.1',
  })
}

/** Parameters that would change the meaning of the request, were they understood. */
function refuseUnsupported(values: RequestValues): void {
  const rule = 'OpenID Connect Core §3.1.2.6'
  for (const name of ['request', 'request_uri', 'registration'] as const) {
    if (values[name] !== undefined) {
      throw new OAuthError(`${name}_not_supported`, { description: `${name} is not supported`, rule })
    }
  }
  if (values.response_mode !== undefined && values.response_mode !== 'query') {
    throw new OAuthError('invalid_request', {
      description: 'response_mode is not supported; this server answers in the query',
      rule: 'OAuth 2.0 Multiple Response Type Encoding Practices §2.1',
      evidence: bounded(values.response_mode),
    })
  }
  if (values.nonce !== undefined && values.nonce.length > MAX_NONCE) {
    throw new OAuthError('invalid_request', {
      description: `nonce is longer than ${MAX_NONCE} characters`,
      rule: 'RFC 6749 §4.1.2.1',
    })
  }
}

/** Every answer needs a login here, so a request that forbids one is refused; any other prompt is granted. */
function refusePrompt(prompt: string | undefined): void {
  const asked = prompt?.split(' ') ?? []
  if (!asked.includes('none')) return
  const rule = 'OpenID Connect Core §3.1.2.1'
  throw asked.length > 1
    ? new OAuthError('invalid_request', { description: 'prompt none stands alone', rule })
    : new OAuthError('login_required', { description: 'prompt is none, and nobody is logged in', rule })
}

/** @throws OAuthError `invalid_request` (RFC 7636 §4.4.1) */
function readChallenge(values: RequestValues, client: Client): Challenge | undefined {
  const rule = 'RFC 7636 §4.4.1'
  const invalid = (description: string) => new OAuthError('invalid_request', { description, rule })
  const { code_challenge: value, code_challenge_method: method = 'plain' } = values
  if (value === undefined) {
    if (values.code_challenge_method !== undefined) {
      throw invalid('code_challenge_method is sent without code_challenge')
    }
    if (client.require_pkce) throw invalid('code_challenge is missing; this client must use PKCE')
    return undefined
  }
  const known = client.code_challenge_methods.find(each => each === method)
  if (known === undefined) {
    throw invalid(
      `code_challenge_method must be ${client.code_challenge_methods.join(' or ')}; plain is meant when it is missing`,
    )
  }
  const problem = challengeProblem(value, known)
  if (problem !== undefined) throw invalid(problem)
  return { value, method: known }
}
